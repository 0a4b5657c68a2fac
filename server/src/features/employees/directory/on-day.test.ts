import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

/** The directory and headcount as of a day, for a small company whose people joined, moved, left and returned. */

const { as, make, deps, owner } = await startApp();
const [acme, south] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: acme.id, name: 'Buying' });
const selling = await make.department({ entity_id: acme.id, name: 'Selling' });
const depot = await make.department({ entity_id: south.id, name: 'Depot' });
const hr = await as((await make.employee({ department_id: buying.id, roles: ['HR'] })).user_id);
const boss = await make.employee({ department_id: selling.id, roles: ['Manager'], last_name: 'Boss' });
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

let added = 0;
async function add(last_name: string, joining_date: string, rest: object = {}): Promise<number> {
  const answer = await hr.post('/api/employees', {
    first_name: 'Ann',
    last_name,
    email: `p${(added += 1)}@acme.example`,
    entity_id: acme.id,
    department_id: buying.id,
    joining_date,
    employment_lifecycle: 'confirmed',
    ...rest,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id as number;
}
async function step(id: number, path: string, body: object): Promise<void> {
  const answer = await hr.post(`/api/employees/${id}/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}
const move = (id: number, effective_from: string, job: object) => step(id, 'job-history', { effective_from, ...job });

// moved to the other department and manager a month ago, and moves to the other company in a month
const park = await add('Park', '2018-01-01', { job_title: 'Buyer', grade: 'G3' });
await move(park, day(-30), {
  job_title: 'Seller',
  grade: 'G7',
  department_id: selling.id,
  reporting_manager_id: boss.id,
});
await move(park, day(30), { job_title: 'Head of depot', entity_id: south.id, department_id: depot.id });
// left a year ago, recorded today
const gone = await add('Gone', '2019-01-01', { job_title: 'Clerk', employment_type: 'part_time' });
await step(gone, 'separate', { type: 'resigned', last_working_date: day(-365), reason: 'Moved to another city' });
// left three years ago and returned a year ago
const back = await add('Back', '2017-01-01', { job_title: 'Clerk' });
await step(back, 'separate', { type: 'resigned', last_working_date: day(-1095), reason: 'Goes back to university' });
await step(back, 'rehire', {
  joining_date: day(-365),
  job_title: 'Analyst',
  department_id: selling.id,
  probation_end_date: day(300),
});
// is working out the notice period
const leaving = await add('Leaving', '2020-01-01', { job_title: 'Clerk' });
await step(leaving, 'separate', { type: 'resigned', last_working_date: day(20), reason: 'Found a new position' });
// joins in ten days
await add('Newcomer', day(10), { job_title: 'Trainee', employment_type: 'intern' });
const mistake = await add('Mistake', '2018-01-01');
await hr.delete(`/api/employees/${mistake}`);

type Row = {
  id: number;
  last_name: string;
  department: { name: string };
  as_of: { planned: boolean; source: string };
} & Record<string, unknown>;
type Client = typeof hr;
async function listOn(date: string, query = '', client: Client = hr) {
  const answer = await client.get(`/api/employees?as_of=${date}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { data: Row[]; meta: { total: number } };
}
const namesOn = async (date: string, query = '', client: Client = hr) =>
  (await listOn(date, query, client)).data.map(({ last_name }) => last_name);

test.each([
  ['before any record', '2016-12-31', []],
  ['the first day of the first', '2017-01-01', ['Back']],
  ['the last day before a gap', day(-1095), ['Back', 'Gone', 'Leaving', 'Park']],
  ['the day after it', day(-1094), ['Gone', 'Leaving', 'Park']],
  ['the last day of one and the first of another', day(-365), ['Back', 'Gone', 'Leaving', 'Park']],
  ['the day after it', day(-364), ['Back', 'Leaving', 'Park']],
  ['today', day(0), ['Back', 'Leaving', 'Park']],
  ['a first day to come', day(10), ['Back', 'Leaving', 'Newcomer', 'Park']],
  ['a last day to come', day(20), ['Back', 'Leaving', 'Newcomer', 'Park']],
  ['the day after it', day(21), ['Back', 'Newcomer', 'Park']],
  ['long ago', '1800-01-01', []],
])('the list as of a day has who was or will be employed then: %s', async (_, date, names) => {
  const { data, meta } = await listOn(date);
  expect([data.map(({ last_name }) => last_name), meta.total]).toEqual([names, names.length]);
});

test('a row has the job of the day, where it is known from, and no actions', async () => {
  const rowOn = async (date: string) => (await listOn(date, `&id=${park}`)).data[0];
  expect(await rowOn(day(-31))).toMatchObject({
    department: { id: buying.id, name: 'Buying' },
    reporting_manager: null,
    job_title: 'Buyer',
    grade: 'G3',
    as_of: { date: day(-31), source: 'assumed', effective_from: '2018-01-01', planned: false },
    allowed_actions: [],
  });
  expect(await rowOn(day(29))).toMatchObject({
    department: { name: 'Selling' },
    reporting_manager: { id: boss.id },
    grade: 'G7',
    as_of: { source: 'entered', planned: false },
  });
  expect(await rowOn(day(30))).toMatchObject({
    entity: { id: south.id, name: 'South' },
    department: { name: 'Depot' },
    job_title: 'Head of depot',
    // fields that a planned change does not name keep their value
    grade: 'G7',
    as_of: { effective_from: day(30), planned: true },
  });
  expect((await hr.get(`/api/employees?id=${park}`)).body.data[0]).not.toHaveProperty('as_of');
});

test('a row is the record as of that day', async () => {
  for (const date of ['2018-06-01', day(-1095), day(-365), day(-30), day(0), day(30), day(400)])
    for (const row of (await listOn(date)).data) {
      const { data } = (await hr.get(`/api/employees/${row.id}?as_of=${date}`)).body;
      const { deleted_at: _, today: __, ...record } = data;
      expect(row, date).toEqual(record);
    }
});

test.each([
  ['department', `&department_id=${selling.id}`, day(-31), ['Back']],
  ['department', `&department_id=${selling.id}`, day(-30), ['Back', 'Park']],
  ['company', `&entity_id=${south.id}`, day(29), []],
  ['company', `&entity_id=${south.id}`, day(30), ['Park']],
  ['manager', `&reporting_manager_id=${boss.id}`, day(-31), []],
  ['manager', `&reporting_manager_id=${boss.id}`, day(-30), ['Park']],
  ['status', '&employment_lifecycle=probationary', day(-300), ['Back']],
  ['status', '&employment_lifecycle=probationary', day(-1095), []],
  ['employment type', '&employment_type=part_time', day(-400), ['Gone']],
  ['job title of then', '&search=buyer', day(-31), ['Park']],
  ['job title of then', '&search=buyer', day(-30), []],
  ['job title of then', '&search=seller', day(-31), []],
  ['planned job title', '&search=head+depot', day(30), ['Park']],
  ['planned job title', '&search=head+depot', day(29), []],
  ['name and title of then', '&search=park+buy', day(-31), ['Park']],
  ['the beginning of a name and a longer title of then', '&search=pa+buyer', day(-31), ['Park']],
  ['name and title of another day', '&search=park+buyer', day(-30), []],
  ['title of then and word inside of a name', '&search=buyer+ark', day(-31), ['Park']],
  ['inside of a name', '&search=eavin', day(-31), ['Leaving']],
  ['title, which is never searched inside', '&search=uyer', day(-31), []],
  ['leaving since, a fact of the record', `&left_from=${day(-400)}&left_to=${day(-300)}`, day(-400), ['Gone']],
])('a filter by %s uses the values of the day: %s at %s', async (_, query, date, names) => {
  const { data, meta } = await listOn(date, query);
  expect([data.map(({ last_name }) => last_name), meta.total]).toEqual([names, names.length]);
});

test('an order uses the values of the day, and pages do not overlap', async () => {
  expect(await namesOn(day(-31), '&sort_by=job_title')).toEqual(['Back', 'Park', 'Leaving']);
  expect(await namesOn(day(-30), '&sort_by=job_title&sort_direction=desc')).toEqual(['Park', 'Leaving', 'Back']);
  expect(await namesOn(day(-31), '&sort_by=department_name')).toEqual(['Leaving', 'Park', 'Back']);
  expect(await namesOn(day(30), '&sort_by=entity_name&sort_direction=desc')).toEqual(['Park', 'Newcomer', 'Back']);
  expect(await namesOn(day(-31), '&sort_by=employment_lifecycle')).toEqual(['Park', 'Leaving', 'Back']);
  for (const sort of ['last_name', 'department_name', 'joining_date', 'created_at', 'employee_number']) {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => namesOn(day(-31), `&sort_by=${sort}&per_page=1&page=${page}`)),
    );
    expect(new Set(pages.flat()), sort).toEqual(new Set(['Park', 'Leaving', 'Back']));
  }
});

test('bad days and filters that say nothing of another day are refused', async () => {
  for (const date of ['nonsense', '2024-02-30', '2024-1-1', '0000-01-01']) {
    const answer = await hr.get(`/api/employees?as_of=${date}`);
    expect([date, answer.status, Object.keys(answer.body.errors)]).toEqual([date, 422, ['as_of']]);
  }
  for (const [name, value] of Object.entries({
    left: '0',
    absent: '1',
    missing: 'sign_in',
    sign_in: 'active',
    deleted: '1',
  })) {
    const answer = await hr.get(`/api/employees?as_of=${day(-31)}&${name}=${value}`);
    expect([name, answer.status, Object.keys(answer.body.errors)]).toEqual([name, 422, [name]]);
  }
  expect((await hr.get('/api/employees/head-count')).body.errors).toHaveProperty('as_of');
});

test('readers see whose employment they see today, wherever those were then', async () => {
  const reader = async (...roles: NonNullable<Parameters<typeof make.employee>[0]>['roles'] & object) =>
    as((await make.employee({ department_id: depot.id, roles })).user_id);
  const manager = await as(boss.user_id);
  expect(await namesOn(day(-31), '', manager)).toEqual(['Park']);
  expect(await namesOn('2018-06-01', '', manager)).toEqual(['Park']);
  expect(await namesOn(day(30), '', manager)).toEqual(['Park']);
  const ofAcme = await reader({ role: 'HR', entity_ids: [acme.id] });
  expect(await namesOn(day(30), '', ofAcme)).toEqual(['Back', 'Newcomer', 'Park']);
  const ofSouth = await reader({ role: 'HR', entity_ids: [south.id] });
  expect(await namesOn(day(30), '', ofSouth)).toEqual([]);
  expect(await namesOn(day(-31), '', await reader('Employee'))).toEqual([]);
  const own = (await owner.query('select user_id from employees where id = $1', [park])).rows[0] as { user_id: number };
  expect(await namesOn(day(-31), '', await as(own.user_id))).toEqual(['Park']);
});

test('readers of cards alone find no one as of a day', async () => {
  await owner.query(`insert into roles (name, scope) values ('Cards', 'own')`);
  await owner.query(
    `insert into role_permissions select r.id, p from roles r, unnest('{employees.view,employees.view_all}'::text[]) as p
     where r.name = 'Cards'`,
  );
  const cards = await as((await make.employee({ roles: [{ role: 'Cards', entity_ids: null as never }] })).user_id);
  expect((await cards.get('/api/employees?search=park')).body.meta.total).toBe(1);
  expect(await namesOn(day(-31), '&search=park', cards)).toEqual([]);
  expect(await namesOn(day(-31), '&search=buyer', cards)).toEqual([]);
});

test('the head count is the total of the list for the same filters and reader', async () => {
  const clients = [hr, await as(boss.user_id)];
  const filters = [
    '',
    `&department_id=${selling.id}`,
    `&entity_id=${acme.id}`,
    '&employment_type=intern',
    '&search=clerk',
    '&activity_status=active',
  ];
  for (const date of ['2017-06-01', day(-1095), day(-400), day(0), day(15), day(60)])
    for (const filter of filters)
      for (const client of clients) {
        const { data } = (await client.get(`/api/employees/head-count?as_of=${date}${filter}`)).body;
        const { total } = (await listOn(date, filter, client)).meta;
        const sums = [data.by_entity, data.by_department].map((groups: { count: number }[]) =>
          groups.reduce((sum, { count }) => sum + count, 0),
        );
        const types = Object.values(data.by_employment_type as Record<string, number>).reduce((a, b) => a + b, 0);
        expect([data.total, ...sums, types], `${date} ${filter}`).toEqual([total, total, total, total]);
      }
  const then = (await hr.get(`/api/employees/head-count?as_of=${day(30)}`)).body.data;
  expect(then).toMatchObject({
    as_of: day(30),
    by_entity: [
      { id: acme.id, name: 'Acme', count: 2 },
      { id: south.id, count: 1 },
    ],
    by_employment_type: { full_time: 2, part_time: 0, contract: 0, intern: 1, consultant: 0 },
  });
});

test('an export has the people and jobs of the list, without private columns', async () => {
  const answer = await hr.get(`/api/employees/export?as_of=${day(-31)}&sort_by=job_title`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-disposition']).toContain(`employees-as-of-${day(-31)}-`);
  const rows = parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map((row) => [row.last_name, row.department, row.job_title])).toEqual([
    ['Back', 'Selling', 'Analyst'],
    ['Park', 'Buying', 'Buyer'],
    ['Leaving', 'Buying', 'Clerk'],
  ]);
  expect(rows[0]).not.toHaveProperty('date_of_birth');
  for (const order of ['department_name', 'entity_name', 'job_title']) {
    const query = `&search=ann&sort_by=${order}&sort_direction=desc`;
    const { bytes } = await hr.get(`/api/employees/export?as_of=${day(-31)}${query}`);
    const found = parse<Record<string, string>>(bytes, { columns: true, bom: true }).map((row) => row.last_name);
    expect(found, order).toEqual(await namesOn(day(-31), query));
  }
  expect((await hr.get(`/api/employees/export?as_of=${day(-31)}&columns=date_of_birth`)).status).toBe(422);
});

test('the list takes two statements after the session, and head count one', async () => {
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (path: string) => {
    statements = 0;
    expect((await hr.get(`/api/employees${path}`)).status).toBe(200);
    return statements;
  };
  await cost(`?as_of=${day(-31)}`);
  expect(await cost(`?as_of=${day(-31)}&per_page=1`)).toBe(3);
  expect(await cost(`?as_of=${day(-31)}&per_page=100`)).toBe(3);
  expect(await cost(`?as_of=${day(-31)}&search=clerk`)).toBe(3);
  expect(await cost(`/head-count?as_of=${day(-31)}`)).toBe(2);
  deps.pool.removeAllListeners('acquire');
});
