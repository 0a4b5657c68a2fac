import { expect, test } from 'vitest';
import { readMigration } from '../../db/migration-files.ts';
import { startApp } from '../../testing/app.ts';
import { provisioning, scimClient } from '../../testing/provisioning.ts';
import { remindOfTokens } from '../tokens/ending.ts';

const service = await startApp();
const { as, make, owner, deps } = service;
const boss = await make.admin();
const admin = await as(boss.user_id);
const connect = provisioning(service);
const [acme, beta] = [await make.entity(), await make.entity()];

const hrOf = async (...entity_ids: number[]) => {
  const { user_id } = await make.employee({ roles: [{ role: 'HR', entity_ids }] });
  return { user_id, client: await as(user_id) };
};
type Client = Awaited<ReturnType<typeof as>>;
const tasks = async (client: Client) => (await client.get('/api/actionable-items?kind=people_waiting')).body.data;
const heard = async (client: Client, event: string) => {
  const { body } = await client.get('/api/notifications');
  return (body.data as { event: string; title: string }[]).filter((one) => one.event === event);
};

test('HR of all companies of a connection has a task and a notification a day while users wait', async () => {
  const [near, far] = [await hrOf(acme.id), await hrOf(beta.id)];
  const entra = await connect({ entity_ids: [acme.id] });
  const { body: user } = await entra.addUser('first');
  await entra.addUser('second');
  expect(await tasks(near.client)).toMatchObject([
    {
      id: `people_waiting:-${entra.id}`,
      title: 'Link people waiting to sign in',
      url: '/people-waiting',
      subject: { type: 'scim_connection', id: entra.id },
      allowed_actions: ['link'],
    },
  ]);
  expect(await heard(near.client, 'people_waiting')).toMatchObject([
    { title: 'Directory 1 has a user for whom we found no account', data: { url: '/people-waiting' } },
  ]);
  expect([await tasks(far.client), await heard(far.client, 'people_waiting')]).toEqual([[], []]);
  expect(await tasks(admin)).toEqual([]);
  await admin.put(`/api/scim-connections/${entra.id}`, { is_dry_run: true });
  expect(await tasks(near.client)).toEqual([]);
  await entra.addUser('third');
  await admin.put(`/api/scim-connections/${entra.id}`, { is_dry_run: false });
  const row = `/api/scim-connections/${entra.id}/waiting`;
  expect((await near.client.delete(`${row}/${user.id}`)).status).toBe(204);
  expect(await tasks(near.client)).toHaveLength(1);
  const { data } = (await near.client.get(row)).body;
  expect(data).toHaveLength(1);
  await near.client.delete(`${row}/${data[0].id}`);
  expect(await tasks(near.client)).toEqual([]);
});

/** A user with a custom role that permits managing connections. */
async function managerOfConnections(entity_ids?: number[]) {
  const { rows } = await owner.query("insert into roles (name, scope) values ($1, 'all') returning id", [
    `IT ${String(entity_ids ?? 'all')}`,
  ]);
  await owner.query("insert into role_permissions (role_id, permission) values ($1, 'identity.manage')", [rows[0].id]);
  const { user_id } = await make.employee();
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    rows[0].id,
    entity_ids ?? null,
  ]);
  return as(user_id);
}

test('those who manage a connection are reminded 14, 7 and 1 days before its token ends', async () => {
  const entra = await connect();
  const [manager, ofAcme] = [await managerOfConnections(), await managerOfConnections([acme.id])];
  const reads = async (client: Client) => (await client.get(`/api/scim-connections/${entra.id}`)).status;
  expect([await reads(manager), await reads(ofAcme)]).toEqual([200, 403]);
  const ends = async (days: number) => {
    await owner.query(
      `update api_tokens set created_at = now() - interval '200 days', expires_at = now() + $2 * interval '1 day'
       where user_id = $1`,
      [entra.user_id, days],
    );
    await remindOfTokens({ deps, now: Temporal.Now.instant() });
    await remindOfTokens({ deps, now: Temporal.Now.instant() });
    return (await heard(admin, 'token_ending')).length;
  };
  expect([await ends(15), await ends(13.5), await ends(8), await ends(6.9), await ends(0.5)]).toEqual([0, 1, 1, 2, 3]);
  const [newest] = await heard(admin, 'token_ending');
  expect(newest).toMatchObject({
    title: expect.stringMatching(/^The token of Directory \d+ expires on /),
    data: { url: '/settings/provisioning' },
  });
  const titles = async (client: Client) => (await heard(client, 'token_ending')).map(({ title }) => title);
  expect(await titles(manager)).toEqual(await titles(admin));
  const { client } = await hrOf(acme.id, beta.id);
  expect([await titles(client), await titles(ofAcme)]).toEqual([[], []]);
});

test('tokens of before sessions knew it end with who let in the person who made them', async () => {
  const [issuer, maker, own] = [await make.employee(), await make.employee(), await make.employee()];
  await owner.query('update users set password_issued_by = $2 where id = $1', [maker.user_id, issuer.user_id]);
  const [theirs, plain] = [await connect(), await connect()];
  const byMaker = 'update api_tokens set created_by = $2 where user_id = $1';
  await owner.query(byMaker, [theirs.user_id, maker.user_id]);
  await owner.query(byMaker, [plain.user_id, own.user_id]);
  const known = await connect();
  await owner.query('update api_tokens set created_by = $2, let_in_by_id = $3 where user_id = $1', [
    known.user_id,
    maker.user_id,
    own.user_id,
  ]);
  await owner.query(await readMigration('20261127_1125_makers_of_tokens.sql'));
  const { rows } = await owner.query('select user_id, let_in_by_id from api_tokens');
  const by = new Map(rows.map(({ user_id, let_in_by_id }) => [Number(user_id), let_in_by_id && Number(let_in_by_id)]));
  expect([theirs, plain, known].map(({ user_id }) => by.get(user_id))).toEqual([issuer.user_id, null, own.user_id]);
});

test('with SCIM off there is no door, and connections stay', async () => {
  const entra = await connect();
  const other = await startApp({ SCIM: 'off' }, { beside: service });
  const { send } = scimClient(other, entra.token);
  expect((await entra.get('/Users')).status).toBe(200);
  for (const [method, path] of [
    ['GET', '/Users'],
    ['POST', '/Users'],
    ['GET', '/ServiceProviderConfig'],
  ] as const)
    expect((await send(method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
  expect((await admin.get(`/api/scim-connections/${entra.id}`)).status).toBe(200);
});

test('the list of all tokens names the connection, by which its token is found too', async () => {
  const entra = await connect();
  await admin.put(`/api/scim-connections/${entra.id}`, { name: 'Renamed for tokens' });
  for (const query of ['per_page=100', 'search=renamed%20for']) {
    const { data } = (await admin.get(`/api/tokens?${query}`)).body;
    const found = (data as { account: { user_id: number } }[]).find(({ account }) => account.user_id === entra.user_id);
    expect(found).toMatchObject({ kind: 'provisioning', account: { name: 'Renamed for tokens', is_service: true } });
  }
});
