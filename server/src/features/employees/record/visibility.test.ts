import { employeeFieldGroups } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps } = await startApp();

async function role(name: string, scope: 'own' | 'managed' | 'all', permissions: Permission[]) {
  const { id } = await deps.db.insertInto('roles').values({ name, scope }).returning('id').executeTakeFirstOrThrow();
  await deps.db
    .insertInto('role_permissions')
    .values(permissions.map((permission) => ({ role_id: id, permission })))
    .execute();
}
await role('Directory', 'own', ['employees.view', 'employees.view_all']);
await role('Nurse', 'managed', ['employees.view', 'employees.view_sensitive']);
await role('Clerk', 'all', ['employees.view', 'employees.create', 'employees.update']);

const alpha = await make.entity({ code: 'ALPHA' });
const beta = await make.entity({ code: 'BETA' });
const top = await make.department({ entity_id: alpha.id });
const below = await make.department({ entity_id: alpha.id, parent_id: top.id });
const there = await make.department({ entity_id: beta.id });

type Roles = NonNullable<NonNullable<Parameters<typeof make.employee>[0]>['roles']>;
const holding = async (roles: Roles, department_id: number) => {
  const person = await make.employee({ roles, department_id });
  return { ...person, client: await as(person.user_id) };
};
const cast = {
  Admin: await holding(['Admin'], there.id),
  HR: await holding(['HR'], there.id),
  'HR of alpha': await holding([{ role: 'HR', entity_ids: [alpha.id] }], there.id),
  Manager: await holding(['Manager', 'Employee'], there.id),
  TeamLead: await holding(['TeamLead', 'Employee'], there.id),
  Employee: await holding(['Employee'], top.id),
  Directory: await holding([], there.id),
  Nurse: await holding(['Employee'], there.id),
  Clerk: await holding(['Employee'], there.id),
};
type Name = keyof typeof cast;

async function giveRole(name: 'Directory' | 'Nurse' | 'Clerk', userId: number) {
  const { id } = await deps.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  await deps.db.insertInto('role_assignments').values({ user_id: userId, role_id: id, entity_ids: null }).execute();
}
await giveRole('Directory', cast.Directory.user_id);
await giveRole('Nurse', cast.Nurse.user_id);
await giveRole('Clerk', cast.Clerk.user_id);

const target = (department_id: number, last_name: string, reporting_manager_id: number | null = null) =>
  make.employee({
    department_id,
    last_name,
    reporting_manager_id,
    employment_lifecycle: 'probationary',
    grade: 'T2',
    joining_date: '2020-01-01',
    date_of_birth: '1990-01-01',
    bank: { iban: 'GB00123456781234' },
    address: { city: 'Leeds' },
  });
const targets = {
  here: await target(top.id, 'Here'),
  deep: await target(below.id, 'Deep'),
  direct: await target(there.id, 'Direct', cast.Nurse.id),
  far: await target(there.id, 'Far'),
};
type Target = keyof typeof targets;
await deps.db
  .updateTable('departments')
  .set({ manager_id: cast.Manager.id, team_lead_id: cast.TeamLead.id })
  .where('id', '=', top.id)
  .execute();

const [work, secret] = [employeeFieldGroups.work, employeeFieldGroups.private];
/** One field of each group in a response: a response has all fields of a group or none. */
function groupsIn(row: object): string {
  const shown = (fields: readonly string[]) => fields.filter((field) => field in row).length;
  const whole = [shown(work), shown(secret)];
  expect([0, work.length]).toContain(whole[0]);
  expect([0, secret.length]).toContain(whole[1]);
  return `card${whole[0] ? '+work' : ''}${whole[1] ? '+private' : ''}`;
}

// none: 404; the columns are here, deep, direct, far, oneself
const matrix: Record<Name, [string, string, string, string, string]> = {
  Admin: ['card+work+private', 'card+work+private', 'card+work+private', 'card+work+private', 'card+work+private'],
  HR: ['card+work+private', 'card+work+private', 'card+work+private', 'card+work+private', 'card+work+private'],
  'HR of alpha': ['card+work+private', 'card+work+private', 'none', 'none', 'card+work+private'],
  Manager: ['card+work', 'card+work', 'none', 'none', 'card+work+private'],
  TeamLead: ['card+work', 'none', 'none', 'none', 'card+work+private'],
  Employee: ['none', 'none', 'none', 'none', 'card+work+private'],
  Directory: ['card', 'card', 'card', 'card', 'card+work+private'],
  Nurse: ['none', 'none', 'card+work+private', 'none', 'card+work+private'],
  Clerk: ['card+work', 'card+work', 'card+work', 'card+work', 'card+work+private'],
};

test.each(Object.keys(matrix) as Name[])('%s reads what the roles allow, in full groups', async (name) => {
  const { client, id } = cast[name];
  const people = [...Object.values(targets).map((person) => person.id), id];
  const read = (reveal: string) => Promise.all(people.map((person) => client.get(`/api/employees/${person}${reveal}`)));
  const [plain, opened] = [await read(''), await read('?reveal=private')];
  const seen = plain.map((answer, index) => {
    if (answer.status === 404) return opened[index]?.status === 404 ? 'none' : 'opened unseen';
    // private details of another person are returned on request, to readers with the permission
    const mine = people[index] === id;
    expect(groupsIn(answer.body.data).includes('+private')).toBe(mine);
    if (opened[index]?.status === 403) return groupsIn(answer.body.data);
    expect(answer.body.data.private_details).toBe(mine ? 'included' : 'on_request');
    return groupsIn(opened[index]?.body.data);
  });
  expect(seen).toEqual(matrix[name]);
});

test.each(Object.keys(matrix) as Name[])('%s lists the same people, never with private fields', async (name) => {
  const { client, id } = cast[name];
  const { body } = await client.get('/api/employees?per_page=100');
  expect(body.meta.total).toBe(body.data.length);
  const groups = new Map(body.data.map((row: { id: number }) => [row.id, groupsIn(row)]));
  const listed = [...Object.values(targets).map((person) => person.id), id].map(
    (person) => groups.get(person) ?? 'none',
  );
  expect(listed).toEqual(matrix[name].map((seen) => seen.replace('+private', '')));
});

test.each(Object.keys(matrix) as Name[])('%s finds only listed people by search, filter and count', async (name) => {
  const { client } = cast[name];
  for (const [index, [key, person]] of (Object.entries(targets) as [Target, { id: number }][]).entries()) {
    const found = await client.get(`/api/employees?search=${key}`);
    const visible = matrix[name][index] !== 'none';
    expect([found.body.meta.total, found.body.data.map((row: { id: number }) => row.id)]).toEqual(
      visible ? [1, [person.id]] : [0, []],
    );
  }
  const inAlpha = await client.get(`/api/employees?entity_id=${alpha.id}&per_page=100`);
  const all = await client.get('/api/employees?per_page=100');
  const expected = all.body.data.filter((row: { entity_id: number }) => row.entity_id === alpha.id);
  expect([inAlpha.body.data, inAlpha.body.meta.total]).toEqual([expected, expected.length]);
});

test('hidden employment counts as empty in filters and in the order', async () => {
  const { client, id } = cast.Directory;
  const filtered = async (query: string) =>
    (await client.get(`/api/employees?per_page=100&${query}`)).body.data.map((row: { id: number }) => row.id);
  const everybody = await filtered('');
  expect(everybody.length).toBe(Object.keys(cast).length + Object.keys(targets).length);
  expect(await filtered('employment_lifecycle=probationary')).toEqual([]);
  expect(await filtered('employment_lifecycle=confirmed')).toEqual([id]);
  expect(await filtered('employment_type=full_time')).toEqual([id]);
  expect(await filtered('joined_from=1900-01-01')).toEqual([]);
  const { id: employeeRole } = await deps.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Employee')
    .executeTakeFirstOrThrow();
  expect(await filtered(`role_id=${employeeRole}`)).toEqual([]);
  const byId = everybody.filter((other: number) => other !== id).toSorted((a: number, b: number) => a - b);
  const byLifecycle = 'sort_by=employment_lifecycle&sort_direction=';
  expect(await filtered(`${byLifecycle}asc`)).toEqual([id, ...byId]);
  expect(await filtered(`${byLifecycle}desc`)).toEqual([id, ...byId.toReversed()]);
  expect(await filtered('sort_by=joining_date')).toEqual(everybody.toSorted((a: number, b: number) => a - b));
});

test('a role without permission to see people sees none', async () => {
  const nobody = await make.employee({ roles: [] });
  const client = await as(nobody.user_id);
  expect((await client.get('/api/employees')).status).toBe(403);
  expect((await client.get(`/api/employees/${nobody.id}`)).status).toBe(403);
});

test('HR of one company sees the same whatever changes in another company', async () => {
  const { client } = cast['HR of alpha'];
  const look = async () => [
    (await client.get('/api/employees?per_page=100')).body,
    (await client.get('/api/employees?search=last')).body,
    (await client.get(`/api/employees/${targets.here.id}`)).body,
  ];
  const before = await look();
  await make.employee({ department_id: there.id, last_name: 'Lastly' });
  await deps.db.updateTable('employees').set({ grade: 'X' }).where('id', '=', targets.far.id).execute();
  expect(await look()).toEqual(before);
});

test('bank numbers are masked; revealing them needs the permission and is recorded', async () => {
  const { HR, Clerk, Manager } = cast;
  const url = `/api/employees/${targets.here.id}`;
  const traces = async (action: string) =>
    (
      await deps.db
        .selectFrom('audit_log')
        .select('actor_id')
        .where('action', '=', action)
        .where('subject_id', '=', targets.here.id)
        .orderBy('id')
        .execute()
    ).map((row) => row.actor_id);
  const refused = await traces('employee.reveal_refused');
  expect((await HR.client.get(`${url}?reveal=private`)).body.data.bank.iban).toBe('****1234');
  expect(await traces('employee.bank_revealed')).toEqual([]);
  expect((await HR.client.get(`${url}?reveal=bank`)).body.data.bank.iban).toBe('GB00123456781234');
  expect(await traces('employee.bank_revealed')).toEqual([HR.user_id]);
  expect((await Manager.client.get(`${url}?reveal=bank`)).status).toBe(403);
  expect((await Clerk.client.get(`${url}?reveal=bank`)).status).toBe(403);
  expect(await traces('employee.reveal_refused')).toEqual([...refused, Manager.user_id, Clerk.user_id]);
  expect((await HR.client.get(`${url}?reveal=salary`)).status).toBe(422);
});

test("access to another person's private details is recorded, access to the own ones is not", async () => {
  const looks = async () =>
    Number(
      (
        await deps.db
          .selectFrom('audit_log')
          .select((eb) => eb.fn.countAll().as('n'))
          .where('action', '=', 'employee.private_viewed')
          .executeTakeFirstOrThrow()
      ).n,
    );
  const { id } = await target(below.id, 'Looked at');
  const before = await looks();
  await cast.Employee.client.get(`/api/employees/${cast.Employee.id}?reveal=private`);
  await cast.Manager.client.get(`/api/employees/${targets.here.id}?reveal=private`);
  await cast.HR.client.get(`/api/employees/${id}`);
  expect(await looks()).toBe(before);
  await cast.HR.client.get(`/api/employees/${id}?reveal=private`);
  expect(await looks()).toBe(before + 1);
});

test('a user who cannot see a field cannot write or guess it', async () => {
  const { client } = cast.Clerk;
  const url = `/api/employees/${targets.here.id}`;
  for (const body of [{ date_of_birth: '1990-01-01' }, { date_of_birth: '1991-01-01' }, { nationality: null }])
    expect((await client.put(url, body)).status).toBe(403);
  expect((await client.put(url, { grade: 'T9' })).body.data.grade).toBe('T9');
  const person = { first_name: 'A', last_name: 'B', entity_id: alpha.id, department_id: top.id };
  expect((await client.post('/api/employees', { ...person, email: 'a@b', gender: 'male' })).status).toBe(403);
  expect((await client.post('/api/employees', { ...person, email: 'a@b' })).status).toBe(201);
  for (const extra of [{ issue_password: true }, { assignments: [{ role_id: 1 }] }])
    expect((await client.post('/api/employees', { ...person, email: 'c@d', ...extra })).status).toBe(403);
});

test('allowed actions follow permission, reach, relationship and state', async () => {
  const actions = async (name: Name, id: number) =>
    (await cast[name].client.get(`/api/employees/${id}`)).body.data.allowed_actions;
  expect(await actions('Manager', targets.here.id)).toEqual([]);
  expect(await actions('Clerk', targets.here.id)).toEqual([
    'update',
    'confirm',
    'job-history',
    'absences',
    'past-jobs',
    'add-file',
  ]);
  expect(await actions('HR', cast.HR.id)).toEqual(['update']);
  expect(await actions('HR', cast.Admin.id)).toEqual([]);
  expect(await actions('Admin', cast.HR.id)).toContain('deactivate');
  const set = (fields: object) =>
    deps.db.updateTable('employees').set(fields).where('id', '=', targets.far.id).execute();
  await set({ employment_lifecycle: 'resigned', last_working_date: '2999-01-01' });
  expect(await actions('HR', targets.far.id)).toEqual(expect.arrayContaining(['withdraw-separation', 'deactivate']));
  await set({ last_working_date: '2020-01-01', activity_status: 'inactive' });
  expect(await actions('HR', targets.far.id)).toEqual([
    'update',
    'rehire',
    'job-history',
    'past-jobs',
    'add-file',
    'roles',
    'delete',
  ]);
  await set({ employment_lifecycle: 'confirmed', last_working_date: null });
  expect(await actions('HR', targets.far.id)).toEqual([
    'update',
    'separate',
    'reactivate',
    'job-history',
    'absences',
    'past-jobs',
    'add-file',
    'roles',
    'delete',
  ]);
});
