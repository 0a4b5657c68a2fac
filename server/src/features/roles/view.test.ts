import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

// two processes of one installation: the cache of one must not outlive changes by the other
const one = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const two = await startApp({}, { beside: one });
const { as, make, deps, owner, logged } = one;
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const near = await make.employee({ entity_id: north.id, last_name: 'Near' });
const far = await make.employee({ entity_id: south.id, last_name: 'Far' });
const { user_id: admin } = await make.admin();
const hr = await make.employee({ roles: ['HR'], entity_id: north.id });

const roleId = async (name: string) =>
  (await deps.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
const hrRole = await roleId('HR');
let serial = 0;
const custom = async (permissions: string[], scope = 'all') => {
  const { body } = await (await as(admin)).post('/api/roles', { name: `Seer ${(serial += 1)}00`, scope, permissions });
  return body.data as { id: number; name: string };
};
const start = (client: Client, role: number, entity_ids?: unknown) =>
  client.post(`/api/roles/${role}/view`, entity_ids === undefined ? {} : { entity_ids });
const viewer = async (role = hrRole, entity_ids?: number[]) => {
  const client = await as(admin);
  const answer = await start(client, role, entity_ids);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return client;
};
const me = async (client: Client) => (await client.get('/api/me')).body.data;
const people = async (client: Client) =>
  ((await client.get('/api/employees?per_page=100')).body.data as { id: number }[] | undefined)?.map(({ id }) => id);
const traces = () =>
  deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'subject_id', 'subject_label', 'changes'])
    .where('action', 'like', 'role.view%')
    .orderBy('id')
    .execute();
const changing = { last_name: 'Changed' };
const off = (role: string) => ({
  message: `You’re viewing as ${role}. Changes are off. Stop viewing to make changes.`,
  explained: true,
});

test('a view has the rights of the role, is in the answer of /me, and is recorded at both ends', async () => {
  const client = await as(admin);
  const own = await me(client);
  expect(own.viewing).toBeNull();
  const before = Date.now();
  const answer = await start(client, hrRole);
  expect([answer.status, answer.body.message]).toEqual([200, 'You’re now viewing as HR.']);
  const { data: view } = answer.body;
  expect(view).toEqual({ role_id: hrRole, role: 'HR', entity_ids: null, until: expect.any(String) });
  expect(Math.abs(Date.parse(view.until) - before - 30 * 60_000)).toBeLessThan(60_000);
  const seen = await me(client);
  expect(seen.viewing).toEqual(view);
  expect([seen.roles, seen.user.id, seen.user.role_assignments]).toEqual([
    ['HR'],
    admin,
    [{ role_id: hrRole, role: 'HR', scope: 'all', managed_depth: 'direct', entity_ids: null }],
  ]);
  expect(seen.permissions).toEqual((await me(await as(hr.user_id))).permissions);
  expect((await client.get('/api/audit-log')).status).toBe(own.permissions.includes('audit.view') ? 200 : 403);
  expect((await client.delete('/api/role-view')).status).toBe(204);
  expect(await me(client)).toEqual(own);
  expect((await client.delete('/api/role-view')).status).toBe(204);
  expect(await traces()).toEqual([
    {
      actor_id: admin,
      action: 'role.view_started',
      subject_id: hrRole,
      subject_label: 'HR',
      changes: {
        scope: { from: null, to: 'all' },
        entity_ids: { from: null, to: null },
        viewing_until: { from: null, to: view.until },
      },
    },
    { actor_id: admin, action: 'role.view_ended', subject_id: hrRole, subject_label: 'HR', changes: {} },
  ]);
  const events = logged.map((line) => JSON.parse(line) as { event?: string }).map(({ event }) => event);
  expect(events.filter((event) => event?.startsWith('role_view'))).toEqual(['role_view_started', 'role_view_ended']);
});

test('companies limit a view like an assignment', async () => {
  const client = await viewer(hrRole, [south.id, south.id]);
  expect((await me(client)).viewing.entity_ids).toEqual([south.id]);
  expect(await people(client)).toEqual([far.id]);
  expect((await client.get(`/api/employees/${near.id}`)).status).toBe(404);
  expect((await client.get(`/api/employees/${far.id}`)).status).toBe(200);
});

test('the role of managed people reaches those of the administrator’s own position', async () => {
  const office = await make.department({ entity_id: north.id });
  const boss = await make.employee({ department_id: office.id, roles: ['Admin'] });
  const report = await make.employee({ reporting_manager_id: boss.id });
  const client = await as(boss.user_id);
  expect((await start(client, await roleId('Manager'))).status).toBe(200);
  expect((await people(client))?.toSorted((a, b) => a - b)).toEqual([boss.id, report.id]);
  expect((await me(client)).user.employee_id).toBe(boss.id);
});

test('private fields are absent from the answers of a view, and cannot be sorted, filtered or revealed', async () => {
  const reader = await custom(['employees.view']);
  await owner.query('update employees set mobile = $1, date_of_birth = $2 where id = $3', [
    '+49 1',
    '1990-01-01',
    far.id,
  ]);
  const own = await as(admin);
  expect((await own.get(`/api/employees/${far.id}?reveal=private`)).body.data.mobile).toBe('+49 1');
  const client = await viewer(reader.id);
  const record = await client.get(`/api/employees/${far.id}`);
  expect(record.status).toBe(200);
  expect(record.body.data).not.toHaveProperty('mobile');
  const list = await client.get('/api/employees?search=%2B49');
  expect(list.body.data).toEqual([]);
  const refused = await client.get(`/api/employees/${far.id}?reveal=private`);
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      message: `You’re viewing as ${reader.name}. Private details are off. Stop viewing to see them.`,
      explained: true,
    },
  ]);
  expect((await client.get('/api/entities')).status).toBe(403);
});

test('files cannot be downloaded, pictures are shown', async () => {
  const client = await viewer();
  for (const path of [`/employees/${near.id}/pdf`, '/employees/export?format=csv', '/employees/import/sample'])
    expect((await client.get(`/api${path}`)).body).toEqual({
      message: 'You’re viewing as HR. Downloads are off. Stop viewing to download files.',
      explained: true,
    });
  expect((await client.get(`/api/employees/${near.id}/profile-picture`)).status).toBe(404);
});

test('only administrators start a view, and never of Admin or of an unknown role', async () => {
  const count = (await traces()).length;
  const admins = await roleId('Admin');
  expect((await start(await as(hr.user_id), hrRole)).status).toBe(403);
  // the permission without the role, as only a direct change of the database can create it
  const keeper = await custom(['employees.view', 'employees.assign_roles']);
  await owner.query("insert into role_permissions values ($1, 'rbac.manage')", [keeper.id]);
  const kept = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments values ($1, $2)', [kept.user_id, keeper.id]);
  expect((await start(await as(kept.user_id), await roleId('Employee'))).status).toBe(403);
  const client = await as(admin);
  expect((await start(client, admins)).body.errors).toEqual({
    role: ['Admin has every permission. There is nothing to view.'],
  });
  expect((await start(client, 987_654)).status).toBe(404);
  expect((await start(await as(), hrRole)).status).toBe(401);
  expect((await traces()).length).toBe(count);
});

test('a role with more than the administrator has is no view', async () => {
  const wide = await custom(['employees.view', 'audit.view']);
  const { rows } = await owner.query<{ id: number }>("select id from roles where name = 'Admin'");
  const admins = rows[0]?.id;
  await owner.query("delete from role_permissions where role_id = $1 and permission = 'audit.view'", [admins]);
  const client = await as(admin);
  const answer = await start(client, wide.id);
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { role: ['You can only view as a role whose permissions you have yourself.'] },
  ]);
  await owner.query("insert into role_permissions values ($1, 'audit.view')", [admins]);
  expect((await start(client, wide.id)).status).toBe(200);
  // … nor does it become one: the view ends when the role gets more permissions
  await owner.query("delete from role_permissions where role_id = $1 and permission = 'audit.view'", [admins]);
  expect(await me(client)).toMatchObject({ viewing: null, roles: ['Admin'] });
  await owner.query("insert into role_permissions values ($1, 'audit.view')", [admins]);
});

test('companies are checked like those of an assignment', async () => {
  const client = await as(admin);
  const errors = async (role: number, sent: unknown) => (await start(client, role, sent)).body.errors;
  expect(await errors(hrRole, [])).toEqual({ entity_ids: [expect.stringContaining('at least 1 item')] });
  expect(await errors(hrRole, [987_654])).toEqual({ entity_ids: [expect.stringContaining('isn’t available')] });
  expect(await errors(hrRole, 'North')).toEqual({ entity_ids: [expect.stringContaining('must be an array')] });
  expect(await errors(await roleId('Employee'), [north.id])).toEqual({
    entity_ids: [expect.stringContaining('is prohibited')],
  });
  expect((await me(client)).viewing).toBeNull();
});

test('nothing changes in a view, however it is asked for', async () => {
  const client = await viewer();
  const path = `/api/employees/${near.id}`;
  const keyed = { 'idempotency-key': 'view-1' };
  const answers = [
    await client.put(path, changing),
    await client.send('PATCH', path, { body: changing }),
    await client.post(path, { ...changing, _method: 'PUT' }),
    await client.post(`${path}?_method=PUT`, changing),
    await client.post(`${path}?_method=DELETE`),
    await client.post('/api/entities', { name: 'West', code: 'WEST' }, keyed),
    await client.upload(`${path}/profile-picture`, { name: 'a.png', content: 'no picture' }),
    await client.upload('/api/employees/import', { name: 'a.csv', content: 'a' }),
    await client.post('/api/employees/bulk', {}),
    await client.put('/api/profile', { preferences: { density: 'compact' } }),
    await client.post('/api/notifications/read-all'),
    await client.post(`/api/roles/${hrRole}/view`),
    await client.put('/api/profile', changing, { precognition: 'true' }),
  ];
  for (const { status, body } of answers) expect([status, body]).toEqual([403, off('HR')]);
  const { rows } = await owner.query('select last_name from employees where id = $1', [near.id]);
  expect(rows).toEqual([{ last_name: 'Near' }]);
  expect((await owner.query("select 1 from idempotency_keys where key = 'view-1'")).rows).toEqual([]);
  // the same key works after the view ended
  expect((await client.post('/api/role-view', { _method: 'DELETE' })).status).toBe(204);
  expect((await client.post('/api/entities', { name: 'West', code: 'WEST' }, keyed)).status).toBe(201);
});

test('an answer kept under a key is not given again in a view', async () => {
  const client = await as(admin);
  const keyed = { 'idempotency-key': 'kept-1' };
  const sent = { name: 'East', code: 'EAST' };
  expect((await client.post('/api/entities', sent, keyed)).status).toBe(201);
  await start(client, await roleId('Employee'));
  expect((await client.post('/api/entities', sent, keyed)).status).toBe(403);
});

test('other sessions of the administrator go on as before', async () => {
  const beside = await as(admin);
  const client = await viewer(await roleId('Employee'));
  expect((await client.get('/api/entities')).status).toBe(403);
  expect((await beside.get('/api/entities')).status).toBe(200);
  expect((await me(beside)).viewing).toBeNull();
  expect((await beside.put(`/api/entities/${north.id}`, { description: 'Up' })).status).toBe(200);
  expect((await beside.delete('/api/role-view')).status).toBe(204);
  expect((await me(client)).viewing).not.toBeNull();
});

test('a view ends after half an hour, by the clock of the database', async () => {
  const client = await viewer();
  const session = (await me(client)).viewing;
  expect(session).not.toBeNull();
  await owner.query(
    `update session_register set viewing_until = now() + interval '1 second' where viewed_role_id is not null`,
  );
  expect((await client.put(`/api/employees/${near.id}`, {})).status).toBe(403);
  await owner.query(`update session_register set viewing_until = now() where viewed_role_id is not null`);
  expect((await me(client)).viewing).toBeNull();
  expect((await client.put(`/api/employees/${near.id}`, { job_title: 'Baker' })).status).toBe(200);
  expect((await start(client, hrRole)).status).toBe(200);
});

test('a view ends with its session', async () => {
  const client = await viewer();
  const cookies = new Map(client.cookies);
  expect((await client.post('/logout')).status).toBe(200);
  client.cookies.clear();
  for (const [name, value] of cookies) client.cookies.set(name, value);
  expect((await client.get('/api/me')).status).toBe(401);
  expect((await me(await as(admin))).viewing).toBeNull();
});

test('a view follows its role: other permissions, another scope, its end', async () => {
  const role = await custom(['employees.view']);
  const beside = await as(admin);
  const client = await viewer(role.id);
  const elsewhere = await two.as();
  for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
  const both = [client, elsewhere];
  for (const reader of both) expect((await reader.get('/api/entities')).status).toBe(403);
  expect(
    (await beside.put(`/api/roles/${role.id}/permissions`, { permissions: ['employees.view', 'entities.view'] }))
      .status,
  ).toBe(200);
  for (const reader of both) expect((await reader.get('/api/entities')).status).toBe(200);
  expect((await beside.put(`/api/roles/${role.id}`, { scope: 'own' })).status).toBe(200);
  for (const reader of both) expect(await people(reader)).toEqual([]);
  expect((await beside.delete(`/api/roles/${role.id}`)).status).toBe(204);
  for (const reader of both) expect(await me(reader)).toMatchObject({ viewing: null, roles: ['Admin'] });
  expect((await client.delete('/api/role-view')).status).toBe(204);
});

test('a view ends for good when the account loses Admin', async () => {
  const second = await make.employee({ roles: ['Admin', 'Employee'] });
  const client = await as(second.user_id);
  expect((await start(client, hrRole)).status).toBe(200);
  const admins = await roleId('Admin');
  const mine = [second.user_id, admins];
  await owner.query('delete from role_assignments where user_id = $1 and role_id = $2', mine);
  expect(await me(client)).toMatchObject({ viewing: null, roles: ['Employee'] });
  expect((await client.get('/api/entities')).status).toBe(403);
  await owner.query('insert into role_assignments values ($1, $2)', mine);
  expect(await me(client)).toMatchObject({ viewing: null, roles: ['Admin', 'Employee'] });
});
