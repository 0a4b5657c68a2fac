import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { receiverOfTest, startWebhooks } from '../../../testing/webhook-receiver.ts';

// The Python library of Standard Webhooks verifies what a receiver gets. `npm run test:scim` installs it.

const verify = `
import json, sys
from standardwebhooks.webhooks import Webhook
sent = json.load(sys.stdin)
print(json.dumps(Webhook(sent["secret"]).verify(sent["text"], sent["headers"])))
`;

function python(input: object) {
  const folder = process.env['SCIM_TOOLS'];
  if (!folder) throw new Error('SCIM_TOOLS names the folder of the programs: run npm run test:scim');
  const { status, stdout, stderr } = spawnSync(join(folder, 'python'), ['-c', verify], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('N31: a receiver in Python verifies, and refuses what was changed', async () => {
  const { admin, account, add } = await startWebhooks();
  const receiver = await receiverOfTest();
  const { id: service_account_id } = await account();
  const { id, secret } = await add({ url: receiver.url, service_account_id });
  expect((await admin.post(`/api/webhooks/${id}/test`, {})).body.data.is_sent).toBe(true);
  const [got = { text: '', headers: {}, body: {} }] = receiver.got;
  const { text, headers, body } = got;
  expect(JSON.parse(python({ secret, text, headers }).stdout)).toEqual(body);
  const changed = python({ secret, text: text.replace('webhook.test', 'webhook.best'), headers });
  expect([changed.status, changed.stderr]).toEqual([1, expect.stringContaining('No matching signature found')]);
  // after a change of the secret, both secrets verify
  const { body: replaced } = await admin.post(`/api/webhooks/${id}/secret`, {});
  await admin.post(`/api/webhooks/${id}/test`, {});
  const next = receiver.got.at(-1);
  for (const one of [secret, replaced.secret as string])
    expect(python({ secret: one, text: next?.text, headers: next?.headers }).status).toBe(0);
});
