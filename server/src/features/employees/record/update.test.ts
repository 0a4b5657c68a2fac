import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps } = await startApp();
const acme = await make.entity({ code: 'ACME' });
const buying = await make.department({ entity_id: acme.id });
const selling = await make.department({ entity_id: acme.id });
const elsewhere = await make.department();
const hrPerson = await make.employee({ roles: ['HR'], department_id: buying.id });
const hr = await as(hrPerson.user_id);
const localHr = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: buying.id })).user_id,
);
const admin = await as((await make.admin()).user_id);

const stored = (id: number) =>
  deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const traces = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'changes', 'entity_id'])
    .where('subject_id', '=', id)
    .where('subject_type', '=', 'employee')
    .where('action', '=', 'employee.updated')
    .execute();
const history = (id: number) =>
  deps.db.selectFrom('job_history').selectAll().where('employee_id', '=', id).orderBy('id').execute();
/** The refusal, which must change nothing. */
async function refused(client: typeof hr, id: number, body: object) {
  const before = [await stored(id), await traces(id), await history(id)];
  const answer = await client.put(`/api/employees/${id}`, body);
  expect([await stored(id), await traces(id), await history(id)]).toEqual(before);
  return [answer.status, answer.body.errors && Object.keys(answer.body.errors)];
}

test('sent fields change, absent ones stay, null clears, objects merge', async () => {
  const lena = await make.employee({
    department_id: buying.id,
    phone: '12345',
    grade: 'T1',
    address: { line1: '8 Park Row', city: 'Leeds' },
  });
  const body = { phone: null, first_name: ' Lena ', address: { city: 'York' }, bank: { iban: 'GB00123456781234' } };
  const answer = await hr.put(`/api/employees/${lena.id}`, body);
  expect([answer.status, answer.body.message]).toEqual([200, 'Employee updated successfully.']);
  expect(answer.body.data).toMatchObject({
    phone: null,
    grade: 'T1',
    first_name: 'Lena',
    address: { line1: '8 Park Row', city: 'York', country: null },
    bank: { iban: '****1234', bank_name: null },
    revision: 2,
  });
  expect(await traces(lena.id)).toEqual([
    {
      action: 'employee.updated',
      entity_id: acme.id,
      changes: {
        phone: { from: '12345', to: null },
        first_name: { from: expect.any(String), to: 'Lena' },
        address: { from: '[hidden]', to: '[hidden]' },
        bank: { from: null, to: '[hidden]' },
      },
    },
  ]);
});

test('sending the record back as it was read changes nothing', async () => {
  const lena = await make.employee({ department_id: buying.id, bank: { iban: 'GB00123456781234', branch: null } });
  await hr.put(`/api/employees/${lena.id}`, { address: { city: 'Leeds' }, display_name: 'Lenny' });
  const { body } = await hr.get(`/api/employees/${lena.id}`);
  const answer = await hr.put(`/api/employees/${lena.id}`, body.data);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual(body.data);
  expect(await traces(lena.id)).toHaveLength(1);
});

test('a default display name follows the name, also when the form sends it', async () => {
  const lena = await make.employee({ department_id: buying.id, first_name: 'Lena', last_name: 'Park' });
  const answer = await hr.put(`/api/employees/${lena.id}`, { last_name: 'Reed', display_name: 'Lena Park' });
  expect(answer.body.data.display_name).toBe('Lena Reed');
  expect((await hr.put(`/api/employees/${lena.id}`, { display_name: 'Len' })).body.data.display_name).toBe('Len');
  expect((await hr.put(`/api/employees/${lena.id}`, { display_name: null })).body.data.display_name).toBe('Lena Reed');
});

test('a changed job starts today in the history and ends the previous one', async () => {
  const boss = await make.employee({ department_id: buying.id });
  const { body } = await hr.post('/api/employees', {
    email: 'job@example.com',
    first_name: 'Lena',
    last_name: 'Park',
    entity_id: acme.id,
    department_id: buying.id,
    joining_date: '2020-02-02',
  });
  const { id } = body.data;
  await hr.put(`/api/employees/${id}`, { department_id: selling.id, reporting_manager_id: boss.id, phone: '12345' });
  await hr.put(`/api/employees/${id}`, { phone: '54321' });
  const [first, second, ...rest] = await history(id);
  expect(rest).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect(first).toMatchObject({ status: 'past', effective_from: '2020-02-02', department_id: buying.id });
  expect(second).toMatchObject({
    status: 'current',
    effective_from: today,
    effective_to: null,
    department_id: selling.id,
    reporting_manager_id: boss.id,
    changed_fields: ['department_id', 'reporting_manager_id'],
    created_by: hrPerson.user_id,
  });
});

test('only transitions change states and their dates', async () => {
  const lena = await make.employee({ department_id: buying.id });
  const body = { activity_status: 'inactive', employment_lifecycle: 'terminated', last_working_date: '2026-01-01' };
  expect(await refused(hr, lena.id, body)).toEqual([422, Object.keys(body)]);
  const same = { activity_status: 'active', employment_lifecycle: 'confirmed', last_working_date: null };
  expect((await hr.put(`/api/employees/${lena.id}`, same)).status).toBe(200);
});

test('required fields of a person cannot be cleared', async () => {
  const lena = await make.employee({ department_id: buying.id });
  const body = {
    employee_number: '',
    first_name: '',
    last_name: null,
    entity_id: null,
    employment_type: null,
  };
  const [status, fields] = await refused(hr, lena.id, body);
  expect(status).toBe(422);
  expect(fields).toEqual(['first_name', 'last_name', 'entity_id', 'employment_type']);
  expect(await refused(hr, lena.id, { employee_number: '' })).toEqual([422, ['employee_number']]);
});

test('a form with a stale revision is refused with the current record', async () => {
  const lena = await make.employee({ department_id: buying.id });
  expect((await hr.put(`/api/employees/${lena.id}`, { phone: '12345', revision: 1 })).status).toBe(200);
  const before = await stored(lena.id);
  const answer = await hr.put(`/api/employees/${lena.id}`, { phone: '54321', revision: 1 });
  expect([answer.status, Object.keys(answer.body.errors), answer.body.status, answer.body.revision]).toEqual([
    422,
    ['status'],
    'active',
    2,
  ]);
  expect(await stored(lena.id)).toEqual(before);
});

test('of simultaneous changes from one revision one succeeds', async () => {
  const lena = await make.employee({ department_id: buying.id });
  const answers = await Promise.all(
    ['11111', '22222', '33333', '44444'].map((phone) => hr.put(`/api/employees/${lena.id}`, { phone, revision: 1 })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(3);
  expect(await traces(lena.id)).toHaveLength(1);
});

test('a new email signs in, and ends the sessions of the old one', async () => {
  const lena = await make.employee({ department_id: buying.id, email: 'old@example.com', password: 'Str0ng!Passw0rd' });
  const client = await as(lena.user_id);
  expect((await client.get('/api/me')).status).toBe(200);
  expect((await hr.put(`/api/employees/${lena.id}`, { email: 'NEW@example.com' })).body.data.email).toBe(
    'new@example.com',
  );
  expect((await client.get('/api/me')).status).toBe(401);
  const guest = await as();
  expect((await guest.post('/login', { email: 'new@example.com', password: 'Str0ng!Passw0rd' })).status).toBe(200);
  expect(await refused(hr, hrPerson.id, { email: 'new@example.com' })).toEqual([422, ['email']]);
});

test('no person becomes the manager of a superior', async () => {
  const top = await make.employee({ department_id: buying.id });
  const middle = await make.employee({ department_id: buying.id, reporting_manager_id: top.id });
  const low = await make.employee({ department_id: buying.id, reporting_manager_id: middle.id });
  expect(await refused(hr, top.id, { reporting_manager_id: low.id })).toEqual([422, ['reporting_manager_id']]);
  expect(await refused(hr, top.id, { reporting_manager_id: top.id })).toEqual([422, ['reporting_manager_id']]);
  expect((await hr.put(`/api/employees/${low.id}`, { reporting_manager_id: top.id })).status).toBe(200);
});

test('two simultaneous changes cannot close a circle of managers together', async () => {
  const [one, two] = [
    await make.employee({ department_id: buying.id }),
    await make.employee({ department_id: buying.id }),
  ];
  const answers = await Promise.all([
    hr.put(`/api/employees/${one.id}`, { reporting_manager_id: two.id }),
    hr.put(`/api/employees/${two.id}`, { reporting_manager_id: one.id }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('a move needs both companies in scope, and an active department of the company', async () => {
  const lena = await make.employee({ department_id: buying.id });
  const away = { entity_id: elsewhere.entity_id, department_id: elsewhere.id };
  expect(await refused(localHr, lena.id, away)).toEqual([422, ['entity_id', 'department_id']]);
  expect(await refused(hr, lena.id, { entity_id: elsewhere.entity_id })).toEqual([422, ['department_id']]);
  const answer = await hr.put(`/api/employees/${lena.id}`, away);
  expect(answer.body.data).toMatchObject(away);
  // now HR of the company no longer sees the person
  expect(await refused(localHr, lena.id, { phone: '12345' })).toEqual([404, undefined]);
  const closed = await make.department({ entity_id: acme.id, status: 'inactive' });
  expect(await refused(hr, lena.id, { entity_id: acme.id, department_id: closed.id })).toEqual([
    422,
    ['department_id'],
  ]);
});

test('on the own record other people decide about job, probation and bank; the rest is editable', async () => {
  for (const change of [
    { department_id: selling.id },
    { job_title: 'Chief' },
    { grade: 'A' },
    { employment_type: 'intern' },
    { joining_date: '2020-01-01' },
    { probation_start_date: '2020-01-01' },
    { probation_end_date: '2020-01-01' },
    { bank: { iban: 'GB001234' } },
  ])
    expect(await refused(hr, hrPerson.id, change)).toEqual([403, undefined]);
  const same = { department_id: buying.id, job_title: null, bank: null, phone: '12345' };
  expect((await hr.put(`/api/employees/${hrPerson.id}`, same)).body.data.phone).toBe('12345');
});

test('a record whose account holds Admin is changed by an Admin only', async () => {
  const boss = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  expect(await refused(hr, boss.id, { phone: '12345' })).toEqual([403, undefined]);
  expect((await hr.get(`/api/employees/${boss.id}`)).body.data.allowed_actions).toEqual([]);
  expect((await admin.put(`/api/employees/${boss.id}`, { phone: '12345' })).status).toBe(200);
});

test('a user without permission to change people changes none, and learns nothing about ids', async () => {
  const manager = await make.employee({ department_id: buying.id, roles: ['Manager'] });
  const report = await make.employee({ department_id: buying.id, reporting_manager_id: manager.id });
  const client = await as(manager.user_id);
  expect(await refused(client, report.id, { phone: '12345' })).toEqual([403, undefined]);
  expect((await client.put('/api/employees/999999', { phone: 'x' })).status).toBe(403);
  expect((await hr.put('/api/employees/999999', { phone: 'x' })).status).toBe(404);
});

test('keys that no client may send change nothing', async () => {
  const lena = await make.employee({ department_id: buying.id });
  const before = await stored(lena.id);
  const answer = await hr.put(`/api/employees/${lena.id}`, {
    id: 1,
    user_id: hrPerson.user_id,
    extension_count: 5,
    deleted_at: '2026-01-01',
    roles: [{ id: 1 }],
    is_admin: true,
    password: 'Str0ng!Passw0rd',
    picture_key: 'x',
    name: 'x',
    created_at: '2000-01-01',
  });
  expect(answer.status).toBe(200);
  expect(await stored(lena.id)).toEqual(before);
});
