import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps } = await startApp();
const alpha = await make.entity({ name: 'Alpha, "Foods"', code: 'ALPHA' });
const buying = await make.department({ entity_id: alpha.id, name: '=Buying' });
const hr = await make.employee({ roles: ['HR'], department_id: buying.id });
const boss = await make.employee({ department_id: buying.id, employee_number: 'A-1', roles: ['Admin'] });
const left = {
  employment_lifecycle: 'resigned',
  activity_status: 'inactive',
  notice_date: '2020-01-01',
  last_working_date: '2020-02-29',
};
const everyField = {
  first_name: "'=1+1",
  last_name: '-',
  middle_name: "O'Neil\nÅsa",
  display_name: '@lena',
  salutation: 'Dr.',
  job_title: '007',
  grade: '-',
  phone: '+44 113 (0) 1',
  mobile: '-12345',
  personal_email: 'lena@example.org',
  date_of_birth: '1990-02-28',
  gender: 'female',
  marital_status: 'widowed',
  nationality: 'TRUE',
  employment_type: 'intern',
  address: { line1: '=1+1', line2: '-', city: "'Wien", state: null, postal_code: '01234', country: 'Österreich' },
  emergency_contact: { name: '@Max', relation: '007', phone: '+49 30 (0) 12' },
  bank: { bank_name: 'Bank, "Nord"', branch: '-', account_title: 'L\nP', account_number: '00123', iban: 'DE02' },
  joining_date: '2019-12-31',
  probation_start_date: '2019-12-31',
  probation_end_date: '2020-03-31',
};
await make.employee({
  ...everyField,
  ...left,
  roles: ['Employee', { role: 'HR', entity_ids: [alpha.id] }],
  department_id: buying.id,
  reporting_manager_id: boss.id,
});
await make.employee({ department_id: buying.id, employment_lifecycle: 'probationary' });
await make.employee({ department_id: buying.id, confirmation_date: '2020-01-01' });

const people = () => deps.db.selectFrom('employees').selectAll().orderBy('id').execute();
const accounts = () => deps.db.selectFrom('users').select(['id', 'email', 'roles']).orderBy('id').execute();

test.each([
  ['csv', ''],
  ['csv', '&reveal=private'],
  ['csv', '&reveal=bank'],
  ['xlsx', '&reveal=bank'],
])('an export as %s%s imported again changes nothing', async (format, reveal) => {
  const client = await as(hr.user_id);
  const file = await client.get(`/api/employees/export?format=${format}${reveal}`);
  const before = [await people(), await accounts()];
  const answer = await client.upload(
    '/api/employees/import',
    { name: `people${reveal}.${format}`, content: file.bytes },
    { on_conflict: 'update' },
  );
  expect(answer.status).toBe(201);
  const rows = await client.get(`/api/employees/imports/${answer.body.data.id}/rows`);
  const troubled = rows.body.data.filter((row: { errors: object }) => Object.keys(row.errors).length > 0);
  expect(troubled).toEqual([]);
  expect(answer.body.data.counts).toMatchObject({ total: 5, failed: 0, created: 0, updated: 0, skipped: 5 });
  expect([await people(), await accounts()]).toEqual(before);
});
