import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { recordStatements } from '../../testing/statements.ts';

const { as, make, deps, owner } = await startApp();
const hana = await make.employee({ roles: ['HR'] });
const hr = await as(hana.user_id);
const path = (id: number) => `/api/departments/${id}`;

/** A company with a top department, two departments below it and people in both, and a target company. */
async function scene() {
  const [from, to] = [await make.entity(), await make.entity()];
  const top = await make.department({ entity_id: from.id });
  const branch = await make.department({ entity_id: from.id, parent_id: top.id, name: 'Branch' });
  const twig = await make.department({ entity_id: from.id, parent_id: branch.id, name: 'Twig' });
  const ada = await make.employee({ department_id: branch.id });
  const ben = await make.employee({ department_id: twig.id, activity_status: 'inactive' });
  const stays = await make.employee({ department_id: top.id });
  return { from, to, top, branch, twig, ada, ben, stays };
}
const everything = async () => {
  const { rows } = await owner.query(
    `select (select json_agg(d order by d.id) from departments d) as departments,
            (select json_agg(json_build_array(id, entity_id, department_id, revision) order by id) from employees) as people,
            (select count(*) from job_history) as history, (select count(*) from audit_log) as trail`,
  );
  return rows[0] as unknown;
};
const places = (...ids: number[]) =>
  deps.db.selectFrom('employees').select(['entity_id', 'department_id']).where('id', 'in', ids).orderBy('id').execute();

async function clerk(entityIds: number[], ...permissions: Permission[]) {
  const { id } = await deps.db
    .insertInto('roles')
    .values({ name: `Clerk ${entityIds.join(' ')} ${permissions.length}`, scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = permissions.map((permission) => ({ role_id: id, permission }));
  await deps.db.insertInto('role_permissions').values(rows).execute();
  const person = await make.employee({ roles: [] });
  await deps.db
    .insertInto('role_assignments')
    .values({ user_id: person.user_id, role_id: id, entity_ids: entityIds })
    .execute();
  return as(person.user_id);
}

test('a department moves with its people and descendants', async () => {
  const { from, to, branch, twig, ada, ben, stays } = await scene();
  const { status, body } = await hr.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ entity: { id: to.id }, parent: null, employees_count: 1, children_count: 1 });
  expect((await hr.get(path(twig.id))).body.data).toMatchObject({ entity_id: to.id, parent_id: branch.id });
  expect(await places(ada.id, ben.id, stays.id)).toEqual([
    { entity_id: to.id, department_id: branch.id },
    { entity_id: to.id, department_id: twig.id },
    { entity_id: from.id, department_id: stays.department_id },
  ]);
  const counts = await Promise.all([from, to].map(({ id }) => hr.get(`/api/entities/${id}`)));
  expect(counts.map(({ body }) => [body.data.departments_count, body.data.employees_count])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('each person who moves gets one history row and one log entry', async () => {
  const { from, to, branch, twig, ada, ben, stays } = await scene();
  await hr.put(path(branch.id), { entity_id: to.id, move_employees: true });
  const history = await deps.db
    .selectFrom('job_history')
    .select(['employee_id', 'status', 'changed_fields', 'entity_id', 'department_id', 'reason', 'created_by'])
    .where('employee_id', 'in', [ada.id, ben.id, stays.id])
    .orderBy('employee_id')
    .execute();
  expect(history).toEqual(
    [ada, ben].map((person) => ({
      employee_id: person.id,
      status: 'current',
      changed_fields: ['entity_id'],
      entity_id: to.id,
      department_id: person.department_id,
      reason: 'Moved with the department Branch',
      created_by: hana.user_id,
    })),
  );
  const trail = await deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_id', 'entity_id', 'changes'])
    .where('entity_id', '=', to.id)
    .orderBy('id')
    .execute();
  const moved = { entity_id: { from: from.id, to: to.id } };
  expect(trail.map(({ action, subject_id }) => [action, subject_id])).toEqual([
    ['department.updated', branch.id],
    ['department.updated', twig.id],
    ['employee.updated', ada.id],
    ['employee.updated', ben.id],
  ]);
  expect(trail[0]?.changes).toEqual({ ...moved, parent_id: { from: expect.any(Number), to: null } });
  for (const { changes } of trail.slice(1)) expect(changes).toEqual(moved);
});

test('without confirmation no person moves', async () => {
  const { to, branch } = await scene();
  const before = await everything();
  for (const body of [{ entity_id: to.id }, { entity_id: to.id, move_employees: false }]) {
    const answer = await hr.put(path(branch.id), body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { move_employees: ['Moving Branch would also move 2 people and 1 department.'] },
    ]);
  }
  expect(await everything()).toEqual(before);
});

test('an empty department moves without confirmation, below a department of the other company if given', async () => {
  const { to, top, from } = await scene();
  const there = await make.department({ entity_id: to.id });
  const empty = await make.department({ entity_id: from.id, parent_id: top.id });
  const wrong = await hr.put(path(empty.id), { entity_id: to.id, parent_id: empty.id });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['parent_id']]);
  const moved = await hr.put(path(empty.id), { entity_id: to.id, parent_id: top.id });
  expect([moved.status, moved.body.data.entity_id, moved.body.data.parent_id]).toEqual([200, to.id, null]);
  const back = await hr.put(path(empty.id), { entity_id: from.id, parent_id: top.id });
  expect([back.status, back.body.data.parent_id]).toEqual([200, top.id]);
  const below = await hr.put(path(empty.id), { entity_id: to.id, parent_id: there.id });
  expect([below.status, below.body.data.parent_id]).toEqual([200, there.id]);
});

test('no department moves to an inactive company', async () => {
  const { to, branch } = await scene();
  await deps.db.updateTable('entities').set({ status: 'inactive' }).where('id', '=', to.id).execute();
  const before = await everything();
  const { status, body } = await hr.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['entity_id']]);
  expect(await everything()).toEqual(before);
});

test('a name or code taken in the other company refuses the move', async () => {
  const { to, branch } = await scene();
  const twin = await make.department({ entity_id: to.id, name: 'TWIG' });
  const before = await everything();
  const below = await hr.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect([below.status, below.body.errors]).toEqual([
    422,
    { entity_id: ['The selected company already has a department with the name or code of Twig.'] },
  ]);
  expect(await everything()).toEqual(before);
  await deps.db.updateTable('departments').set({ name: 'BRANCH' }).where('id', '=', twin.id).execute();
  const own = await hr.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect([own.status, own.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  const renamed = await hr.put(path(branch.id), { entity_id: to.id, move_employees: true, name: 'Branch 2' });
  expect(renamed.status).toBe(200);
});

test('a user without permission to change people moves no department with members', async () => {
  const { from, to, branch, top } = await scene();
  const editor = await clerk([from.id, to.id], 'departments.view', 'departments.update');
  const before = await everything();
  expect((await editor.put(path(branch.id), { entity_id: to.id, move_employees: true })).status).toBe(403);
  expect(await everything()).toEqual(before);
  const empty = await make.department({ entity_id: from.id, parent_id: top.id });
  expect((await editor.put(path(empty.id), { entity_id: to.id })).status).toBe(200);
});

test('a scope with one of the two companies moves no person', async () => {
  const { from, to, branch } = await scene();
  const here = await clerk([from.id], 'departments.view', 'departments.update', 'employees.update');
  const there = await clerk([to.id], 'departments.view', 'departments.update', 'employees.update');
  const before = await everything();
  const leaving = await here.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect([leaving.status, Object.keys(leaving.body.errors)]).toEqual([422, ['entity_id']]);
  expect((await there.put(path(branch.id), { entity_id: to.id, move_employees: true })).status).toBe(404);
  expect(await everything()).toEqual(before);
});

test('rights over departments of both companies and people of one are not enough', async () => {
  const { from, to, branch } = await scene();
  const clerkOfBoth = await clerk([from.id, to.id], 'departments.view', 'departments.update');
  const role = await deps.db
    .insertInto('roles')
    .values({ name: `People of ${from.id}`, scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await deps.db.insertInto('role_permissions').values({ role_id: role.id, permission: 'employees.update' }).execute();
  const { body: me } = await clerkOfBoth.get('/api/me');
  await deps.db
    .insertInto('role_assignments')
    .values({ user_id: me.data.user.id as number, role_id: role.id, entity_ids: [from.id] })
    .execute();
  const before = await everything();
  const { status, body } = await clerkOfBoth.put(path(branch.id), { entity_id: to.id, move_employees: true });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['entity_id']]);
  expect(await everything()).toEqual(before);
});

test('a move takes as many statements for many people and departments as for one each', async () => {
  const sent = recordStatements(deps.pool);
  const cost = async (size: number) => {
    const { from, to } = await scene();
    const department = await make.department({ entity_id: from.id });
    const ids: number[] = [];
    for (let n = 0; n < size; n += 1) {
      const child = await make.department({ entity_id: from.id, parent_id: department.id });
      ids.push((await make.employee({ department_id: child.id })).id);
    }
    sent();
    const answer = await hr.put(path(department.id), { entity_id: to.id, move_employees: true });
    const statements = sent();
    expect(answer.status).toBe(200);
    expect((await places(...ids)).map(({ entity_id }) => entity_id)).toEqual(ids.map(() => to.id));
    return statements.length;
  };
  await cost(1);
  expect(await cost(1)).toBe(await cost(12));
});

test('a person added during the move of the department moves along or is refused', async () => {
  const { from, to, branch } = await scene();
  const newcomers = Array.from({ length: 4 }, (_, n) => ({
    email: `newcomer${n}@example.com`,
    first_name: 'New',
    last_name: `Comer${n}`,
    entity_id: from.id,
    department_id: branch.id,
  }));
  const [moved, ...added] = await Promise.all([
    hr.put(path(branch.id), { entity_id: to.id, move_employees: true }),
    ...newcomers.map((fields) => hr.post('/api/employees', fields)),
  ]);
  expect(moved.status).toBe(200);
  for (const { status, body } of added)
    expect(status === 201 || Object.keys(body.errors).join() === 'department_id').toBe(true);
  const ids = added.flatMap(({ status, body }) => (status === 201 ? [body.data.id as number] : []));
  expect(await places(...ids, 0)).toEqual(ids.map(() => ({ entity_id: to.id, department_id: branch.id })));
  const current = await deps.db
    .selectFrom('job_history')
    .select('entity_id')
    .where('employee_id', 'in', [...ids, 0])
    .where('status', '=', 'current')
    .execute();
  expect(current).toEqual(ids.map(() => ({ entity_id: to.id })));
});
