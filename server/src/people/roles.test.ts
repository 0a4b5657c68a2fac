import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity();
const beta = await make.entity();
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
const admin = await as((await make.admin()).user_id);

const roleIds = Object.fromEntries(
  (await deps.db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
) as Record<string, number>;
const role = (name: string, entity_ids?: number[] | null) => ({
  role_id: roleIds[name],
  ...(entity_ids !== undefined && { entity_ids }),
});
const putRoles = (client: typeof hr, id: number, assignments: unknown) =>
  client.put(`/api/employees/${id}/roles`, { assignments });
const held = async (userId: number) => {
  const rows = await deps.db
    .selectFrom('role_assignments as a')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .select(['r.name', 'a.entity_ids'])
    .where('a.user_id', '=', userId)
    .orderBy('r.name')
    .execute();
  return rows.map(({ name, entity_ids }) => (entity_ids ? `${name} ${entity_ids.join()}` : name));
};
const traces = async () => Number((await owner.query<{ n: string }>('select count(*) as n from audit_log')).rows[0]?.n);
const inAcme = (fields: Parameters<typeof make.employee>[0] = {}) => make.employee({ entity_id: acme.id, ...fields });

test('roles are replaced as a set, recorded, and none means Employee', async () => {
  const { id, user_id } = await inAcme();
  const answer = await putRoles(hr, id, [role('Manager'), role('HR', [beta.id, acme.id])]);
  expect([answer.status, answer.body.message]).toEqual([200, 'Roles updated successfully.']);
  expect(answer.body.data.roles.map((one: { name: string }) => one.name)).toEqual(['HR', 'Manager']);
  expect(answer.body.data.revision).toBe(2);
  expect(await held(user_id)).toEqual([`HR ${acme.id},${beta.id}`, 'Manager']);
  const [trace] = await deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('subject_id', '=', id)
    .where('action', '=', 'employee.roles_changed')
    .execute();
  expect(trace?.changes).toEqual({
    roles: {
      from: [{ role: 'Employee', entity_ids: null }],
      to: [
        { role: 'HR', entity_ids: [acme.id, beta.id] },
        { role: 'Manager', entity_ids: null },
      ],
    },
  });
  expect((await putRoles(hr, id, [])).status).toBe(200);
  expect(await held(user_id)).toEqual(['Employee']);
});

test('an unchanged set changes nothing', async () => {
  const { id } = await inAcme();
  const before = await traces();
  const answer = await putRoles(hr, id, [role('Employee')]);
  expect([answer.status, answer.body.data.revision]).toEqual([200, 1]);
  expect(await traces()).toBe(before);
});

test('every wrong field is reported at its path', async () => {
  const { id, user_id } = await inAcme();
  const before = await traces();
  const answer = await putRoles(hr, id, [
    { role_id: 999_999 },
    role('Employee', [acme.id]),
    role('Manager', [999_999]),
    role('HR', []),
    role('TeamLead'),
    role('TeamLead'),
  ]);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual({
    'assignments.0.role_id': ['This assignment 1 role isn’t available. Select another one.'],
    'assignments.1.entity_ids': ['The assignment 2 companies field is prohibited.'],
    'assignments.2.entity_ids': ['This assignment 3 companies isn’t available. Select another one.'],
    'assignments.3.entity_ids': ['The assignment 4 companies field must have at least 1 item.'],
    'assignments.4.role_id': ['The assignment 5 role field has a duplicate value.'],
    'assignments.5.role_id': ['The assignment 6 role field has a duplicate value.'],
  });
  expect((await putRoles(hr, id, 'HR')).body.errors).toEqual({
    assignments: ['The roles field must be an array.'],
  });
  expect(await held(user_id)).toEqual(['Employee']);
  expect(await traces()).toBe(before);
});

test.each([
  ['HR of one company gives HR of that company', () => limited, () => role('HR', [acme.id]), 200],
  ['… not of another one', () => limited, () => role('HR', [beta.id]), 403],
  ['… not of both', () => limited, () => role('HR', [acme.id, beta.id]), 403],
  ['… not of all', () => limited, () => role('HR'), 403],
  ['… a manager within the company', () => limited, () => role('Manager', [acme.id]), 200],
  ['… no manager without limit', () => limited, () => role('Manager'), 403],
  ['HR of all gives HR', () => hr, () => role('HR'), 200],
  ['HR never gives Admin', () => hr, () => role('Admin'), 403],
  ['an Admin gives Admin', () => admin, () => role('Admin'), 200],
])('%s', async (_name, client, assignment, status) => {
  const { id, user_id } = await inAcme();
  const [before, count] = [await held(user_id), await traces()];
  expect((await putRoles(client(), id, [assignment()])).status).toBe(status);
  const unchanged = status !== 200;
  expect(isDeepStrictEqual(await held(user_id), before)).toBe(unchanged);
  expect((await traces()) === count).toBe(unchanged);
});

test('a role beyond the own scope cannot be removed either', async () => {
  const { id, user_id } = await inAcme({ roles: ['HR'] });
  expect((await putRoles(limited, id, [role('Employee')])).status).toBe(403);
  expect(await held(user_id)).toEqual(['HR']);
  expect((await putRoles(hr, id, [role('Employee')])).status).toBe(200);
});

test('a role with a permission the actor lacks cannot be given', async () => {
  const custom = await deps.db
    .insertInto('roles')
    .values({ name: 'Role keeper', scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const grant = (permission: string) =>
    deps.db.insertInto('role_permissions').values({ role_id: custom.id, permission }).execute();
  for (const permission of ['employees.view', 'employees.assign_roles']) await grant(permission);
  const keeperPerson = await make.employee({ roles: [{ role: 'Role keeper', entity_ids: [acme.id] }] });
  const keeper = await as(keeperPerson.user_id);
  const { id, user_id } = await inAcme();
  expect((await putRoles(keeper, id, [role('Employee'), { role_id: custom.id, entity_ids: [acme.id] }])).status).toBe(
    200,
  );
  expect((await putRoles(keeper, id, [role('Employee'), role('TeamLead', [acme.id])])).status).toBe(403);
  expect(await held(user_id)).toEqual(['Employee', `Role keeper ${acme.id}`]);
});

test('a role that sees all people has the scope of all people', async () => {
  const custom = await deps.db
    .insertInto('roles')
    .values({ name: 'Directory reader', scope: 'own' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const permission of ['employees.view', 'employees.view_all'])
    await deps.db.insertInto('role_permissions').values({ role_id: custom.id, permission }).execute();
  const { id, user_id } = await inAcme();
  expect((await putRoles(limited, id, [{ role_id: custom.id }])).status).toBe(403);
  expect(await held(user_id)).toEqual(['Employee']);
  expect((await putRoles(hr, id, [{ role_id: custom.id }])).status).toBe(200);
});

test('HR cannot change own roles, roles of an Admin and of people out of scope', async () => {
  const boss = await inAcme({ roles: ['Admin'] });
  const elsewhere = await make.employee({ entity_id: beta.id });
  const before = await traces();
  expect((await putRoles(hr, hrPerson.id, [])).status).toBe(403);
  expect((await putRoles(hr, boss.id, [])).status).toBe(403);
  expect((await putRoles(limited, elsewhere.id, [])).status).toBe(404);
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  expect((await putRoles(manager, elsewhere.id, [])).status).toBe(403);
  expect(await held(boss.user_id)).toEqual(['Admin']);
  expect(await traces()).toBe(before);
});

test('a stale form changes no roles', async () => {
  const { id, user_id } = await inAcme();
  const answer = await hr.put(`/api/employees/${id}/roles`, { assignments: [role('HR')], revision: 5 });
  expect([answer.status, answer.body.revision]).toEqual([422, 1]);
  expect(await held(user_id)).toEqual(['Employee']);
});

test('requests that need a removed role get 403 from the next one on', async () => {
  const { id, user_id } = await inAcme({ roles: ['HR'] });
  const browser = await as(user_id);
  expect((await browser.get('/api/roles')).status).not.toBe(403);
  expect((await putRoles(hr, id, [])).status).toBe(200);
  expect((await browser.put(`/api/employees/${hrPerson.id}/roles`, { assignments: [] })).status).toBe(403);
  expect((await browser.get('/api/me')).status).toBe(200);
});

type Client = typeof hr;
const reason = 'A coup in the head office';

test.each([
  ['take each other’s role away', (client: Client, id: number) => putRoles(client, id, [])],
  ['deactivate each other', (client: Client, id: number) => client.post(`/api/employees/${id}/deactivate`, { reason })],
  ['delete each other', (client: Client, id: number) => client.delete(`/api/employees/${id}`)],
])('of the last two administrators who %s one succeeds', async (_how, attack) => {
  const [first, second] = [await inAcme({ roles: ['Admin'] }), await inAcme({ roles: ['Admin'] })];
  await owner.query('delete from role_assignments where role_id = $1 and user_id <> all($2)', [
    roleIds['Admin'],
    [first.user_id, second.user_id],
  ]);
  const [a, b] = [await as(first.user_id), await as(second.user_id)];
  const answers = await Promise.all([attack(a, second.id), attack(b, first.id)]);
  const [won, lost] = answers.sort((one, other) => one.status - other.status);
  expect(won.status).toBeLessThan(300);
  // the losing account is refused or signed out first
  expect(lost.body.message).toMatch(
    /^(There must always be at least one active administrator|Unauthenticated|This action)/,
  );
  expect(lost.status).toBeGreaterThan(400);
  const { rows } = await owner.query<{ ok: boolean }>('select has_active_admin() as ok');
  expect(rows[0]?.ok).toBe(true);
});
