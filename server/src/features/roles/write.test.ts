import { permissionCatalogue, permissionNames, seededGrants, seededRoles } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const one = await startApp();
const two = await startApp({}, { beside: one });
const { as, make, deps, owner, logged } = one;
const north = await make.entity({ name: 'North' });
const admin = await as((await make.admin()).user_id);
const hr = await as((await make.employee({ roles: ['HR'], entity_id: north.id })).user_id);

const roleIds = async () =>
  Object.fromEntries(
    (await deps.db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
  );
const seeded = (await roleIds()) as Record<string, number>;
const stored = async () =>
  (
    await owner.query(`select r.*, array(select permission from role_permissions where role_id = r.id order by 1) as held
                       from roles r order by id`)
  ).rows as unknown[];
const traces = async () => (await owner.query<{ n: number }>('select count(*)::int as n from audit_log')).rows[0]?.n;
const everything = async () => [await stored(), await traces()];
let serial = 0;
const draft = (fields: object = {}) => ({
  name: `Auditor ${(serial += 1)}00`,
  scope: 'all',
  permissions: ['audit.view', 'employees.view'],
  ...fields,
});
const created = async (fields: object = {}) => {
  const answer = await admin.post('/api/roles', draft(fields));
  expect(answer.body.message).toBe('Role created successfully.');
  return answer.body.data as { id: number; name: string; revision: number };
};
const give = (userId: number, roleId: number, entity_ids: number[] | null = null) =>
  deps.db.insertInto('role_assignments').values({ user_id: userId, role_id: roleId, entity_ids }).execute();
const auditRows = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'changes', 'entity_id'])
    .where('subject_type', '=', 'role')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

test('a role is created, renamed, given other permissions and deleted, and each change is recorded', async () => {
  const answer = await admin.post('/api/roles', {
    name: ' Data   steward ',
    description: 'Keeps records tidy',
    scope: 'managed',
    permissions: ['employees.view', 'audit.view', 'audit.view'],
  });
  expect(answer.status).toBe(201);
  const { data } = answer.body;
  expect(data).toMatchObject({
    name: 'Data steward',
    description: 'Keeps records tidy',
    scope: 'managed',
    is_system: false,
    users_count: 0,
    permissions_count: 2,
    permissions: ['audit.view', 'employees.view'],
    revision: 1,
    allowed_actions: ['update', 'permissions', 'delete'],
  });
  const path = `/api/roles/${data.id}`;
  const renamed = await admin.put(path, { name: 'Record steward', description: null, revision: 1 });
  expect([renamed.status, renamed.body.message]).toEqual([200, 'Role updated successfully.']);
  expect(renamed.body.data).toMatchObject({ name: 'Record steward', description: null, scope: 'managed', revision: 2 });
  const changed = await admin.put(`${path}/permissions`, {
    permissions: ['employees.update', 'employees.view'],
    revision: 2,
  });
  expect([changed.status, changed.body.message]).toEqual([200, 'Permissions updated successfully.']);
  expect(changed.body.data).toMatchObject({ permissions: ['employees.update', 'employees.view'], revision: 3 });
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.get(path)).status).toBe(404);
  const rows = await auditRows(data.id);
  expect(rows.map(({ action }) => action)).toEqual([
    'role.created',
    'role.updated',
    'role.permissions_changed',
    'role.deleted',
  ]);
  expect(rows[1]?.changes).toEqual({
    name: { from: 'Data steward', to: 'Record steward' },
    description: { from: 'Keeps records tidy', to: null },
  });
  expect(rows[2]?.changes).toEqual({
    permissions: { from: ['employees.view', 'audit.view'], to: ['employees.view', 'employees.update'] },
  });
  expect(rows[3]?.changes).toMatchObject({ permissions: { from: ['employees.view', 'employees.update'], to: null } });
  expect(logged.filter((line) => line.includes('"role_changed"'))).toHaveLength(4);
});

test('a change without effect writes nothing and keeps the revision', async () => {
  const { id, name } = await created();
  const before = await everything();
  expect((await admin.put(`/api/roles/${id}`, { name, scope: 'all' })).body.data.revision).toBe(1);
  const same = await admin.put(`/api/roles/${id}/permissions`, { permissions: ['employees.view', 'audit.view'] });
  expect(same.body.data.revision).toBe(1);
  expect(await everything()).toEqual(before);
});

test.each([
  [{ name: 'Аdmin' }, { name: ['The name is too similar to the system role Admin.'] }],
  [{ name: 'team-lead' }, { name: ['The name is too similar to the system role Team lead.'] }],
  [{ name: 'x' }, { name: ['The name field must be at least 2 characters.'] }],
  [{ name: 'Aud\u202eitor' }, { name: ['The name field format is invalid.'] }],
  [{ scope: 'everywhere' }, { scope: ['The selected scope is invalid.'] }],
  [{ permissions: ['audit.view', 'audit.burn'] }, { 'permissions.1': ['The selected permission 2 is invalid.'] }],
  [
    { permissions: ['audit.view', 'rbac.manage'] },
    { permissions: ['Only the Admin role can have the permission rbac.manage.'] },
  ],
  [
    { permissions: ['kpi-cycle.view', 'kpi-cycle.reopen', 'entities.create'] },
    {
      permissions: [
        'Only the Admin role can have the permission kpi-cycle.reopen.',
        'The permission entities.create also requires entities.view.',
      ],
    },
  ],
])('a role with %j is refused', async (fields, errors) => {
  const before = await everything();
  const answer = await admin.post('/api/roles', draft(fields));
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  expect(await everything()).toEqual(before);
});

test('a name is unique whatever its case and accents', async () => {
  await created({ name: 'Éditeur' });
  const answer = await admin.post('/api/roles', draft({ name: 'EDITEUR' }));
  expect([answer.status, answer.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
});

test('a permission of a group without a view permission needs none', async () => {
  const { id } = await created({ permissions: ['dashboard.view_all', 'notification-settings.manage'] });
  expect((await admin.put(`/api/roles/${id}/permissions`, { permissions: [] })).body.data.permissions).toEqual([]);
});

test.each(seededRoles)('%s keeps its name and its scope and is never deleted', async (name) => {
  const id = seeded[name];
  const before = await everything();
  const { data } = (await admin.get(`/api/roles/${id}`)).body;
  const renamed = await admin.put(`/api/roles/${id}`, {
    name: 'Somebody else',
    scope: data.scope === 'own' ? 'all' : 'own',
  });
  expect([renamed.status, Object.keys(renamed.body.errors)]).toEqual([422, ['name', 'scope']]);
  // sending a stored value is not a change
  const same = await admin.put(`/api/roles/${id}`, { name, scope: data.scope, description: data.description });
  expect(same.status).toBe(200);
  const deleted = await admin.delete(`/api/roles/${id}`);
  expect([deleted.status, deleted.body.errors]).toEqual([
    422,
    { role: [`The system role ${name === 'TeamLead' ? 'Team lead' : name} can’t be deleted.`] },
  ]);
  expect(await everything()).toEqual(before);
});

test('Admin cannot change; the other built-in roles get descriptions and permissions', async () => {
  const before = await everything();
  const admins = `/api/roles/${seeded['Admin']}`;
  expect((await admin.get(admins)).body.data.allowed_actions).toEqual([]);
  const described = await admin.put(admins, { description: 'Gods' });
  expect(Object.keys(described.body.errors)).toEqual(['description']);
  const fewer = await admin.put(`${admins}/permissions`, { permissions: permissionNames.slice(1) });
  expect([fewer.status, Object.keys(fewer.body.errors)]).toEqual([422, ['permissions']]);
  expect((await admin.put(`${admins}/permissions`, { permissions: permissionNames })).status).toBe(200);
  expect(await everything()).toEqual(before);
  const leads = `/api/roles/${seeded['TeamLead']}`;
  expect((await admin.get(leads)).body.data.allowed_actions).toEqual(['update', 'permissions']);
  expect((await admin.put(leads, { description: 'Leads a few people' })).status).toBe(200);
  const more = await admin.put(`${leads}/permissions`, { permissions: [...seededGrants('TeamLead'), 'audit.view'] });
  expect(more.body.data.permissions).toContain('audit.view');
  const reserved = await admin.put(`${leads}/permissions`, { permissions: ['rbac.manage'] });
  expect(reserved.body.errors).toEqual({ permissions: ['Only the Admin role can have the permission rbac.manage.'] });
});

test('a stale revision is refused with the current one', async () => {
  const { id } = await created();
  const put = (permissions: string[]) => admin.put(`/api/roles/${id}/permissions`, { permissions, revision: 1 });
  const [left, right] = await Promise.all([put(['audit.view']), put(['employees.view'])]);
  expect(Math.min(left.status, right.status)).toBe(200);
  expect(Math.max(left.status, right.status)).toBe(422);
  const lost = left.status === 422 ? left : right;
  expect(lost.body).toMatchObject({
    status: 'custom',
    revision: 2,
    errors: { status: [expect.stringContaining('in the meantime')] },
  });
  const before = await everything();
  expect((await admin.put(`/api/roles/${id}`, { name: 'Late', revision: 1 })).body.revision).toBe(2);
  expect(await everything()).toEqual(before);
});

test('a role with holders is not deleted, and the refusal counts them', async () => {
  const { id, name } = await created();
  for (let n = 0; n < 2; n += 1) await give((await make.employee()).user_id, id);
  await give((await make.employee({ activity_status: 'inactive', deleted_at: '2026-01-01T00:00:00Z' })).user_id, id);
  const before = await everything();
  expect((await admin.get(`/api/roles/${id}`)).body.data).toMatchObject({
    users_count: 3,
    allowed_actions: ['update', 'permissions'],
  });
  const answer = await admin.delete(`/api/roles/${id}`);
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { role: [`You can’t delete ${name} yet. Still assigned to: 2 people and 1 deleted person.`] },
  ]);
  expect(await everything()).toEqual(before);
});

test('a role that a rule gives to a group is not deleted, and the rule stays', async () => {
  const { id, name } = await created();
  const { body } = await admin.post('/api/scim-connections', { name: 'Directory' });
  const url = `/api/scim-connections/${body.data.id}/role-rules`;
  expect((await admin.put(url, { rules: [{ value: 'audit', role_id: id }] })).status).toBe(200);
  expect((await admin.get(`/api/roles/${id}`)).body.data.allowed_actions).toEqual(['update', 'permissions']);
  const { status, body: refused } = await admin.delete(`/api/roles/${id}`);
  expect([status, refused.errors]).toEqual([
    422,
    { role: [`You can’t delete ${name} yet. Still assigned to: 1 group of an identity provider.`] },
  ]);
  expect((await admin.get(url)).body.data.rules).toMatchObject([{ value: 'audit', role: { id } }]);
  expect((await admin.put(url, { rules: [] })).status).toBe(200);
  expect((await admin.delete(`/api/roles/${id}`)).status).toBe(204);
});

test('of an assignment and a simultaneous delete of a role one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await created();
    const person = await make.employee({ entity_id: north.id });
    const [given, deleted] = await Promise.all([
      admin.put(`/api/employees/${person.id}/roles`, { assignments: [{ role_id: id }] }),
      admin.delete(`/api/roles/${id}`),
    ]);
    expect([given.status, deleted.status].filter((status) => status < 300)).toHaveLength(1);
    expect([given.status, deleted.status]).toContain(422);
  }
});

test('only an administrator changes roles, even where another role has the permission', async () => {
  const { id } = await created();
  await deps.db.insertInto('role_permissions').values({ role_id: id, permission: 'rbac.manage' }).execute();
  const schemer = await make.employee({ roles: [], entity_id: north.id });
  await give(schemer.user_id, id);
  const client = await as(schemer.user_id);
  const before = await everything();
  for (const who of [hr, client]) {
    const tries = [
      await who.post('/api/roles', draft()),
      await who.put(`/api/roles/${id}`, { scope: 'all' }),
      await who.put(`/api/roles/${id}/permissions`, { permissions: permissionNames }),
      await who.delete(`/api/roles/${id}`),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
  expect(await everything()).toEqual(before);
  expect((await client.get('/api/roles')).body.data[0].allowed_actions).toEqual([]);
});

test('a changed role takes effect at the next request of its holder, also on another node', async () => {
  const { id } = await created({ scope: 'all', permissions: ['employees.view'] });
  const person = await make.employee({ roles: ['Employee'], entity_id: north.id });
  await give(person.user_id, id);
  const signIn = async () => [await as(person.user_id), await two.as(person.user_id)];
  let clients = await signIn();
  const sees = () => Promise.all(clients.map(async (client) => (await client.get('/api/audit-log')).status));
  const reaches = () =>
    Promise.all(clients.map(async (client) => (await client.get('/api/employees')).body.meta.total > 1));
  const permissions = (names: string[]) => admin.put(`/api/roles/${id}/permissions`, { permissions: names });
  expect([await sees(), await reaches()]).toEqual([
    [403, 403],
    [true, true],
  ]);
  await permissions(['employees.view', 'audit.view']);
  // a session never gains rights
  expect(await sees()).toEqual([401, 401]);
  clients = await signIn();
  expect(await sees()).toEqual([200, 200]);
  const me = await clients[1]?.get('/api/me');
  expect(me?.body.data.permissions).toContain('audit.view');
  await permissions(['employees.view']);
  expect(await sees()).toEqual([403, 403]);
  await admin.put(`/api/roles/${id}`, { scope: 'own' });
  expect(await reaches()).toEqual([false, false]);
  expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments: [] })).status).toBe(200);
  expect((await clients[1]?.get('/api/me'))?.body.data.roles).toEqual(['Employee']);
});

test('the impact of a change counts holders without an equal scope through another role', async () => {
  const { id } = await created({ scope: 'managed', permissions: ['employees.view', 'audit.view'] });
  const [plain, manager, limited] = [
    await make.employee({ roles: ['Employee'] }),
    await make.employee({ roles: ['Manager'] }),
    await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }] }),
  ];
  for (const { user_id } of [plain, manager, limited]) await give(user_id, id);
  const impact = async (query: string) => (await admin.get(`/api/roles/${id}/impact?${query}`)).body.data;
  expect(await impact('gives=departments.view,audit.view&takes=employees.view,audit.view,entities.view')).toEqual({
    holders: 3,
    // Manager covers managed people without limits; HR of one company covers fewer people
    gains: [
      { permission: 'departments.view', people: 2 },
      { permission: 'audit.view', people: 0 },
    ],
    losses: [
      { permission: 'entities.view', people: 0 },
      { permission: 'employees.view', people: 2 },
      { permission: 'audit.view', people: 3 },
    ],
    gaining: 2,
    losing: 3,
  });
  expect(await impact('')).toEqual({ holders: 3, gains: [], losses: [], gaining: 0, losing: 0 });
  expect((await hr.get(`/api/roles/${id}/impact`)).status).toBe(403);
});

test('the matrix has every role with its permissions, the built-in ones first', async () => {
  const { roles } = (await admin.get('/api/roles/matrix')).body.data;
  expect(roles.slice(0, 5).map(({ name }: { name: string }) => name)).toEqual([...seededRoles]);
  expect(roles[0].permissions).toHaveLength(permissionCatalogue.length);
  const same = (await admin.get(`/api/roles/${roles[3].id}`)).body.data;
  expect(roles[3]).toEqual(same);
});
