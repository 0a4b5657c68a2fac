import { afterAll, expect, test } from 'vitest';
import { afterRestore } from '../../db/after-restore.ts';
import { connect } from '../../db/connect.ts';
import { startApp } from '../../testing/app.ts';
import { provisioning } from '../../testing/provisioning.ts';
import { remindOfTokens } from '../tokens/ending.ts';

/** Owners of a SCIM connection get the same notifications about its token as those of a service account. */

const service = await startApp();
const { as, make, owner, deps } = service;
const { db: asOwner } = connect({ url: service.database.ownerUrl, max: 1 });
afterAll(() => asOwner.destroy());
const root = await make.admin();
const admin = await as(root.user_id);
const path = '/api/scim-connections';

type Owner = { user_id: number; name: string };
const own = async (name: string, people: readonly { user_id: number }[]) => {
  const made = await admin.post(path, { name, owner_ids: people.map(({ user_id }) => user_id) });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  return made.body.data as { id: number; revision: number; owners: Owner[] };
};
const titles = async ({ user_id }: { user_id: number }, event: string): Promise<string[]> => {
  const { body } = await (await as(user_id)).get('/api/notifications');
  // users who cannot sign in get none
  const all = (body.data ?? []) as { event: string; title: string }[];
  return all.filter((one) => one.event === event).map(({ title }) => title);
};
const changes = async (id: number) => {
  const { rows } = await owner.query(
    "select changes -> 'owner_ids' as owner_ids from audit_log where subject_type = 'scim_connection' and subject_id = $1 order by id",
    [id],
  );
  return rows.map(({ owner_ids }) => owner_ids as unknown);
};

test('are one or two people who can sign in; who adds a connection is its owner unless others are named', async () => {
  const made = (await admin.post(path, { name: 'Own' })).body.data as { id: number; owners: Owner[] };
  expect(made.owners).toEqual([{ user_id: root.user_id, name: root.email }]);
  const [one, two, gone] = [await make.employee(), await make.employee(), await make.employee()];
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [gone.id]);
  const put = (owner_ids: unknown) => admin.put(`${path}/${made.id}`, { owner_ids });
  const { user_id: program } = await provisioning(service)();
  for (const ids of [[], [1, 2, 3], [gone.user_id], [987_654], [program], null])
    expect([ids, Object.keys((await put(ids)).body.errors as object)[0]]).toEqual([ids, 'owner_ids']);
  expect((await put([two.user_id, two.user_id])).body.data.owners).toHaveLength(1);
  const { data } = (await put([two.user_id, one.user_id])).body;
  expect(data.owners.map(({ user_id }: Owner) => user_id)).toEqual([one.user_id, two.user_id]);
  // sending the same values is not a change
  expect((await put([one.user_id, two.user_id])).body.data.revision).toBe(data.revision);
  expect((await admin.get(`${path}/${made.id}`)).body.data.owners).toEqual(data.owners);
  const listed = (await admin.get(`${path}?search=own`)).body.data as { owners: Owner[] }[];
  expect(listed.map(({ owners }) => owners)).toEqual([data.owners]);
  expect(await changes(made.id)).toEqual([
    { from: null, to: [root.user_id] },
    { from: [root.user_id], to: [two.user_id] },
    { from: [two.user_id], to: [one.user_id, two.user_id] },
  ]);
});

test('are notified of a new token and before its end, in place of those who manage connections', async () => {
  const [one, two, other] = [
    await make.employee({ roles: ['Admin'] }),
    await make.employee(),
    await make.employee({ roles: ['Admin'] }),
  ];
  const { id, owners } = await own('Owned', [one, two]);
  expect((await (await as(one.user_id)).post(`${path}/${id}/token`, {})).status).toBe(201);
  const security = 'account_security_notice';
  expect(await titles(two, security)).toEqual([`${owners[0]?.name} created a token for Owned`]);
  // the user who created it knows
  expect([await titles(one, security), await titles(other, security)]).toEqual([[], []]);

  const ends = async (days: number) => {
    await owner.query(
      `update api_tokens t set created_at = now() - interval '200 days', expires_at = now() + $2 * interval '1 day'
       from scim_connections c where c.id = $1 and t.user_id = c.user_id`,
      [id, days],
    );
    await remindOfTokens({ deps, now: Temporal.Now.instant() });
    const notified = [];
    for (const person of [one, two, other]) notified.push((await titles(person, 'token_ending')).length);
    return notified;
  };
  expect(await ends(15)).toEqual([0, 0, 0]);
  expect(await ends(13)).toEqual([1, 1, 0]);
  expect((await titles(two, 'token_ending'))[0]).toMatch(/^The token of Owned expires on /);
  await owner.query('update users set is_enabled = false where id = $1', [two.user_id]);
  expect((await ends(6))[0]).toBe(2);
  expect(await titles(other, 'token_ending')).toEqual([]);
  // without any owner who can sign in, users who manage connections get it
  await owner.query('update scim_connections set owner_ids = array[$2::bigint] where id = $1', [id, two.user_id]);
  await ends(0.5);
  expect([await titles(one, 'token_ending'), await titles(other, 'token_ending')].map((all) => all.length)).toEqual([
    3, 1,
  ]);
});

test('are notified when a restored backup has ended the token', async () => {
  const [one, other] = [await make.employee(), await make.employee({ roles: ['Admin'] })];
  const { id } = await own('Restored', [one]);
  await admin.post(`${path}/${id}/token`, {});
  const without = await provisioning(service)({ name: 'Without owners' });
  await afterRestore(asOwner);
  expect((await without.get('/Users')).status).toBe(401);
  expect(await titles(one, 'token_ending')).toEqual(['The token of Restored no longer works']);
  // connections without owners, and with one who cannot sign in
  expect((await titles(other, 'token_ending')).toSorted()).toEqual(
    ['Directory 1', 'Owned', 'Without owners'].map((name) => `The token of ${name} no longer works`),
  );
});
