import { permissionCatalogue, seededGrants } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const admin = await make.admin();
const hr = await make.employee({ roles: ['HR', 'Employee'], entity_id: north.id });
const limited = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }], entity_id: north.id });
for (const roles of [['Employee'], ['Employee']] as const) await make.employee({ roles, entity_id: south.id });
const boss = await make.employee({ roles: ['Manager'], entity_id: south.id });
const auditors = await deps.db
  .insertInto('roles')
  .values({ name: 'Éditeur', description: 'Reads what was changed', scope: 'all' })
  .returning('id')
  .executeTakeFirstOrThrow();
await deps.db
  .insertInto('role_permissions')
  .values([
    { role_id: auditors.id, permission: 'audit.view' },
    { role_id: auditors.id, permission: 'employees.view' },
  ])
  .execute();
const client = await as(hr.user_id);

type Row = Record<string, unknown>;
const names = async (query: string, who = client) =>
  ((await who.get(`/api/roles${query}`)).body.data as Row[]).map(({ name }) => name);

test('users who assign roles list them with counts of holders and permissions', async () => {
  const answer = await client.get('/api/roles');
  expect(answer.status).toBe(200);
  expect(answer.body.meta).toMatchObject({ total: 6, current_page: 1, per_page: 15 });
  expect(answer.body.data.map(({ name }: Row) => name)).toEqual([
    'Admin',
    'Éditeur',
    'Employee',
    'HR',
    'Manager',
    'TeamLead',
  ]);
  expect(answer.body.data[2]).toMatchObject({
    scope: 'own',
    is_system: true,
    users_count: 3,
    permissions_count: seededGrants('Employee').length,
    allowed_actions: [],
  });
  expect(answer.body.data[0]).toMatchObject({ users_count: 1, permissions_count: permissionCatalogue.length });
  expect(answer.body.data[0]).not.toHaveProperty('permissions');
});

test.each([
  ['?is_system=0', ['Éditeur']],
  ['?is_system=1&scope=managed', ['Manager', 'TeamLead']],
  ['?scope=own,managed', ['Employee', 'Manager', 'TeamLead']],
  ['?search=EDITEUR', ['Éditeur']],
  ['?search=changed+what', ['Éditeur']],
  ['?search=changed+nothing', []],
  ['?sort_direction=desc&per_page=2', ['TeamLead', 'Manager']],
  ['?sort_direction=desc&per_page=2&page=2', ['HR', 'Employee']],
  ['?sort_by=users_count&sort_direction=desc&per_page=3', ['Employee', 'HR', 'Admin']],
  ['?sort_by=created_at&sort_direction=desc&per_page=1', ['Éditeur']],
])('roles%s are %j', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

test('the list is sorted and searched by the names that the reader sees', async () => {
  const german = async (query: string) => {
    const { body } = await client.get(`/api/roles${query}`, { 'accept-language': 'de' });
    return (body.data as Row[]).map(({ name }) => name);
  };
  expect(await german('')).toEqual(['Admin', 'Éditeur', 'Manager', 'HR', 'Employee', 'TeamLead']);
  expect(await german('?search=teamleit')).toEqual(['TeamLead']);
  expect(await german('?search=teamlead')).toEqual(['TeamLead']);
  expect(await names('?search=team+lead')).toEqual(['TeamLead']);
  expect(await names('?search=teamleit')).toEqual([]);
});

test.each([
  ['scope=everything', 'scope'],
  ['is_system=perhaps', 'is_system'],
  ['sort_by=description', 'sort_by'],
  ['per_page=0', 'per_page'],
])('a list of roles by %s is refused on %s', async (query, field) => {
  const answer = await client.get(`/api/roles?${query}`);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
});

test('a role is read with the names of its permissions', async () => {
  const answer = await client.get(`/api/roles/${auditors.id}`);
  expect(answer.body).toMatchObject({
    data: {
      name: 'Éditeur',
      is_system: false,
      users_count: 0,
      permissions_count: 2,
      permissions: ['audit.view', 'employees.view'],
    },
    message: 'Operation successful.',
  });
  expect((await client.get('/api/roles/999999')).status).toBe(404);
});

test('HR of one company counts visible holders only', async () => {
  const count = async (who: typeof client, name: string) =>
    ((await who.get('/api/roles')).body.data as Row[]).find((role) => role.name === name)?.users_count;
  const narrow = await as(limited.user_id);
  expect([await count(client, 'Employee'), await count(narrow, 'Employee')]).toEqual([3, 1]);
  expect([await count(client, 'Manager'), await count(narrow, 'Manager')]).toEqual([1, 0]);
  expect([await count(client, 'Admin'), await count(narrow, 'Admin')]).toEqual([1, 0]);
});

test('roles and permissions are visible to users who manage or assign roles only', async () => {
  const whole = await as(admin.user_id);
  const others = [await as(boss.user_id), await as((await make.employee({ entity_id: north.id })).user_id)];
  for (const url of [
    '/api/roles',
    `/api/roles/${auditors.id}`,
    '/api/roles/999999',
    '/api/permissions',
    '/api/permissions/1',
  ]) {
    expect((await whole.get(url)).status).toBe(url.endsWith('999999') ? 404 : 200);
    for (const other of others) expect((await other.get(url)).status).toBe(403);
    expect((await (await as()).get(url)).status).toBe(401);
  }
});

test('the catalogue lists every permission in its order', async () => {
  const answer = await client.get('/api/permissions?per_page=100');
  expect(answer.body.data).toEqual(permissionCatalogue);
  expect(answer.body.meta.total).toBe(permissionCatalogue.length);
});

test('a permission is read alone', async () => {
  const answer = await client.get('/api/permissions/3');
  expect([answer.status, answer.body.data]).toEqual([200, permissionCatalogue[2]]);
  expect((await client.get(`/api/permissions/${permissionCatalogue.length + 1}`)).status).toBe(404);
});

test.each([
  ['?group=audit,rbac', ['audit.view', 'rbac.manage']],
  ['?group=entities&sort_by=name', ['entities.create', 'entities.delete', 'entities.update', 'entities.view']],
  ['?group=entities&sort_by=id&sort_direction=desc&per_page=1', ['entities.delete']],
  ['?sort_by=group&per_page=2', ['announcements.manage', 'audit.view']],
  ['?search=probation+REVERT', ['probation-review.revert']],
  ['?search=view_sens', ['employees.view_sensitive']],
  ['?search=nothing', []],
  ['?per_page=15&page=99', []],
])('permissions%s are %j', async (query, expected) => {
  const answer = await client.get(`/api/permissions${query}`);
  expect(answer.body.data.map(({ name }: Row) => name)).toEqual(expected);
});

test('a group that does not exist is refused', async () => {
  const answer = await client.get('/api/permissions?group=entities,nothing');
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual({ group: ['The selected group is invalid.'] });
});

test('reading roles writes nothing', async () => {
  const traces = async () => (await owner.query('select count(*)::int as n from audit_log')).rows[0];
  const before = await traces();
  await client.get(`/api/roles/${auditors.id}`);
  expect(await traces()).toEqual(before);
});
