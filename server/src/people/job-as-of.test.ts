import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, owner } = await startApp();
const company = await make.entity({ name: 'Acme' });
const [buying, selling] = [
  await make.department({ entity_id: company.id, name: 'Buying' }),
  await make.department({ entity_id: company.id, name: 'Selling' }),
];
const hr = await as((await make.employee({ department_id: buying.id, roles: ['HR'] })).user_id);
const boss = await make.employee({ department_id: selling.id, roles: ['Manager'] });
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();
const { body } = await hr.post('/api/employees', {
  first_name: 'Lena',
  last_name: 'Park',
  email: 'lena@acme.example',
  entity_id: company.id,
  department_id: buying.id,
  job_title: 'Buyer',
  grade: 'G3',
  joining_date: '2018-01-01',
  employment_lifecycle: 'confirmed',
  phone: '030 123456',
});
const { id } = body.data as { id: number };
await hr.post(`/api/employees/${id}/job-history`, {
  job_title: 'Head of sales',
  grade: 'G7',
  department_id: selling.id,
  reporting_manager_id: boss.id,
  effective_from: day(-30),
});
await hr.put(`/api/employees/${id}`, { phone: '030 999999' });
const asOf = (date: string, client = hr, more = '') => client.get(`/api/employees/${id}?as_of=${date}${more}`);

test('a record as of a day has the job of that day, the other fields of today, and no actions', async () => {
  const { status, body: answer } = await asOf(day(-31));
  expect(status).toBe(200);
  expect(answer.data).toMatchObject({
    as_of: { date: day(-31), source: 'assumed', effective_from: '2018-01-01' },
    department_id: buying.id,
    department: { id: buying.id, name: 'Buying' },
    reporting_manager_id: null,
    reporting_manager: null,
    job_title: 'Buyer',
    grade: 'G3',
    phone: '030 999999',
    allowed_actions: [],
  });
  const later = (await asOf(day(-30))).body.data;
  expect(later).toMatchObject({
    as_of: { date: day(-30), source: 'entered', effective_from: day(-30) },
    department: { id: selling.id, name: 'Selling' },
    reporting_manager: { id: boss.id },
    job_title: 'Head of sales',
    grade: 'G7',
  });
  expect((await hr.get(`/api/employees/${id}`)).body.data).not.toHaveProperty('as_of');
});

test('of several jobs that begin on one day the last one counts', async () => {
  await hr.post(`/api/employees/${id}/job-history`, { job_title: 'Chief of sales', effective_from: day(-30) });
  expect((await asOf(day(-30))).body.data.job_title).toBe('Chief of sales');
});

test('a corrected past job is read on its days', async () => {
  const past = { effective_from: '2019-01-01', effective_to: '2019-12-31', job_title: 'Clerk' };
  await hr.post(`/api/employees/${id}/past-jobs`, { ...past, reason: 'Found in the personnel file' });
  const titles = async (days: string[]) =>
    Promise.all(days.map(async (one) => (await asOf(one)).body.data.job_title as string));
  expect(await titles(['2018-12-31', '2019-01-01', '2019-12-31', '2020-01-01'])).toEqual([
    'Buyer',
    'Clerk',
    'Clerk',
    'Buyer',
  ]);
});

test('a day to come has the planned job, and one without a scheduled change that of today', async () => {
  await hr.post(`/api/employees/${id}/job-history`, { job_title: 'Managing director', effective_from: day(40) });
  await hr.post(`/api/employees/${id}/job-history`, { department_id: buying.id, effective_from: day(50) });
  expect((await asOf(day(39))).body.data).toMatchObject({ job_title: 'Chief of sales', as_of: { planned: false } });
  expect((await asOf(day(40))).body.data).toMatchObject({
    job_title: 'Managing director',
    department: { name: 'Selling' },
    as_of: { date: day(40), source: 'entered', effective_from: day(40), planned: true },
    allowed_actions: [],
  });
  expect((await asOf(day(900))).body.data).toMatchObject({
    job_title: 'Managing director',
    department: { name: 'Buying' },
    as_of: { effective_from: day(50), planned: true },
  });
  expect((await asOf(day(0))).body.data).toMatchObject({ job_title: 'Chief of sales', as_of: { planned: false } });
});

test('a day without a known job is refused', async () => {
  for (const date of ['1800-01-01', '2017-12-31', 'nonsense']) {
    const answer = await asOf(date);
    expect([date, answer.status, Object.keys(answer.body.errors)]).toEqual([date, 422, ['as_of']]);
  }
});

test('private details are not in it, also on request, and nothing is recorded', async () => {
  const looks = async () =>
    (await owner.query(`select count(*)::int as n from audit_log where action = 'employee.private_viewed'`)).rows[0]
      .n as number;
  const before = await looks();
  const { data } = (await asOf(day(-31), hr, '&reveal=private')).body;
  expect(data).not.toHaveProperty('date_of_birth');
  expect(data).not.toHaveProperty('private_details');
  expect(await looks()).toBe(before);
});

test('readers of the card alone do not read it, and those of others get 404', async () => {
  await owner.query(`insert into roles (name, scope) values ('Cards', 'own')`);
  await owner.query(
    `insert into role_permissions select r.id, p from roles r, unnest('{employees.view,employees.view_all}'::text[]) as p
     where r.name = 'Cards'`,
  );
  const reader = await make.employee({ department_id: buying.id });
  await owner.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Cards'`, [
    reader.user_id,
  ]);
  const client = await as(reader.user_id);
  expect((await client.get(`/api/employees/${id}`)).status).toBe(200);
  expect((await asOf(day(-31), client)).status).toBe(403);
  const plain = await as((await make.employee()).user_id);
  expect((await asOf(day(-31), plain)).status).toBe(404);
  expect((await asOf(day(-31), await as(boss.user_id))).status).toBe(200);
});
