import { messages } from '@tenure/contract';
import { say } from '../../http/errors.ts';
import { sentenceOf } from '../../testing/sentences.ts';
import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme' });
const borg = await make.entity({ name: 'Borg' });
const office = await make.department({ entity_id: borg.id });
const desk = await make.department({ entity_id: acme.id });
const hr = await as((await make.employee({ roles: ['HR'], department_id: office.id })).user_id);
const limited = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: office.id })).user_id,
);
const both = [{ role: 'HR', entity_ids: [acme.id, borg.id] }];
const wide = await as((await make.employee({ roles: both, department_id: office.id })).user_id);
const omar = await make.employee({ roles: ['Manager'], department_id: desk.id, first_name: 'Omar', last_name: 'Diaz' });
const ida = await make.employee({ department_id: desk.id, first_name: 'Ida', last_name: 'Berg' });
const idle = await make.employee({ department_id: desk.id, activity_status: 'inactive' });
const gone = await make.employee({ department_id: desk.id });
await owner.query('update employees set deleted_at = now() where id = $1', [gone.id]);
const stranger = await make.employee({ roles: ['Manager'], department_id: office.id });

const fresh = async (fields = {}) => (await make.department({ entity_id: acme.id, ...fields })).id;
const path = (id: number, head?: 'manager' | 'team-lead') => `/api/departments/${id}${head ? `/${head}` : ''}`;
const row = async (id: number) =>
  (await owner.query('select * from departments where id = $1', [id])).rows[0] as unknown;
const selected = (field: string) => ({ [field]: [sentenceOf(say(field, messages.unavailable))] });
const different = 'The manager and the team lead of a department must be two different people.';

async function clerk(...permissions: Permission[]) {
  const { id } = await deps.db
    .insertInto('roles')
    .values({ name: `Clerk ${permissions.length} ${permissions.at(-1)}`, scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = permissions.map((permission) => ({ role_id: id, permission }));
  await deps.db.insertInto('role_permissions').values(rows).execute();
  const person = await make.employee({ roles: [], department_id: office.id });
  await deps.db.insertInto('role_assignments').values({ user_id: person.user_id, role_id: id }).execute();
  return as(person.user_id);
}

test('a manager and a team lead are assigned and cleared, and the log records it', async () => {
  const id = await fresh();
  const assigned = await limited.put(path(id, 'manager'), { employee_id: omar.id, revision: 1 });
  expect([assigned.status, assigned.body.message]).toEqual([200, 'Manager assigned successfully.']);
  expect(assigned.body).not.toHaveProperty('warnings');
  expect(assigned.body.data).toMatchObject({ manager: { id: omar.id, name: 'Omar Diaz' }, revision: 2 });
  const lead = await limited.put(path(id, 'team-lead'), { employee_id: ida.id });
  expect([lead.status, lead.body.message]).toEqual([200, 'Team lead assigned successfully.']);
  expect(lead.body.data.team_lead).toMatchObject({ id: ida.id });
  for (const head of ['manager', 'team-lead'] as const) expect((await limited.delete(path(id, head))).status).toBe(204);
  expect((await hr.get(path(id))).body.data).toMatchObject({ manager: null, team_lead: null, revision: 5 });
  const trail = await deps.db
    .selectFrom('audit_log')
    .select('changes')
    .where('subject_type', '=', 'department')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  expect(trail.map(({ changes }) => changes)).toEqual([
    { manager_id: { from: null, to: omar.id } },
    { team_lead_id: { from: null, to: ida.id } },
    { manager_id: { from: omar.id, to: null } },
    { team_lead_id: { from: ida.id, to: null } },
  ]);
});

test('an existing assignment or an already empty place changes nothing', async () => {
  const id = await fresh({ manager_id: idle.id });
  const before = await row(id);
  expect((await hr.put(path(id, 'manager'), { employee_id: idle.id })).status).toBe(200);
  expect((await hr.put(path(id), { manager_id: idle.id })).status).toBe(200);
  expect((await hr.delete(path(id, 'team-lead'))).status).toBe(204);
  expect(await row(id)).toEqual(before);
});

test('a person without the rights of heads is assigned with a warning', async () => {
  const id = await fresh();
  const { status, body } = await hr.put(path(id, 'team-lead'), { employee_id: ida.id });
  expect([status, body.warnings]).toEqual([
    200,
    ['Ida Berg doesn’t have a role with permission to review KPI evaluations and submit probation reviews.'],
  ]);
  const created = await hr.post('/api/departments', { entity_id: acme.id, name: 'Warned', manager_id: ida.id });
  expect([created.status, created.body.warnings]).toEqual([201, body.warnings]);
  const changed = await hr.put(path(created.body.data.id), { manager_id: omar.id });
  expect([changed.status, changed.body]).toEqual([200, expect.not.objectContaining({ warnings: expect.anything() })]);
  const roles = await deps.db
    .selectFrom('role_assignments')
    .select('role_id')
    .where('user_id', '=', ida.user_id)
    .execute();
  expect(roles).toHaveLength(1);
});

test.each([
  ['inactive', idle.id],
  ['deleted', gone.id],
  ['absent', 999_999],
  ['of another company outside of the scope', stranger.id],
])('a person who is %s cannot head a department', async (_what, employee_id) => {
  const id = await fresh();
  const before = await row(id);
  for (const head of ['manager', 'team-lead'] as const) {
    const { status, body } = await limited.put(path(id, head), { employee_id });
    expect([status, body.errors]).toEqual([422, selected('employee_id')]);
  }
  for (const field of ['manager_id', 'team_lead_id']) {
    const { status, body } = await limited.put(path(id), { [field]: employee_id });
    expect([status, body.errors]).toEqual([422, selected(field)]);
  }
  expect(await row(id)).toEqual(before);
});

test('a person of another company can head a department where the scope covers both companies', async () => {
  const id = await fresh();
  const { status, body } = await wide.put(path(id, 'manager'), { employee_id: stranger.id });
  expect([status, body.data.manager_id]).toEqual([200, stranger.id]);
});

test('manager and team lead are two different persons', async () => {
  const id = await fresh({ manager_id: omar.id });
  const before = await row(id);
  const assigned = await hr.put(path(id, 'team-lead'), { employee_id: omar.id });
  expect([assigned.status, assigned.body.errors]).toEqual([422, { employee_id: [different] }]);
  const changed = await hr.put(path(id), { team_lead_id: omar.id });
  expect([changed.status, changed.body.errors]).toEqual([422, { team_lead_id: [different] }]);
  expect(await row(id)).toEqual(before);
  const heads = { manager_id: omar.id, team_lead_id: omar.id };
  const created = await hr.post('/api/departments', { entity_id: acme.id, name: 'Twice', ...heads });
  expect([created.status, created.body.errors]).toEqual([422, { manager_id: [different], team_lead_id: [different] }]);
  const swapped = await hr.put(path(id), { manager_id: ida.id, team_lead_id: omar.id });
  expect([swapped.status, swapped.body.data]).toMatchObject([200, { manager_id: ida.id, team_lead_id: omar.id }]);
});

test('a stale revision is refused', async () => {
  const id = await fresh();
  const before = await row(id);
  const { status, body } = await hr.put(path(id, 'manager'), { employee_id: omar.id, revision: 9 });
  expect([status, body.revision]).toEqual([422, 1]);
  expect(await row(id)).toEqual(before);
});

test('an assignment without a person is refused', async () => {
  const { status, body } = await hr.put(path(desk.id, 'manager'), {});
  expect([status, body.errors]).toEqual([422, { employee_id: ['The employee field is required.'] }]);
});

test('each place needs a permission of its own, in the form of the department too', async () => {
  const id = await fresh({ manager_id: omar.id });
  const editor = await clerk('departments.view', 'departments.create', 'departments.update');
  const managers = await clerk('departments.view', 'departments.update', 'departments.assign_managers');
  const before = await row(id);
  const refused = [
    await editor.put(path(id), { manager_id: ida.id }),
    await editor.put(path(id), { manager_id: null }),
    await editor.post('/api/departments', { entity_id: acme.id, name: 'Headed', manager_id: omar.id }),
    await editor.put(path(id, 'manager'), { employee_id: ida.id }),
    await managers.put(path(id), { team_lead_id: ida.id }),
    await managers.delete(path(id, 'team-lead')),
  ];
  expect(refused.map(({ status }) => status)).toEqual(Array.from(refused, () => 403));
  expect(await row(id)).toEqual(before);
  expect((await editor.get(path(id))).body.data.allowed_actions).toEqual(['update', 'export']);
  expect((await managers.get(path(id))).body.data.allowed_actions).toEqual(['update', 'manager', 'export']);
  const same = await editor.put(path(id), { manager_id: omar.id, team_lead_id: null, name: 'Renamed' });
  expect([same.status, same.body.data.name]).toEqual([200, 'Renamed']);
  expect((await managers.put(path(id), { manager_id: ida.id })).status).toBe(200);
  const plain = await editor.post('/api/departments', { entity_id: acme.id, name: 'Plain', manager_id: null });
  expect(plain.status).toBe(201);
});

test('a new manager sees the department at the next request, the former one does not', async () => {
  const id = await fresh();
  const former = await make.employee({ roles: ['Manager'], department_id: desk.id });
  const next = await make.employee({ roles: ['Manager'], department_id: desk.id });
  const [one, two] = [await as(former.user_id), await as(next.user_id)];
  await hr.put(path(id, 'manager'), { employee_id: former.id });
  expect([(await one.get(path(id))).status, (await two.get(path(id))).status]).toEqual([200, 404]);
  await hr.put(path(id, 'manager'), { employee_id: next.id });
  expect([(await one.get(path(id))).status, (await two.get(path(id))).status]).toEqual([404, 200]);
});
