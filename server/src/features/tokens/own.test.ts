import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { attentionFrom, isActive, tokenTables } from '../../access/token-tables.ts';
import { bearing, programOf } from '../../testing/programs.ts';
import { startApp } from '../../testing/app.ts';

const service = await startApp({ TOKEN_MAX_DAYS: '120' });
const { as, make, owner, deps } = service;
const [acme, other] = [await make.entity(), await make.entity()];
const person = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const hr = await as(person.user_id);
const permissions: Permission[] = ['employees.view', 'departments.view'];
const wanted = { name: 'Reports', permissions };

test('a person makes a token, sees it once, and a program uses it', async () => {
  const made = await hr.post('/api/profile/tokens', { ...wanted, entity_ids: [acme.id], days: 30 });
  expect(made.status).toBe(201);
  const { token, data } = made.body;
  expect(token).toMatch(/^tnrp_[0-9A-Za-z]{49}$/);
  expect(made.headers['cache-control']).toBe('no-store');
  expect(data).toMatchObject({
    kind: 'personal',
    hint: `tnrp_…${token.slice(-4)}`,
    state: 'active',
    last_used_at: null,
  });
  expect(data.permissions).toEqual(['departments.view', 'employees.view']);
  expect((await bearing(service, token).get('/api/departments')).status).toBe(200);
  const list = await hr.get('/api/profile/tokens');
  expect(list.body.data[0]).toMatchObject({ id: data.id, last_used_ip: '127.0.0.1' });
  expect(list.bytes.toString()).not.toContain(token);
  const { rows } = await owner.query('select hash, hint from api_tokens where id = $1', [data.id]);
  expect(JSON.stringify(rows)).not.toContain(token);
  const notified = await hr.get('/api/notifications');
  expect(notified.body.data[0]).toMatchObject({ title: 'A token was created for your account' });
  const log = await owner.query(`select action, subject_label from audit_log where subject_type = 'token'`);
  expect(log.rows).toEqual([{ action: 'token.created', subject_label: 'Reports' }]);
});

test('it lasts 90 days unless asked otherwise, and at most TOKEN_MAX_DAYS', async () => {
  const made = await hr.post('/api/profile/tokens', wanted);
  const days = (Date.parse(made.body.data.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  const refused = await hr.post('/api/profile/tokens', { ...wanted, days: 121 });
  expect([refused.status, refused.body.errors.days]).toEqual([422, ['The days field must not be greater than 120.']]);
});

test('it holds nothing that the person does not hold, and no company out of reach', async () => {
  const none = await hr.post('/api/profile/tokens', { ...wanted, permissions: [] });
  expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['permissions']]);
  const more = await hr.post('/api/profile/tokens', { ...wanted, permissions: ['employees.view', 'rbac.manage'] });
  expect([more.status, Object.keys(more.body.errors)]).toEqual([422, ['permissions.1']]);
  for (const id of [other.id, 99_999]) {
    const elsewhere = await hr.post('/api/profile/tokens', { ...wanted, entity_ids: [id] });
    expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([422, ['entity_ids']]);
  }
});

test('a token is renamed and revoked by its owner alone, and never by a token', async () => {
  const made = await hr.post('/api/profile/tokens', wanted);
  const url = `/api/profile/tokens/${made.body.data.id}`;
  const colleague = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
  expect((await colleague.delete(url)).status).toBe(404);
  expect((await hr.put(url, { name: 'Payroll' })).body.data.name).toBe('Payroll');
  const program = bearing(service, made.body.token);
  for (const [method, at] of [
    ['GET', '/api/profile/tokens'],
    ['DELETE', url],
    ['POST', '/api/profile/tokens'],
  ] as const) {
    const refused = await program.send(method, at, method === 'POST' ? wanted : undefined);
    expect([refused.status, refused.body.message]).toEqual([403, 'This can be done in the browser only.']);
  }
  expect((await hr.delete(url)).status).toBe(204);
  expect((await program.get('/api/me')).status).toBe(401);
  expect((await hr.delete(url)).status).toBe(404);
  const { data } = (await hr.get('/api/profile/tokens?state=revoked')).body;
  expect(data).toMatchObject([{ name: 'Payroll', state: 'revoked', allowed_actions: [] }]);
});

test('people without the permission make none', async () => {
  const employee = await as((await make.employee({ entity_id: acme.id })).user_id);
  expect((await employee.post('/api/profile/tokens', wanted)).status).toBe(403);
  expect((await employee.get('/api/profile/tokens')).status).toBe(403);
});

test('an account has at most twenty active tokens', async () => {
  const busy = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
  const statuses = await Promise.all(
    Array.from(
      { length: 22 },
      async (_none, n) => (await busy.post('/api/profile/tokens', { ...wanted, name: `T${n}` })).status,
    ),
  );
  expect(statuses.filter((status) => status === 201).length).toBe(20);
  expect(statuses.filter((status) => status === 422).length).toBe(2);
});

test('a new password by HR ends the tokens of the person, a change of their own does not', async () => {
  const holder = await make.employee({ entity_id: acme.id, roles: ['HR'], password: 'right-Battery-9' });
  const client = await as(holder.user_id);
  const made = await client.post('/api/profile/tokens', wanted);
  const program = bearing(service, made.body.token);
  const change = {
    current_password: 'right-Battery-9',
    password: 'other-Battery-9',
    password_confirmation: 'other-Battery-9',
  };
  const changed = await client.put('/api/profile/password', change);
  expect(changed.status).toBe(200);
  expect(changed.body.kept_tokens).toEqual([
    { id: made.body.data.id, name: 'Reports', hint: made.body.data.hint, expires_at: made.body.data.expires_at },
  ]);
  expect((await program.get('/api/me')).status).toBe(200);
  const admin = await as((await make.employee({ entity_id: acme.id, roles: ['Admin'] })).user_id);
  expect((await admin.post(`/api/employees/${holder.id}/reset-password`, {})).status).toBe(200);
  expect((await program.get('/api/me')).status).toBe(401);
});

test('administrators see all tokens, the last used first, and revoke any', async () => {
  const admin = await as((await make.employee({ entity_id: acme.id, roles: ['Admin'] })).user_id);
  const list = await admin.get('/api/tokens?state=active&per_page=100');
  expect(list.status).toBe(200);
  expect(list.body.data[0].last_used_at).not.toBeNull();
  expect(list.body.data.at(-1).last_used_at).toBeNull();
  const [token] = list.body.data;
  expect(token.account).toMatchObject({ user_id: person.user_id, is_service: false });
  expect((await hr.get('/api/tokens')).status).toBe(403);
  expect((await admin.delete(`/api/tokens/${token.id}`)).status).toBe(204);
  expect((await admin.get('/api/tokens?state=revoked')).body.data.map(({ id }: { id: number }) => id)).toContain(
    token.id,
  );
});

test('those that end soon or are unused come first and are marked; the others are filtered', async () => {
  const admin = await as((await make.admin()).user_id);
  const holder = await make.employee({ entity_id: acme.id });
  await owner.query(
    `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at, last_used_at,
                             created_at, revoked_at)
     select u.id, 'personal', v.name, lpad(v.name, 64, '0'), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
            now() + v.days * interval '1 day', now() - v.used * interval '1 day', now() - interval '200 days',
            case when v.name = 'revoked' then now() end
     from (values ('fresh', 200, 1), ('ending', 13, 1), ('both', 2, 100), ('unused', 200, 95), ('over', -1, 1),
                  ('revoked', 200, 1)) as v (name, days, used)
     join users u on u.id = $1 cross join installation i`,
    [holder.user_id],
  );
  const list = async (query: string) => {
    const { status, body } = await admin.get(`/api/tokens?per_page=100&${query}`);
    expect(status).toBe(200);
    return (body.data as { name: string; attention: string[]; account: { user_id: number } }[])
      .filter(({ account }) => account.user_id === holder.user_id)
      .map(({ name, attention }) => [name, ...attention]);
  };
  const order = 'sort_by=attention&sort_direction=asc';
  expect(await list(`state=active&${order}`)).toEqual([
    ['both', 'ending', 'unused'],
    ['unused', 'unused'],
    ['ending', 'ending'],
    ['fresh'],
  ]);
  expect(await list(`state=active&attention=ending&${order}`)).toEqual([
    ['both', 'ending', 'unused'],
    ['ending', 'ending'],
  ]);
  expect(await list(`attention=unused&${order}`)).toEqual([
    ['both', 'ending', 'unused'],
    ['unused', 'unused'],
  ]);
  expect(await list('attention=ending,unused')).toHaveLength(3);
  expect(await list('state=expired,revoked&sort_by=name&sort_direction=asc')).toEqual([['over'], ['revoked']]);
  expect((await admin.get('/api/tokens?attention=old')).status).toBe(422);
});

test('an index gives active tokens in the order in which to look at them', async () => {
  const plan = await deps.db.transaction().execute(async (db) => {
    for (const off of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'])
      await sql`set local ${sql.raw(off)} = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select t.id from ${tokenTables}
      where t.revoked_at is null and t.expires_at > now() and ${isActive} order by ${attentionFrom}, t.id limit 25`.execute(
      db,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('api_tokens_attention_idx');
  expect(plan).not.toContain('Sort');
});

test('tokens are revoked by those who cover their account, and of provisioning by those who set it up', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ('Watch', 'all') returning id`,
  );
  await owner.query(`insert into role_permissions (role_id, permission) values ($1, 'tokens.view_all')`, [rows[0]?.id]);
  const watch = await make.employee({ entity_id: acme.id, roles: ['Employee'] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [watch.user_id, rows[0]?.id]);
  const watcher = await as(watch.user_id);
  const plain = await make.employee({ entity_id: acme.id, roles: ['Employee'] });
  const chief = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const idOf = async (user_id: number, kind: 'personal' | 'provisioning' = 'personal') =>
    (await programOf(service, user_id, ['employees.view'], kind === 'personal' ? {} : { kind, permissions: null }))
      .token_id;
  const revoke = async (client: typeof hr, id: number) => (await client.delete(`/api/tokens/${id}`)).status;
  const ids = [await idOf(plain.user_id), await idOf(chief.user_id), await idOf(plain.user_id, 'provisioning')];
  const listed = (await watcher.get('/api/tokens?per_page=100')).body.data as {
    id: number;
    allowed_actions: unknown;
  }[];
  expect(ids.map((id) => listed.find((one) => one.id === id)?.allowed_actions)).toEqual([['delete'], [], []]);
  expect(await revoke(watcher, await idOf(plain.user_id))).toBe(204);
  expect(await revoke(watcher, await idOf(chief.user_id))).toBe(403);
  expect(await revoke(watcher, await idOf(plain.user_id, 'provisioning'))).toBe(403);
  const admin = await as((await make.admin()).user_id);
  expect(await revoke(admin, await idOf(chief.user_id))).toBe(204);
  expect(await revoke(admin, await idOf(plain.user_id, 'provisioning'))).toBe(204);
});
