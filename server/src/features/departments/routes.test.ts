import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme', code: 'ACME' });
const borg = await make.entity({ name: 'Borg', code: 'BORG' });
const office = await make.department({ entity_id: borg.id, name: 'Office' });
const hana = await make.employee({ roles: ['HR'], department_id: office.id });
const noor = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: office.id });
const hr = await as(hana.user_id);
const limited = await as(noor.user_id);

const stored = async () => (await owner.query('select * from departments order by id')).rows as unknown[];
const auditRows = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'entity_id', 'changes', 'actor_id'])
    .where('subject_type', '=', 'department')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
const add = (fields: object) => hr.post('/api/departments', { entity_id: acme.id, ...fields });
const path = (id: number) => `/api/departments/${id}`;

test('HR adds a department, reads it, changes it and deletes it', async () => {
  const head = await make.department({ entity_id: acme.id, name: 'Operations' });
  const added = await add({ name: ' Purchasing ', code: 'PUR', parent_id: head.id });
  expect([added.status, added.body.message]).toEqual([201, 'Department created successfully.']);
  expect(added.body).not.toHaveProperty('warnings');
  const { data } = added.body;
  expect(data).toMatchObject({
    entity_id: acme.id,
    entity: { id: acme.id, name: 'Acme' },
    name: 'Purchasing',
    code: 'PUR',
    parent_id: head.id,
    parent: { id: head.id, name: 'Operations' },
    status: 'active',
    manager_id: null,
    manager: null,
    team_lead_id: null,
    team_lead: null,
    employees_count: 0,
    children_count: 0,
    revision: 1,
    allowed_actions: ['update', 'delete', 'manager', 'team-lead', 'export'],
  });
  expect((await hr.get(path(data.id))).body).toEqual({ data, message: 'Operation successful.' });
  expect((await hr.get(path(head.id))).body.data).toMatchObject({
    children_count: 1,
    allowed_actions: ['update', 'manager', 'team-lead', 'export'],
  });
  const changed = await hr.put(path(data.id), { name: 'Buying', code: null, parent_id: null, revision: 1 });
  expect([changed.status, changed.body.message]).toEqual([200, 'Department updated successfully.']);
  expect(changed.body.data).toMatchObject({ name: 'Buying', code: null, parent: null, revision: 2 });
  expect((await hr.delete(path(data.id))).status).toBe(204);
  expect((await hr.get(path(data.id))).status).toBe(404);
  const entries = await auditRows(data.id);
  expect(entries.map(({ action, subject_label, entity_id }) => [action, subject_label, entity_id])).toEqual([
    ['department.created', 'Purchasing', acme.id],
    ['department.updated', 'Buying', acme.id],
    ['department.deleted', 'Buying', acme.id],
  ]);
  expect(entries[1]?.changes).toEqual({
    name: { from: 'Purchasing', to: 'Buying' },
    code: { from: 'PUR', to: null },
    parent_id: { from: head.id, to: null },
  });
});

test('a form without changes leaves revision and history unchanged', async () => {
  const { id } = await make.department({ entity_id: acme.id, name: 'Calm', code: 'CALM' });
  const before = await stored();
  const { status } = await hr.put(path(id), { name: 'Calm', code: 'CALM', entity_id: acme.id, parent_id: null });
  expect(status).toBe(200);
  expect([await stored(), await auditRows(id)]).toEqual([before, []]);
});

test('a stale revision is refused with the current one', async () => {
  const { id } = await make.department({ entity_id: acme.id });
  const before = await stored();
  const { status, body } = await hr.put(path(id), { name: 'Other', revision: 4 });
  expect([status, body.status, body.revision, Object.keys(body.errors)]).toEqual([422, 'active', 1, ['status']]);
  expect(await stored()).toEqual(before);
});

test('a name or code is unique within a company, whatever its case', async () => {
  await make.department({ entity_id: acme.id, name: 'Émigré Desk', code: 'ed' });
  const before = await stored();
  const name = await add({ name: 'EMIGRE DESK' });
  expect([name.status, name.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  const code = await add({ name: 'Way', code: 'ED' });
  expect([code.status, code.body.errors]).toEqual([422, { code: ['The code has already been taken.'] }]);
  expect(await stored()).toEqual(before);
  const elsewhere = await hr.post('/api/departments', { entity_id: borg.id, name: 'Émigré Desk', code: 'ed' });
  expect(elsewhere.status).toBe(201);
});

test.each([
  ['no company', { name: 'New', entity_id: null }, 'entity_id', 'The company field is required.'],
  [
    'an absent company',
    { name: 'New', entity_id: 999_999 },
    'entity_id',
    'This company isn’t available. Select another one.',
  ],
  ['no name', {}, 'name', 'The name field is required.'],
  ['a name too long', { name: 'x'.repeat(151) }, 'name', 'The name field must not be greater than 150 characters.'],
  [
    'a code too long',
    { name: 'New', code: 'x'.repeat(21) },
    'code',
    'The code field must not be greater than 20 characters.',
  ],
  ['an unknown status', { name: 'New', status: 'closed' }, 'status', 'The selected status is invalid.'],
  [
    'an absent parent',
    { name: 'New', parent_id: 999_999 },
    'parent_id',
    'This parent department isn’t available. Select another one.',
  ],
  [
    'a parent of another company',
    { name: 'New', parent_id: office.id },
    'parent_id',
    'This parent department isn’t available. Select another one.',
  ],
])('%s is refused', async (_what, fields, field, message) => {
  const before = await stored();
  const { status, body } = await add(fields);
  expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
  expect(await stored()).toEqual(before);
});

/** A chain of departments, each below the previous one. */
async function chain(length: number): Promise<number[]> {
  const ids: number[] = [];
  for (let level = 0; level < length; level += 1)
    ids.push((await make.department({ entity_id: acme.id, parent_id: ids.at(-1) ?? null })).id);
  return ids;
}

test('a department cannot be its own parent or that of an ancestor', async () => {
  const ids = await chain(3);
  const before = await stored();
  for (const parent_id of ids) {
    const { status, body } = await hr.put(path(ids[0] as number), { parent_id });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['parent_id']]);
  }
  expect(await stored()).toEqual(before);
});

test('of two concurrent changes that would close a circle one is refused', async () => {
  const [one, two] = [await make.department({ entity_id: acme.id }), await make.department({ entity_id: acme.id })];
  const answers = await Promise.all([
    hr.put(path(one.id), { parent_id: two.id }),
    hr.put(path(two.id), { parent_id: one.id }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('departments are at most eight levels deep, also when a branch is moved', async () => {
  const [five, three, four] = [await chain(5), await chain(3), await chain(4)];
  const bottom = five.at(-1) as number;
  const before = await stored();
  const deep = await hr.put(path(four[0] as number), { parent_id: bottom });
  expect([deep.status, deep.body.errors]).toEqual([422, { parent_id: ['Departments can be at most 8 levels deep.'] }]);
  expect(await stored()).toEqual(before);
  expect((await hr.put(path(three[0] as number), { parent_id: bottom })).status).toBe(200);
  const ninth = await add({ name: 'Ninth', parent_id: three.at(-1) });
  expect([ninth.status, Object.keys(ninth.body.errors)]).toEqual([422, ['parent_id']]);
});

test('a department becomes inactive only without active people', async () => {
  const { id } = await make.department({ entity_id: acme.id, name: 'Busy' });
  const person = await make.employee({ department_id: id });
  await make.employee({ department_id: id, activity_status: 'inactive' });
  const before = await stored();
  const refused = await hr.put(path(id), { status: 'inactive' });
  expect([refused.status, refused.body.errors]).toEqual([422, { status: ['Busy still has 1 active person.'] }]);
  expect(await stored()).toEqual(before);
  expect((await hr.get(path(id))).body.data.employees_count).toBe(1);
  await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', person.id).execute();
  const done = await hr.put(path(id), { status: 'inactive' });
  expect([done.status, done.body.data.status, done.body.data.employees_count]).toEqual([200, 'inactive', 0]);
});

test('a referenced department is not deleted, and the answer lists its references', async () => {
  const { id } = await make.department({ entity_id: acme.id, name: 'Full' });
  await make.department({ entity_id: acme.id, parent_id: id });
  await make.employee({ department_id: id });
  const gone = await make.employee({ department_id: id });
  await owner.query('update employees set deleted_at = now() where id = $1', [gone.id]);
  await owner.query(
    `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
       employment_type, employment_lifecycle, created_by_name)
     values ($1, '2020-01-01', 'current', '{}', $2, $3, 'full_time', 'confirmed', 'System')`,
    [gone.id, acme.id, id],
  );
  const before = await stored();
  const { status, body } = await hr.delete(path(id));
  expect(status).toBe(422);
  expect(body.errors.department).toEqual([
    'Full can’t be deleted because it still has 2 people, 1 sub-department and 1 job history entry.',
  ]);
  expect([await stored(), await auditRows(id)]).toEqual([before, []]);
});

test('a delete is offered for an unreferenced department, counting deleted people', async () => {
  const { id } = await make.department({ entity_id: acme.id });
  const actions = async () => (await hr.get(path(id))).body.data.allowed_actions as string[];
  expect(await actions()).toContain('delete');
  const gone = await make.employee({ department_id: id });
  await owner.query('update employees set deleted_at = now() where id = $1', [gone.id]);
  expect(await actions()).not.toContain('delete');
  expect((await hr.delete(path(id))).status).toBe(422);
});

test('HR of one company sees and changes the departments of that company only', async () => {
  const { id } = await make.department({ entity_id: acme.id });
  const before = await stored();
  const { body } = await limited.get('/api/departments?per_page=100');
  expect(new Set(body.data.map(({ entity_id }: { entity_id: number }) => entity_id))).toEqual(new Set([acme.id]));
  const answers = [
    await limited.get(path(office.id)),
    await limited.put(path(office.id), { name: 'Mine' }),
    await limited.delete(path(office.id)),
    await limited.put(`${path(office.id)}/manager`, { employee_id: noor.id }),
    await limited.delete(`${path(office.id)}/team-lead`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const there = await limited.post('/api/departments', { entity_id: borg.id, name: 'Mine' });
  expect([there.status, Object.keys(there.body.errors)]).toEqual([422, ['entity_id']]);
  const moved = await limited.put(path(id), { entity_id: borg.id });
  expect([moved.status, moved.body.errors]).toEqual([
    422,
    { entity_id: ['This company isn’t available. Select another one.'] },
  ]);
  expect(await stored()).toEqual(before);
  expect((await limited.put(path(id), { name: 'Ours' })).status).toBe(200);
});

test('managers see their departments with descendants, team leads the one they lead, employees none', async () => {
  const [top, below] = (await chain(2)) as [number, number];
  const boss = await make.employee({ roles: ['Manager'], department_id: office.id });
  const lead = await make.employee({ roles: ['TeamLead'], department_id: office.id });
  await hr.put(path(top), { manager_id: boss.id, team_lead_id: lead.id });
  const [manager, leader, employee] = [
    await as(boss.user_id),
    await as(lead.user_id),
    await as((await make.employee({ department_id: top })).user_id),
  ];
  const seen = async (client: typeof hr) => {
    const { body } = await client.get('/api/departments');
    return body.data.map(({ id }: { id: number }) => id) as number[];
  };
  expect([await seen(manager), await seen(leader)]).toEqual([[top, below], [top]]);
  expect((await manager.get(path(below))).body.data.allowed_actions).toEqual(['export']);
  expect((await leader.get(path(below))).status).toBe(404);
  expect((await manager.get(path(office.id))).status).toBe(404);
  const before = await stored();
  const refused = [
    await employee.get('/api/departments'),
    await employee.get(path(top)),
    await employee.get('/api/departments/export'),
    await manager.put(path(top), { name: 'Mine' }),
    await manager.post('/api/departments', { entity_id: acme.id, name: 'Mine' }),
    await manager.delete(path(below)),
    await manager.put(`${path(top)}/team-lead`, { employee_id: boss.id }),
    await leader.delete(`${path(top)}/manager`),
  ];
  expect(refused.map(({ status }) => status)).toEqual(Array.from(refused, () => 403));
  expect(await stored()).toEqual(before);
  await hr.delete(`${path(top)}/manager`);
  expect(await seen(manager)).toEqual([]);
});

test('a role over managed departments changes those, and can neither add one nor choose a parent beyond them', async () => {
  const role = await deps.db
    .insertInto('roles')
    .values({ name: 'Branch head', scope: 'managed' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const permissions = ['departments.view', 'departments.create', 'departments.update', 'departments.assign_team_leads'];
  await deps.db
    .insertInto('role_permissions')
    .values(permissions.map((permission) => ({ role_id: role.id, permission })))
    .execute();
  const head = await make.employee({ roles: [], department_id: office.id });
  await deps.db.insertInto('role_assignments').values({ user_id: head.user_id, role_id: role.id }).execute();
  const [top, middle, leaf] = (await chain(3)) as [number, number, number];
  await owner.query('update departments set manager_id = $1 where id = $2', [head.id, middle]);
  const client = await as(head.user_id);
  expect((await client.get(path(leaf))).body.data.allowed_actions).toEqual(['update', 'team-lead', 'export']);
  expect((await client.put(path(leaf), { name: 'Leaf' })).status).toBe(200);
  const before = await stored();
  expect((await client.put(path(top), { name: 'Top' })).status).toBe(404);
  const above = await client.put(path(leaf), { parent_id: top });
  expect([above.status, above.body.errors]).toEqual([
    422,
    { parent_id: ['This parent department isn’t available. Select another one.'] },
  ]);
  const added = await client.post('/api/departments', { entity_id: acme.id, name: 'New', parent_id: leaf });
  expect([added.status, Object.keys(added.body.errors)]).toEqual([422, ['entity_id']]);
  expect(await stored()).toEqual(before);
});
