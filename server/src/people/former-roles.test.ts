import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const beta = await make.entity({ name: 'Beta Stores' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
const admin = await as((await make.admin()).user_id);
type Client = typeof hr;

const reason = 'Agreed with the works council';
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();
const roleIds = Object.fromEntries(
  (await deps.db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
) as Record<string, number>;

const gone = {
  entity_id: acme.id,
  employment_lifecycle: 'resigned',
  last_working_date: day(-10),
  activity_status: 'inactive',
  password: 'Str0ng!Passw0rd',
} as const;
const rehire = (client: Client, id: number) =>
  client.post(`/api/employees/${id}/rehire`, { joining_date: day(0), job_title: 'Buyer' });
const restore = (client: Client, id: number) => client.post(`/api/employees/${id}/restore`, { reason });
const give = (client: Client, id: number, assignments: unknown) =>
  client.put(`/api/employees/${id}/roles`, { assignments });

const held = async (userId: number) => {
  const { rows } = await owner.query<{ held: string }>(
    `select r.name || coalesce(' ' || array_to_string(a.entity_ids, ','), '') as held
     from role_assignments a join roles r on r.id = a.role_id where a.user_id = $1 order by 1`,
    [userId],
  );
  return rows.map((row) => row.held);
};
type Held = { role: string; entities: { name: string }[] | null };
const former = async (client: Client, id: number) =>
  ((await client.get(`/api/employees/${id}/roles`)).body.data.former as Held[]).map(({ role, entities }) =>
    [role, ...(entities ?? []).map(({ name }) => name)].join(' '),
  );
const account = async (userId: number) =>
  deps.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
const roleTraces = async (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select('changes')
    .where('subject_id', '=', id)
    .where('action', '=', 'employee.roles_changed')
    .execute();

const ways = [
  ['a rehire', gone, rehire],
  [
    'a restored record',
    { entity_id: acme.id, deleted_at: '2026-01-01T00:00:00Z', password: 'Str0ng!Passw0rd' },
    restore,
  ],
] as const;

test.each(ways)('%s restores the role Employee and no earlier credential', async (_name, state, comeBack) => {
  const person = await make.employee({ ...state, roles: ['HR', { role: 'Manager', entity_ids: [acme.id] }] });
  await owner.query('update users set one_time_password = true, must_change_password = true where id = $1', [
    person.user_id,
  ]);
  const session = await as(person.user_id);
  expect((await comeBack(hr, person.id)).status).toBe(200);
  expect(await held(person.user_id)).toEqual(['Employee']);
  expect(await account(person.user_id)).toMatchObject({
    password_hash: null,
    one_time_password: false,
    must_change_password: false,
  });
  expect((await session.get('/api/me')).status).toBe(401);
  expect((await roleTraces(person.id)).map(({ changes }) => changes)).toEqual([
    {
      roles: {
        from: [
          { role: 'HR', entity_ids: null },
          { role: 'Manager', entity_ids: [acme.id] },
        ],
        to: [{ role: 'Employee', entity_ids: null }],
      },
    },
  ]);
});

test.each(ways)('%s of a person without further roles changes none', async (_name, state, comeBack) => {
  const person = await make.employee(state);
  expect((await comeBack(hr, person.id)).status).toBe(200);
  expect([await held(person.user_id), await roleTraces(person.id), await former(hr, person.id)]).toEqual([
    ['Employee'],
    [],
    [],
  ]);
});

test('early access with a rehire grants the role Employee, whatever the account held before', async () => {
  const person = await make.employee({ ...gone, roles: ['HR'] });
  const early = { joining_date: day(9), early_access: true };
  const before = await limited.put(`/api/employees/${person.id}`, { early_access: true });
  const again = await limited.post(`/api/employees/${person.id}/rehire`, early);
  expect([before.status, again.status, again.body.data]).toMatchObject([
    403,
    200,
    { activity_status: 'joining', early_access: true, user: { has_password: false } },
  ]);
  expect(await held(person.user_id)).toEqual(['Employee']);
  // the preconditions of an account update hold now
  expect((await limited.put(`/api/employees/${person.id}`, { early_access: false })).status).toBe(200);
  expect((await limited.put(`/api/employees/${person.id}`, { early_access: true })).status).toBe(200);
  // people who cover the former roles can restore them, and decide about early access again
  expect((await give(hr, person.id, [{ role_id: roleIds['HR'], entity_ids: null }])).status).toBe(200);
  expect((await limited.put(`/api/employees/${person.id}`, { early_access: false })).status).toBe(403);
});

test('an Admin rehired by an Admin is no Admin', async () => {
  const person = await make.employee({ ...gone, roles: ['Admin'] });
  expect((await rehire(hr, person.id)).status).toBe(403);
  expect((await rehire(admin, person.id)).status).toBe(200);
  expect(await held(person.user_id)).toEqual(['Employee']);
  expect(await account(person.user_id)).toMatchObject({ is_admin: false });
  expect([await former(admin, person.id), await former(hr, person.id)]).toEqual([['Admin'], []]);
});

test('former roles are proposed to people who can give them, as far as they can', async () => {
  const [ofAcme, ofBeta] = [{ entity_ids: [acme.id] }, { entity_ids: [beta.id] }];
  const person = await make.employee({
    ...gone,
    roles: ['HR', { role: 'Manager', ...ofAcme }, { role: 'TeamLead', ...ofBeta }],
  });
  expect(await former(hr, person.id)).toEqual([]);
  expect((await rehire(hr, person.id)).status).toBe(200);
  expect(await former(hr, person.id)).toEqual(['HR', 'Manager Acme Foods Ltd', 'TeamLead Beta Stores']);
  expect(await former(limited, person.id)).toEqual(['Manager Acme Foods Ltd']);
  // a decision only concerns the roles that the actor could have given
  const manager = { role_id: roleIds['Manager'], entity_ids: [acme.id] };
  expect((await give(limited, person.id, [manager, { role_id: roleIds['Employee'] }])).status).toBe(200);
  expect([await former(limited, person.id), await former(hr, person.id)]).toEqual([[], ['HR', 'TeamLead Beta Stores']]);
  expect(await held(person.user_id)).toEqual(['Employee', `Manager ${acme.id}`]);
  // sending the same roles again means no others
  expect((await give(hr, person.id, [manager, { role_id: roleIds['Employee'] }])).status).toBe(200);
  expect(await former(hr, person.id)).toEqual([]);
});

test('a proposal grants nothing', async () => {
  const person = await make.employee({ ...gone, roles: ['HR'] });
  expect((await rehire(limited, person.id)).status).toBe(200);
  expect((await give(limited, person.id, [{ role_id: roleIds['HR'] }])).status).toBe(403);
  expect(await held(person.user_id)).toEqual(['Employee']);
  expect(await former(hr, person.id)).toEqual(['HR']);
});

test('no user gets a proposal for themselves', async () => {
  const person = await make.employee({ ...gone, roles: ['HR', 'Manager'] });
  expect((await rehire(hr, person.id)).status).toBe(200);
  expect((await give(hr, person.id, [{ role_id: roleIds['HR'] }])).status).toBe(200);
  await owner.query('insert into former_roles (user_id, role_id) values ($1, $2)', [
    person.user_id,
    roleIds['Manager'],
  ]);
  const self = await as(person.user_id);
  expect(await former(self, person.id)).toEqual([]);
});

test('a person who returns twice is proposed the roles of both times', async () => {
  const person = await make.employee({ ...gone, roles: ['HR'] });
  expect((await rehire(hr, person.id)).status).toBe(200);
  await owner.query(
    `update employees set activity_status = 'inactive', employment_lifecycle = 'resigned', joining_date = $2,
       last_working_date = $3, probation_start_date = null, probation_end_date = null where id = $1`,
    [person.id, day(-20), day(-1)],
  );
  expect((await rehire(hr, person.id)).status).toBe(200);
  expect([await held(person.user_id), await former(hr, person.id)]).toEqual([['Employee'], ['HR']]);
});

test('an employment that did not end keeps its roles', async () => {
  const leaving = { entity_id: acme.id, employment_lifecycle: 'resigned', last_working_date: day(5) } as const;
  const withdrawn = await make.employee({ ...leaving, roles: ['Manager'] });
  expect((await hr.post(`/api/employees/${withdrawn.id}/withdraw-separation`, { reason })).status).toBe(200);
  const suspended = await make.employee({ entity_id: acme.id, activity_status: 'inactive', roles: ['Manager'] });
  expect((await hr.post(`/api/employees/${suspended.id}/reactivate`, { reason })).status).toBe(200);
  expect([await held(withdrawn.user_id), await held(suspended.user_id)]).toEqual([['Manager'], ['Manager']]);
});
