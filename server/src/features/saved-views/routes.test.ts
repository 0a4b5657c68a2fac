import { maxSavedViews } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

const { as, make, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });

const north = await make.entity({ name: 'North' });
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const hrPerson = await make.employee({ department_id: buying.id, roles: ['HR'], last_name: 'Ito' });
const boss = await make.employee({ department_id: buying.id, roles: ['Manager'], last_name: 'Diaz' });
const report = await make.employee({
  department_id: buying.id,
  last_name: 'Park',
  reporting_manager_id: boss.id,
  employment_type: 'intern',
  joining_date: '2026-02-02',
});
const stranger = await make.employee({ last_name: 'Lone', employment_type: 'intern' });
const [hr, manager, employee] = [await as(hrPerson.user_id), await as(boss.user_id), await as(report.user_id)];

type View = { id: number; revision: number; query: Record<string, string> } & Record<string, unknown>;
async function save(client: Client, fields: object): Promise<View> {
  const answer = await client.post('/api/saved-views', { resource: 'employees', ...fields });
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body.data;
}
const names = async (client: Client, query = '') =>
  ((await client.get(`/api/saved-views?per_page=100&${query}`)).body.data as { name: string }[]).map(
    ({ name }) => name,
  );
const stored = async () => (await owner.query('select * from saved_views order by id')).rows;

/** The people that a client finds with a view. */
async function people(client: Client, { query }: View) {
  const answer = await client.get(`/api/employees?${new URLSearchParams(query).toString()}`);
  return [answer.status, answer.body.data?.map(({ last_name }: { last_name: string }) => last_name)];
}

test('a user saves views of lists, changes and deletes them', async () => {
  const mine = await save(employee, {
    name: ' Team ',
    query: { department_id: buying.id, search: 'park', activity_status: 'active', per_page: 50 },
    columns: ['name', 'email'],
    density: 'compact',
  });
  expect(mine).toMatchObject({
    name: 'Team',
    query: { department_id: String(buying.id), search: 'park', activity_status: 'active', per_page: '50' },
    left_out: [],
    columns: ['name', 'email'],
    density: 'compact',
    is_shared: false,
    is_default: false,
    is_own: true,
    allowed_actions: ['update', 'delete'],
  });
  const path = `/api/saved-views/${mine.id}`;
  const changed = await employee.put(path, { name: 'My team', columns: null, revision: mine.revision });
  expect(changed.body.data).toMatchObject({ name: 'My team', columns: null, density: 'compact', query: mine.query });
  const stale = await employee.put(path, { name: 'Late', revision: mine.revision });
  expect([stale.status, Object.keys(stale.body.errors)]).toEqual([422, ['status']]);
  expect((await employee.get(path)).body.data.name).toBe('My team');
  expect((await employee.delete(path)).status).toBe(204);
  expect((await employee.get(path)).status).toBe(404);
  const { rows } = await owner.query(
    `select action from audit_log where subject_type = 'saved_view' and subject_id = $1 order by id`,
    [mine.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['saved_view.created', 'saved_view.updated', 'saved_view.deleted']);
});

test.each([
  [{ query: { nonsense: 'x' } }, 'query.nonsense'],
  [{ query: { page: '2' } }, 'query.page'],
  [{ query: { department_id: 'abc' } }, 'query.department_id'],
  [{ query: { activity_status: 'asleep' } }, 'query.activity_status'],
  [{ query: { sort_by: 'salary' } }, 'query.sort_by'],
  [{ query: { joined_from: '2026-02-30' } }, 'query.joined_from'],
  [{ query: { per_page: 101 } }, 'query.per_page'],
  [{ query: 'department_id=1' }, 'query'],
  [{ resource: 'salaries' }, 'resource'],
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ columns: ['a', 'a'] }, 'columns'],
  [{ columns: ['<script>'] }, 'columns.0'],
  [{ density: 'tiny' }, 'density'],
])('%j is refused on %s and nothing is saved', async (fields, field) => {
  const before = await stored();
  const answer = await hr.post('/api/saved-views', { resource: 'employees', name: 'Refused', ...fields });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  expect(await stored()).toEqual(before);
});

test('every list validates its own filters', async () => {
  const view = {
    resource: 'departments',
    name: 'No manager',
    query: { manager_id: '0', sort_by: 'employees_count' },
  };
  expect((await manager.post('/api/saved-views', view)).status).toBe(201);
  expect((await manager.post('/api/saved-views', { ...view, name: 'x', resource: 'employees' })).status).toBe(422);
  expect((await employee.post('/api/saved-views', { ...view, name: 'x' })).body.errors).toEqual({
    resource: ['The selected resource is invalid.'],
  });
});

test('a name is unique per person and list, whatever its case and accents', async () => {
  await save(hr, { name: 'Überblick' });
  const again = await hr.post('/api/saved-views', { resource: 'employees', name: 'uberblick' });
  expect([again.status, again.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  await save(manager, { name: 'Überblick' });
  await save(hr, { name: 'Überblick', resource: 'departments' });
});

test('one view of a list is the default', async () => {
  const first = await save(hr, { name: 'First', is_default: true });
  const second = await save(hr, { name: 'Second', is_default: true });
  const other = await save(hr, { name: 'Other list', resource: 'entities', is_default: true });
  const defaults = async () =>
    ((await hr.get('/api/saved-views?own=1&per_page=100')).body.data as View[])
      .filter(({ is_default }) => is_default)
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  expect(await defaults()).toEqual([second.id, other.id].sort((a, b) => a - b));
  await hr.put(`/api/saved-views/${first.id}`, { is_default: true });
  expect(await defaults()).toEqual([first.id, other.id].sort((a, b) => a - b));
  const both = [first, second].map(({ id }) => hr.put(`/api/saved-views/${id}`, { is_default: true }));
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await defaults()).toHaveLength(2);
});

test('a shared view is visible to others and changed by its owner only; a private one is hidden', async () => {
  const shared = await save(hr, { name: 'Shared', is_shared: true, is_default: true });
  const secret = await save(hr, { name: 'Secret' });
  expect(await names(manager, 'own=0')).toEqual(['Shared']);
  const before = await stored();
  const seen = (await manager.get(`/api/saved-views/${shared.id}`)).body.data;
  expect(seen).toMatchObject({
    is_own: false,
    is_default: false,
    allowed_actions: [],
    owner: { user_id: hrPerson.user_id },
  });
  const statuses = async (id: number) => [
    (await manager.get(`/api/saved-views/${id}`)).status,
    (await manager.put(`/api/saved-views/${id}`, { name: 'Mine now' })).status,
    (await manager.delete(`/api/saved-views/${id}`)).status,
  ];
  expect(await statuses(shared.id)).toEqual([200, 403, 403]);
  expect(await statuses(secret.id)).toEqual([404, 404, 404]);
  expect(await stored()).toEqual(before);
  const admin = await as((await make.admin()).user_id);
  expect((await admin.get(`/api/saved-views/${secret.id}`)).status).toBe(404);
  expect((await admin.put(`/api/saved-views/${shared.id}`, { name: 'Mine now' })).status).toBe(403);
  expect((await admin.delete(`/api/saved-views/${shared.id}`)).status).toBe(204);
});

test('a view contains no data: each reader gets what the list shows them', async () => {
  const everybody = await save(hr, { name: 'Everybody', is_shared: true, query: { sort_by: 'last_name' } });
  expect(await people(hr, everybody)).toEqual([200, ['Diaz', 'Ito', 'Lone', 'Park']]);
  const read = async (client: Client, { id }: View) => (await client.get(`/api/saved-views/${id}`)).body.data as View;
  expect(await people(manager, await read(manager, everybody))).toEqual([200, ['Diaz', 'Park']]);
  expect(await people(employee, await read(employee, everybody))).toEqual([200, ['Park']]);
});

test('a filter and an order by hidden values find and reveal nothing', async () => {
  const viewAll = await owner.query(`insert into roles (name, scope) values ('Directory', 'own') returning id`);
  await owner.query(
    `insert into role_permissions (role_id, permission) values ($1, 'employees.view'), ($1, 'employees.view_all')`,
    [viewAll.rows[0].id],
  );
  const reader = await as((await make.employee({ last_name: 'Reader', roles: ['Directory' as 'HR'] })).user_id);
  const interns = await save(hr, {
    name: 'Interns',
    is_shared: true,
    query: { employment_type: 'intern', sort_by: 'joining_date', sort_direction: 'desc' },
  });
  expect(await people(hr, interns)).toEqual([200, ['Park', 'Lone']]);
  const seen = (await reader.get(`/api/saved-views/${interns.id}`)).body.data as View;
  expect(seen.query).toEqual(interns.query);
  expect(await people(reader, seen)).toEqual([200, []]);
  expect((await reader.get('/api/employees?per_page=100')).body.meta.total).toBe(5);
});

test('a parameter the list refuses to a reader is omitted for them, with its name', async () => {
  await owner.query('update employees set deleted_at = now() where id = $1', [stranger.id]);
  const deleted = await save(hr, { name: 'Deleted', is_shared: true, query: { deleted: true, department_id: 0 } });
  expect(deleted).toMatchObject({ query: { deleted: 'true', department_id: '0' }, left_out: [] });
  const seen = (await manager.get(`/api/saved-views/${deleted.id}`)).body.data as View;
  expect(seen).toMatchObject({ query: { department_id: '0' }, left_out: ['deleted'] });
  expect((await people(manager, seen))[0]).toBe(200);
  expect((await people(manager, deleted))[0]).toBe(403);
});

test('views of a list that a reader cannot call are hidden', async () => {
  await save(hr, { resource: 'audit-log', name: 'Who looked', is_shared: true });
  expect(await names(hr, 'resource=audit-log')).toEqual(['Who looked']);
  expect(await names(employee, 'resource=audit-log')).toEqual([]);
});

test('the number of views per person is limited', async () => {
  const person = await make.employee();
  await owner.query(
    `insert into saved_views (owner_id, resource, name) select $1, 'employees', 'View ' || n from generate_series(1, $2) n`,
    [person.user_id, maxSavedViews - 1],
  );
  const client = await as(person.user_id);
  const tries = await Promise.all(
    ['a', 'b', 'c'].map((name) => client.post('/api/saved-views', { resource: 'employees', name })),
  );
  expect(tries.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 422, 422]);
  const { rows } = await owner.query('select count(*)::int as n from saved_views where owner_id = $1', [
    person.user_id,
  ]);
  expect(rows[0]).toEqual({ n: maxSavedViews });
});

test('a shared view of an account without a person does not name its address', async () => {
  const chief = await make.admin();
  const admin = await as(chief.user_id);
  const { id } = await save(admin, { name: 'Of the chief', is_shared: true });
  const { body } = await employee.get(`/api/saved-views/${id}`);
  expect(body.data.owner).toEqual({ user_id: chief.user_id, name: null });
  const { body: list } = await employee.get('/api/saved-views?per_page=100');
  expect(list.data.find((one: View) => one.id === id).owner).toEqual(body.data.owner);
  expect(JSON.stringify([body, list])).not.toContain(chief.email);
});
