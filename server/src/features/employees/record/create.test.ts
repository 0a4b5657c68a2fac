import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { givenRoles } from '../../../testing/given-roles.ts';

const { as, make, deps, owner } = await startApp();
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME', probation_months: 3 });
const purchasing = await make.department({ entity_id: acme.id });

let serial = 0;
const lena = (fields: object = {}) => ({
  email: `new${(serial += 1)}@example.com`,
  first_name: 'Lena',
  last_name: 'Park',
  entity_id: acme.id,
  department_id: purchasing.id,
  ...fields,
});
const count = async (table: string) =>
  Number((await owner.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);
const everything = async () => [await count('users'), await count('employees'), await count('audit_log')];

test('HR adds a person with defaults, an account without password, a first job and an audit entry', async () => {
  const answer = await hr.post('/api/employees', lena({ joining_date: '2026-02-02', address: { city: 'Leeds' } }));
  expect([answer.status, answer.body.message]).toEqual([201, 'Employee created successfully.']);
  const { data } = answer.body;
  expect(data).toMatchObject({
    employee_number: 'ACME-001',
    display_name: 'Lena Park',
    activity_status: 'active',
    employment_lifecycle: 'probationary',
    probation_start_date: '2026-02-02',
    probation_end_date: '2026-05-01',
    address: { line1: null, line2: null, city: 'Leeds', state: null, postal_code: null, country: null },
    roles: [{ name: 'Employee', entity_ids: null }],
    user: { has_password: false, must_change_password: false, last_login_at: null },
    responsibilities: { departments_managed: 0, direct_reports: 0 },
    revision: 1,
  });
  expect(answer.body).not.toHaveProperty('one_time_password');
  const job = await deps.db.selectFrom('job_history').selectAll().where('employee_id', '=', data.id).execute();
  expect(job).toMatchObject([{ status: 'current', effective_from: '2026-02-02', department_id: purchasing.id }]);
  const traces = await deps.db.selectFrom('audit_log').selectAll().where('subject_id', '=', data.id).execute();
  expect(traces).toMatchObject([{ action: 'employee.created', entity_id: acme.id, subject_label: 'Lena Park' }]);
  expect(traces[0]?.changes).toMatchObject({ address: { from: null, to: '[hidden]' } });
});

test('numbers continue, skip taken ones, and grow beyond three digits', async () => {
  const beta = await make.entity({ code: 'BETA' });
  const department = await make.department({ entity_id: beta.id });
  const add = async (fields: object = {}) => {
    const answer = await hr.post(
      '/api/employees',
      lena({ entity_id: beta.id, department_id: department.id, ...fields }),
    );
    return answer.body.data.employee_number;
  };
  expect(await add()).toBe('BETA-001');
  expect(await add({ employee_number: 'beta-002' })).toBe('beta-002');
  expect(await add()).toBe('BETA-003');
  await deps.db.updateTable('employee_numbers').set({ last: 998 }).where('entity_id', '=', beta.id).execute();
  expect([await add(), await add()]).toEqual(['BETA-999', 'BETA-1000']);
  const entity = await deps.db.selectFrom('entities').select('revision').where('id', '=', beta.id).executeTakeFirst();
  expect(entity?.revision).toBe(1);
});

test('a company that others read under a lock gives its next number at once', async () => {
  await owner.query('begin');
  try {
    await owner.query('select from entities where id = $1 for share', [acme.id]);
    expect((await hr.post('/api/employees', lena())).status).toBe(201);
  } finally {
    await owner.query('rollback');
  }
});

test('of many requests for one number exactly one succeeds', async () => {
  const before = await count('employees');
  // as many at once as there are connections, because a request that waits two seconds for one is refused
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => hr.post('/api/employees', lena({ employee_number: 'ONE-1' }))),
  );
  const refused = answers.filter((answer) => answer.status === 422);
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(refused).toHaveLength(9);
  for (const answer of refused)
    expect(answer.body.errors).toEqual({ employee_number: ['The employee number has already been taken.'] });
  expect(await count('employees')).toBe(before + 1);
});

test('people added concurrently get different numbers', async () => {
  const wave = () => Promise.all(Array.from({ length: 10 }, () => hr.post('/api/employees', lena())));
  const answers = [...(await wave()), ...(await wave())];
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
  expect(new Set(answers.map((answer) => answer.body.data.employee_number)).size).toBe(20);
});

test('number and email are unique whatever their case, also against deleted people', async () => {
  const gone = await make.employee({ employee_number: 'Gone-7', email: 'gone@example.com' });
  await deps.db.updateTable('employees').set({ deleted_at: '2026-01-01' }).where('id', '=', gone.id).execute();
  const before = await everything();
  const number = await hr.post('/api/employees', lena({ employee_number: 'GONE-7' }));
  const email = await hr.post('/api/employees', lena({ email: 'Gone@Example.com' }));
  expect([number.status, number.body.errors]).toEqual([
    422,
    { employee_number: ['The employee number has already been taken.'] },
  ]);
  expect([email.status, email.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
  expect(await everything()).toEqual(before);
});

test('wrong fields are reported together and nothing is written', async () => {
  const before = await everything();
  const elsewhere = await make.department();
  const answer = await hr.post('/api/employees', {
    email: 'no mail',
    first_name: ' ',
    entity_id: acme.id,
    department_id: elsewhere.id,
    gender: 'x',
  });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual(['email', 'first_name', 'last_name', 'department_id', 'gender']);
  const second = await hr.post('/api/employees', lena({ department_id: elsewhere.id, reporting_manager_id: 999_999 }));
  expect(second.body.errors).toEqual({
    department_id: ['This department isn’t available. Select another one.'],
    reporting_manager_id: ['This reporting manager isn’t available. Select another one.'],
  });
  expect(await everything()).toEqual(before);
});

test('HR of one company adds no person elsewhere and cannot distinguish it from an unknown company', async () => {
  const limited = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const client = await as(limited.user_id);
  expect((await client.post('/api/employees', lena())).status).toBe(201);
  const other = await make.department();
  const before = await everything();
  const foreign = await client.post('/api/employees', lena({ entity_id: other.entity_id, department_id: other.id }));
  const absent = await client.post('/api/employees', lena({ entity_id: 999_999, department_id: other.id }));
  expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
  expect(foreign.body.errors).toHaveProperty('entity_id');
  expect(await everything()).toEqual(before);
});

test('a password is issued on request only, by users with the permission', async () => {
  const answer = await hr.post('/api/employees', lena({ issue_password: true }));
  expect(answer.status).toBe(201);
  expect(answer.body.one_time_password).toHaveLength(20);
  expect(answer.body.data.user).toMatchObject({ has_password: true, must_change_password: true });
  const guest = await as();
  const login = await guest.post('/login', { email: answer.body.data.email, password: answer.body.one_time_password });
  expect(login.status).toBe(200);
  const inactive = await hr.post('/api/employees', lena({ issue_password: true, activity_status: 'inactive' }));
  expect([inactive.status, Object.keys(inactive.body.errors)]).toEqual([422, ['issue_password']]);
});

test('roles are assigned on creation, Admin not by HR', async () => {
  const { id: manager } = await deps.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Manager')
    .executeTakeFirstOrThrow();
  const { id: admin } = await deps.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Admin')
    .executeTakeFirstOrThrow();
  const answer = await hr.post('/api/employees', lena({ assignments: [{ role_id: manager }] }));
  expect(answer.body.data.roles).toEqual([{ id: manager, name: 'Manager', entity_ids: null }]);
  const before = await everything();
  expect((await hr.post('/api/employees', lena({ assignments: [{ role_id: admin }] }))).status).toBe(403);
  expect(await everything()).toEqual(before);
});

test('keys that no client may send change nothing', async () => {
  const answer = await hr.post(
    '/api/employees',
    lena({
      id: 1,
      user_id: 1,
      revision: 9,
      is_admin: true,
      password: 'Str0ng!Passw0rd',
      extension_count: 3,
      created_at: 'x',
    }),
  );
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({ revision: 1, extension_count: 0, user: { has_password: false } });
  expect(answer.body.data.id).toBeGreaterThan(1);
});

test('a manager cannot add people', async () => {
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  const before = await everything();
  expect((await manager.post('/api/employees', lena())).status).toBe(403);
  expect(await everything()).toEqual(before);
});

test('early access is for who changes people there, also on creation', async () => {
  const { roleWith, give } = givenRoles({ owner });
  const adder = await roleWith('Adder', 'all', ['employees.view', 'employees.create']);
  const changer = await roleWith('Changer', 'all', ['employees.update']);
  const clerk = await make.employee({ roles: ['Employee'] });
  await give(clerk.user_id, adder);
  await give(clerk.user_id, changer, [(await make.entity()).id]);
  const client = await as(clerk.user_id);
  const before = await everything();
  const early = { joining_date: '2126-12-31', early_access: true };
  expect((await client.post('/api/employees', lena(early))).status).toBe(403);
  expect(await everything()).toEqual(before);
  const later = await client.post('/api/employees', lena({ ...early, early_access: false }));
  expect([later.status, later.body.errors]).toEqual([201, undefined]);
  await owner.query('update role_assignments set entity_ids = $1 where user_id = $2 and role_id = $3', [
    [acme.id],
    clerk.user_id,
    changer,
  ]);
  const added = await client.post('/api/employees', lena(early));
  expect([added.status, added.body.data]).toMatchObject([201, { early_access: true }]);
});
