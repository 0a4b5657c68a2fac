import { expect, test } from 'vitest';
import { recordStatements } from '../../testing/statements.ts';
import { startWebhooks } from '../../testing/webhook-receiver.ts';

/** Webhooks are not part of a write: other statements collect and send events after the commit. */

const { admin, account, add, make, owner, deps } = await startWebhooks();
const person = await make.employee();
const sent = recordStatements(deps.pool);

let writes = 0;
const statementsOfWrite = async () => {
  writes += 1;
  sent();
  const { status } = await admin.put(`/api/employees/${person.id}`, { phone: `+44 20 7946 ${1_000 + writes}` });
  expect(status).toBe(200);
  return sent();
};

const tables = ['webhooks', 'webhook_deliveries', 'webhooks_reached', 'events', 'events_reached'];

test('a write of a person sends the same statements with 20 active webhooks as with none', async () => {
  // the first request may also record the use of the session
  await statementsOfWrite();
  const before = await statementsOfWrite();
  expect(before.filter((text) => text.startsWith('update "employees"'))).toHaveLength(1);
  const { id: service_account_id } = await account();
  for (let n = 0; n < 20; n += 1)
    await add({ url: `https://hooks.test/${n}`, types: ['employee.updated'], service_account_id });
  await statementsOfWrite();
  expect(await statementsOfWrite()).toEqual(before);
  expect(before.filter((text) => /webhook|\bevents/.test(text))).toEqual([]);
});

test('and no trigger of what it writes touches webhooks', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where t.tgrelid in ('employees'::regclass, 'users'::regclass, 'audit_log'::regclass)
       and not t.tgisinternal and p.prosrc ~ any($1)`,
    [tables.map((name) => `\\m${name}\\M`)],
  );
  expect(rows).toEqual([]);
});
