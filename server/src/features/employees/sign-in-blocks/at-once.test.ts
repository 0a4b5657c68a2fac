import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { provisioning } from '../../../testing/provisioning.ts';
import type { Connection } from '../../../testing/provisioning.ts';
import { togetherIn } from '../../../testing/together.ts';

/** HR and an identity provider switch a person's sign-in off and on at the same moment. */

const service = await startApp();
const { as, make, owner } = service;
const together = togetherIn(owner);
const acme = await make.entity();
let hr: Client;
let admin: Client;
let directory: Connection;

beforeAll(async () => {
  hr = await as((await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
  admin = await as((await make.admin()).user_id);
  directory = await provisioning(service)({ entity_ids: [acme.id] });
});

async function provisioned(isActive: boolean) {
  const person = await make.employee({ entity_id: acme.id });
  const added = await directory.addUser(person.email, { active: isActive });
  expect(added.status).toBe(201);
  const { id } = added.body as { id: string };
  const url = `/api/employees/${person.id}/sign-in-block`;
  return {
    block: () => hr.put(url, { reason: 'Reported a stolen laptop.' }),
    allowBy: (who: string) => () => (who === 'HR' ? hr : admin).delete(url),
    say: (active: boolean) => () => directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active }),
    isEnabled: async () =>
      (await owner.query('select is_enabled from users where id = $1', [person.user_id])).rows[0]
        ?.is_enabled as boolean,
  };
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const both = ['HR', 'an administrator'].flatMap((who) => [
  [who, 'before'],
  [who, 'after'],
]) as [string, string][];

test.each(both)('a sign-in that %s allows just %s the directory is on', async (who, when) => {
  const { block, allowBy, say, isEnabled } = await provisioned(false);
  expect((await block()).status).toBe(200);
  const allow = allowBy(who);
  const answers = when === 'before' ? await together(allow, say(true)) : await together(say(true), allow);
  expect(statuses(answers)).toEqual(when === 'before' ? [204, 200] : [200, 204]);
  expect(await isEnabled()).toBe(true);
});

test.each(both)('a sign-in that %s allows just %s the directory switches it off is off', async (who, when) => {
  const { block, allowBy, say, isEnabled } = await provisioned(true);
  expect((await block()).status).toBe(200);
  const allow = allowBy(who);
  const answers = when === 'before' ? await together(allow, say(false)) : await together(say(false), allow);
  expect(statuses(answers)).toEqual(when === 'before' ? [204, 200] : [200, 204]);
  expect(await isEnabled()).toBe(false);
});
