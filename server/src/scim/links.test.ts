import { expect, test } from 'vitest';
import { provisioning } from '../testing/provisioning.ts';
import { startSso } from '../testing/single-sign-on.ts';

/** The holder of a connection's token sends accounts and external ids: these must not let anyone sign in. */

const service = await startSso();
const { op, make, owner, addProvider, come } = service;
const connect = provisioning(service);
const acme = await make.entity();
const provider_id = await addProvider({ match_rule: 'linked_only', entity_ids: [acme.id] });

const links = async () => (await owner.query('select user_id::int, subject from user_identities')).rows;
const work = (value: string) => ({ emails: [{ value, type: 'work' }] });

test('an external id that names another subject opens no account, added, changed or kept', async () => {
  const mine = await connect({ entity_ids: [acme.id], provider_id });
  const victim = await make.employee({ entity_id: acme.id });
  op.people.set('mallory', { email: 'mallory@acme.example', email_verified: true });
  const added = await mine.addUser('victim', { ...work(victim.email), externalId: 'mallory' });
  expect(added.status).toBe(201);
  const { rows } = await owner.query('select user_id::int from scim_users where id = $1', [added.body.id]);
  expect(rows).toEqual([{ user_id: victim.user_id }]);
  expect((await come('mallory', provider_id)).status).toBe(422);
  for (const externalId of ['other', 'mallory']) {
    await mine.patch(`/Users/${added.body.id}`, { op: 'replace', path: 'externalId', value: externalId });
    expect((await come('mallory', provider_id)).status).toBe(422);
  }
  expect(await links()).toEqual([]);
});
