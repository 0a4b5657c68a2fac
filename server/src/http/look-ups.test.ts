import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, owner } = await startApp();
const acme = await make.entity({ name: 'Acme', code: 'ACME' });
const yard = await make.department({ entity_id: acme.id, name: 'Yard', code: 'Y' });
const lena = await make.employee({ department_id: yard.id, employee_number: 'A-1', email: 'lena@example.com' });
const away = await make.employee();
const hr = await as((await make.employee({ department_id: yard.id, roles: ['HR'] })).user_id);
const limited = await as(
  (await make.employee({ department_id: yard.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
);
const root = await as((await make.admin()).user_id);

const fresh = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.com',
  entity_id: acme.id,
  department_id: yard.id,
};
const taken = (field: string) => [`The ${field} has already been taken.`];
const selected = (field: string) => [`This ${field} isn’t available. Select another one.`];
const required = (field: string) => [`The ${field} field is required.`];
const people = async () => (await owner.query('select count(*)::int as n from employees')).rows[0].n as number;

test('a taken number and a taken address are two errors of one answer', async () => {
  const before = await people();
  const { status, body } = await hr.post('/api/employees', {
    ...fresh,
    employee_number: 'a-1',
    email: 'LENA@example.com',
  });
  const errors = { employee_number: taken('employee number'), email: taken('email') };
  expect([status, body.errors]).toEqual([422, errors]);
  expect(body.message).toBe('The employee number has already been taken. (and 1 more error)');
  expect(Object.keys(body.errors)).toEqual(Object.keys(errors));
  expect(await people()).toBe(before);
});

test('they stand beside what is missing and what is wrong, in the order of the fields', async () => {
  const { body } = await hr.post('/api/employees', {
    employee_number: 'A-1',
    email: 'lena@example.com',
    last_name: 7,
    department_id: 987_654,
    reporting_manager_id: 987_654,
    joining_date: 'soon',
  });
  const errors = {
    employee_number: taken('employee number'),
    email: taken('email'),
    first_name: required('first name'),
    last_name: ['The last name field must be a string.'],
    entity_id: required('company'),
    department_id: selected('department'),
    reporting_manager_id: selected('reporting manager'),
    joining_date: ['The start date field must be a valid date.'],
  };
  expect(body.errors).toEqual(errors);
  expect(Object.keys(body.errors)).toEqual(Object.keys(errors));
  expect(body.message).toBe('The employee number has already been taken. (and 7 more errors)');
});

test('also beside what the fields say of each other', async () => {
  const { body } = await hr.post('/api/employees', {
    ...fresh,
    employee_number: 'A-1',
    date_of_birth: '2010-01-01',
    joining_date: '2012-01-01',
  });
  expect(Object.keys(body.errors)).toEqual(['employee_number', 'joining_date']);
});

test('a field with an error of its own is not looked up', async () => {
  const { body } = await hr.post('/api/employees', { ...fresh, employee_number: 'A-1', email: 'lena' });
  expect(body.errors).toEqual({
    employee_number: taken('employee number'),
    email: ['The email field must be a valid email address.'],
  });
});

test('a change may keep what the record has, and hears of the others', async () => {
  const other = await make.employee({ department_id: yard.id, employee_number: 'A-2' });
  const kept = { employee_number: 'A-2', email: other.email, department_id: yard.id, first_name: '' };
  expect((await hr.put(`/api/employees/${other.id}`, kept)).body.errors).toEqual({
    first_name: required('first name'),
  });
  const both = { employee_number: 'A-1', email: 'lena@example.com', first_name: '' };
  expect(Object.keys((await hr.put(`/api/employees/${other.id}`, both)).body.errors)).toEqual([
    'employee_number',
    'email',
    'first_name',
  ]);
});

test('what the caller cannot see is as invalid as what is not there', async () => {
  const ask = async (id: number) => (await limited.post('/api/employees', { reporting_manager_id: id })).body.errors;
  expect((await ask(away.id)).reporting_manager_id).toEqual(selected('reporting manager'));
  expect(await ask(away.id)).toEqual(await ask(987_654));
  expect((await ask(lena.id)).reporting_manager_id).toBeUndefined();
});

test.each([
  ['company', '/api/entities', { name: 'ACME', code: 'ACME' }, ['name', 'code']],
  ['department', '/api/departments', { entity_id: acme.id, name: 'yard', code: 'y' }, ['name', 'code']],
  [
    'department beside what is wrong',
    '/api/departments',
    { entity_id: acme.id, name: 'yard', status: 'odd' },
    ['name', 'status'],
  ],
  ['role beside what is missing', '/api/roles', { name: 'Employee' }, ['name', 'scope', 'permissions']],
])('a %s hears of everything at once', async (_name, path, body, fields) => {
  const answer = await root.post(path, body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
});

test('of two at the same moment one gets the number, and the other the same answer', async () => {
  const send = (n: number) =>
    hr.post('/api/employees', { ...fresh, email: `race${n}@example.com`, employee_number: 'RACE-1' });
  const answers = await Promise.all([1, 2, 3].map(send));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
  for (const { body } of answers.filter(({ status }) => status === 422))
    expect(body.errors).toEqual({ employee_number: taken('employee number') });
});

test('a state that does not allow the step is refused alone', async () => {
  const { body } = await hr.put(`/api/employees/${lena.id}`, { email: 'other@example.com', revision: 99 });
  expect(Object.keys(body.errors)).toEqual(['status']);
});
