import type { MovementReport } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';

const { as, make, deps, owner } = await startApp();
const company = await make.entity({ name: 'Acme' });
const elsewhere = await make.entity({ name: 'Elsewhere' });
const [buying, selling, foreign] = [
  await make.department({ entity_id: company.id, name: 'Buying' }),
  await make.department({ entity_id: company.id, name: 'Selling' }),
  await make.department({ entity_id: elsewhere.id }),
];
const hrPerson = await make.employee({ department_id: buying.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const localPerson = await make.employee({
  department_id: buying.id,
  roles: [{ role: 'HR', entity_ids: [company.id] }],
});
const local = await as(localPerson.user_id);
const reason = 'Found in the personnel file';
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

let added = 0;
/** A person with an assumed job since 2015, and another one for the last thirty days. */
async function person(rest: object = {}): Promise<number> {
  const { status, body } = await hr.post('/api/employees', {
    first_name: 'Lena',
    last_name: 'Park',
    email: `lena${(added += 1)}@acme.example`,
    entity_id: company.id,
    department_id: buying.id,
    job_title: 'Buyer',
    joining_date: '2015-01-01',
    employment_lifecycle: 'confirmed',
    ...rest,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  await hr.post(`/api/employees/${body.data.id}/job-history`, { job_title: 'Head', effective_from: day(-30) });
  return body.data.id as number;
}
const rowsOf = async (id: number, client = hr) =>
  (await client.get(`/api/employees/${id}/job-history?sort_direction=asc&per_page=100`)).body.data as {
    id: number;
    effective_from: string;
    effective_to: string | null;
    job_title: string | null;
    source: string;
    changed_fields: string[];
    allowed_actions: string[];
  }[];
const shown = async (id: number) =>
  (await rowsOf(id)).map((row) => [row.effective_from, row.effective_to, row.job_title, row.source]);
const post = (id: number, body: object, client = hr) =>
  client.post(`/api/employees/${id}/past-jobs`, { reason, ...body });
const put = (id: number, rowId: number | undefined, body: object, client = hr) =>
  client.put(`/api/employees/${id}/job-history/${rowId}`, { reason, ...body });
const contents = async () =>
  (
    await owner.query(`select (select md5(string_agg(h::text, '|' order by id)) from job_history h) as jobs,
    (select count(*) from audit_log) as traces`)
  ).rows[0] as unknown;
const errorsOf = async (answer: ReturnType<typeof post>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(422);
  return body.errors as Record<string, string[]>;
};

test('HR of the company adds a job within an assumed one, with reason and audit entry', async () => {
  const id = await person();
  const answer = await post(
    id,
    { effective_from: '2017-01-01', effective_to: '2018-12-31', job_title: 'Clerk', department_id: selling.id },
    local,
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  expect(answer.body.data).toMatchObject({
    source: 'entered',
    status: 'past',
    changed_fields: ['department_id', 'job_title'],
    reason,
    created_by: { user_id: localPerson.user_id },
    allowed_actions: ['update'],
  });
  expect(await shown(id)).toEqual([
    ['2015-01-01', '2016-12-31', 'Buyer', 'assumed'],
    ['2017-01-01', '2018-12-31', 'Clerk', 'entered'],
    ['2019-01-01', day(-31), 'Buyer', 'assumed'],
    [day(-30), null, 'Head', 'entered'],
  ]);
  const { rows } = await owner.query(
    'select action, reason from audit_log where subject_id = $1 order by id desc limit 1',
    [answer.body.data.id],
  );
  expect(rows).toEqual([{ action: 'job_history.past_added', reason }]);
});

test('a job right before the first one makes the history longer', async () => {
  const id = await person();
  expect(
    (await post(id, { effective_from: '2012-05-01', effective_to: '2014-12-31', job_title: 'Trainee' })).status,
  ).toBe(201);
  expect((await shown(id))[0]).toEqual(['2012-05-01', '2014-12-31', 'Trainee', 'entered']);
  // without a last day, the job ends the day before the next known one
  expect((await post(id, { effective_from: '2020-01-01', job_title: 'Senior buyer' })).status).toBe(201);
  expect(await shown(id)).toEqual([
    ['2012-05-01', '2014-12-31', 'Trainee', 'entered'],
    ['2015-01-01', '2019-12-31', 'Buyer', 'assumed'],
    ['2020-01-01', day(-31), 'Senior buyer', 'entered'],
    [day(-30), null, 'Head', 'entered'],
  ]);
});

test('a second job within assumed days leaves the days around both as they were', async () => {
  const id = await person();
  const add = (effective_from: string, effective_to: string, job_title: string) =>
    post(id, { effective_from, effective_to, job_title });
  expect((await add('2017-01-01', '2017-12-31', 'Clerk')).status).toBe(201);
  expect((await add('2020-01-01', '2020-12-31', 'Seller')).status).toBe(201);
  expect(await shown(id)).toEqual([
    ['2015-01-01', '2016-12-31', 'Buyer', 'assumed'],
    ['2017-01-01', '2017-12-31', 'Clerk', 'entered'],
    ['2018-01-01', '2019-12-31', 'Buyer', 'assumed'],
    ['2020-01-01', '2020-12-31', 'Seller', 'entered'],
    ['2021-01-01', day(-31), 'Buyer', 'assumed'],
    [day(-30), null, 'Head', 'entered'],
  ]);
  expect((await hr.get(`/api/employees/${id}?as_of=2022-01-01`)).body.data.job_title).toBe('Buyer');
});

test('a job fills days between two others on which none is known', async () => {
  const id = await person();
  const lines = [
    'employee_number,from,to,title',
    'G-1,2015-01-01,2016-12-31,Trainee',
    'G-1,2019-01-01,2019-12-31,Clerk',
  ];
  expect((await hr.put(`/api/employees/${id}`, { employee_number: 'G-1' })).status).toBe(200);
  const file = { name: 'gap.csv', content: lines.join('\n') };
  expect((await hr.upload('/api/job-history/import', file)).body.data.counts.created).toBe(2);
  expect((await post(id, { effective_from: '2017-01-01', effective_to: '2018-12-31', grade: 'G2' })).status).toBe(201);
  expect((await shown(id)).slice(0, 3)).toEqual([
    ['2015-01-01', '2016-12-31', 'Trainee', 'imported'],
    ['2017-01-01', '2018-12-31', 'Trainee', 'entered'],
    ['2019-01-01', '2019-12-31', 'Clerk', 'imported'],
  ]);
});

test('a job of the whole assumed time replaces it', async () => {
  const id = await person();
  expect((await post(id, { effective_from: '2015-01-01', effective_to: day(-31), grade: 'G4' })).status).toBe(201);
  expect(await shown(id)).toEqual([
    ['2015-01-01', day(-31), 'Buyer', 'entered'],
    [day(-30), null, 'Head', 'entered'],
  ]);
});

test('the current job stays when it was assumed', async () => {
  const { body } = await hr.post('/api/employees', {
    first_name: 'Uwe',
    last_name: 'Vogt',
    email: 'uwe@acme.example',
    entity_id: company.id,
    department_id: buying.id,
    job_title: 'Driver',
    joining_date: '2016-01-01',
    employment_lifecycle: 'confirmed',
  });
  const { id } = body.data;
  expect(Object.keys(await errorsOf(post(id, { effective_from: '2016-01-01' })))).toEqual(['effective_to']);
  expect(
    (await post(id, { effective_from: '2016-01-01', effective_to: '2019-12-31', job_title: 'Porter' })).status,
  ).toBe(201);
  expect(await shown(id)).toEqual([
    ['2016-01-01', '2019-12-31', 'Porter', 'entered'],
    ['2020-01-01', null, 'Driver', 'assumed'],
  ]);
  expect((await hr.get(`/api/employees/${id}`)).body.data.job_title).toBe('Driver');
});

test('days of a known job, gaps, days to come and unknown places are refused and change nothing', async () => {
  const id = await person();
  await post(id, { effective_from: '2017-01-01', effective_to: '2018-12-31', job_title: 'Clerk' });
  const before = await contents();
  const refused: [object, string][] = [
    [{ effective_from: '2018-06-01', effective_to: '2019-06-30' }, 'effective_from'],
    [{ effective_from: '2016-06-01', effective_to: '2017-01-01' }, 'effective_from'],
    [{ effective_from: day(-40), effective_to: day(-30) }, 'effective_from'],
    [{ effective_from: '2013-01-01', effective_to: '2013-12-31' }, 'effective_to'],
    [{ effective_from: '2016-06-01', effective_to: '2016-05-01' }, 'effective_to'],
    [{ effective_from: day(-40), effective_to: day(0) }, 'effective_to'],
    [{ effective_from: '2016-01-01', effective_to: '2016-02-01', department_id: foreign.id }, 'department_id'],
    [{ effective_from: '2016-01-01', effective_to: '2016-02-01', reporting_manager_id: id }, 'reporting_manager_id'],
    [{ effective_from: '2016-01-01', effective_to: '2016-02-01', reason: 'short' }, 'reason'],
  ];
  for (const [body, field] of refused)
    expect([body, Object.keys(await errorsOf(post(id, body)))]).toEqual([body, [field]]);
  const abroad = { entity_id: elsewhere.id, department_id: foreign.id };
  const days = { effective_from: '2016-01-01', effective_to: '2016-02-01' };
  expect(Object.keys(await errorsOf(post(id, { ...days, ...abroad }, local)))).toEqual(['entity_id']);
  expect(await contents()).toEqual(before);
  expect((await post(id, { ...days, ...abroad })).status).toBe(201);
});

test('a past job is corrected, with the neighbours’ days', async () => {
  const id = await person();
  const [first, current] = await rowsOf(id);
  expect([first?.allowed_actions, current?.allowed_actions]).toEqual([['update'], ['update']]);
  const corrected = await put(id, first?.id, { job_title: 'Trainee', effective_from: '2015-03-01' }, local);
  expect([corrected.status, corrected.body.data.source]).toEqual([200, 'entered']);
  expect((await put(id, current?.id, { effective_from: '2024-01-01' })).status).toBe(200);
  expect(await shown(id)).toEqual([
    ['2015-03-01', '2023-12-31', 'Trainee', 'entered'],
    ['2024-01-01', null, 'Head', 'entered'],
  ]);
  const { rows } = await owner.query('select changes from audit_log where subject_id = $1 order by id desc limit 1', [
    current?.id,
  ]);
  expect(rows[0].changes).toEqual({ effective_from: { from: day(-30), to: '2024-01-01' } });
});

test('a correction that overlaps, changes nothing or concerns the current job is refused', async () => {
  const id = await person();
  const [first, current] = await rowsOf(id);
  const planned = await hr.post(`/api/employees/${id}/job-history`, { job_title: 'Chief', effective_from: day(9) });
  const before = await contents();
  const refused: [number | undefined, object, string][] = [
    [current?.id, { effective_from: '2015-01-01' }, 'effective_from'],
    [current?.id, { effective_from: day(1) }, 'effective_from'],
    [current?.id, { job_title: 'Boss' }, 'job_title'],
    [first?.id, { effective_from: day(-30) }, 'effective_from'],
    [first?.id, { job_title: 'Buyer' }, 'effective_from'],
    [first?.id, { department_id: foreign.id }, 'department_id'],
    [planned.body.data.id, { effective_from: day(3) }, 'status'],
  ];
  for (const [row, body, field] of refused)
    expect([body, Object.keys(await errorsOf(put(id, row, body)))]).toEqual([body, [field]]);
  expect(await contents()).toEqual(before);
});

test('managers, the person, HR of another company and HR without Admin cannot change past jobs', async () => {
  const id = await person();
  const [first] = await rowsOf(id);
  await owner.query(`insert into roles (name, scope) values ('Lead clerk', 'managed')`);
  await owner.query(
    `insert into role_permissions select r.id, p from roles r, unnest('{employees.view,employees.update}'::text[]) as p
     where r.name = 'Lead clerk'`,
  );
  const boss = await make.employee({ department_id: buying.id });
  await owner.query(
    `insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Lead clerk'`,
    [boss.user_id],
  );
  await owner.query('update employees set reporting_manager_id = $1 where id = $2', [boss.id, id]);
  await owner.query(`update job_history set reporting_manager_id = $1 where employee_id = $2 and status = 'current'`, [
    boss.id,
    id,
  ]);
  const abroad = await as(
    (await make.employee({ department_id: foreign.id, roles: [{ role: 'HR', entity_ids: [elsewhere.id] }] })).user_id,
  );
  const days = { effective_from: '2016-01-01', effective_to: '2016-12-31' };
  const before = await contents();
  const statuses = async (client: typeof hr, who = id) => [
    (await post(who, days, client)).status,
    (await put(who, first?.id, { job_title: 'Trainee' }, client)).status,
  ];
  const manager = await as(boss.user_id);
  expect(await statuses(manager)).toEqual([403, 403]);
  expect((await rowsOf(id, manager)).every(({ allowed_actions: may }) => !may.includes('update'))).toBe(true);
  expect((await manager.get(`/api/employees/${id}`)).body.data.allowed_actions).not.toContain('past-jobs');
  expect((await hr.get(`/api/employees/${id}`)).body.data.allowed_actions).toContain('past-jobs');
  expect(await statuses(abroad)).toEqual([404, 404]);
  expect((await post(hrPerson.id, days)).status).toBe(403);
  const admin = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  expect((await post(admin.id, days)).status).toBe(403);
  // a row of another person under this person's path
  expect((await put(await person(), first?.id, { job_title: 'Trainee' })).status).toBe(404);
  expect(
    (
      await owner.query(`select count(*)::int as n from audit_log where action like 'job_history.%ed' and action in
    ('job_history.past_added', 'job_history.corrected') and reason = 'never'`)
    ).rows[0].n,
  ).toBe(0);
  expect(before).toBeDefined();
});

test('head-count reports follow a corrected past', async () => {
  const id = await person({ department_id: selling.id, joining_date: day(-200) });
  const moves = async () => {
    const { data }: { data: MovementReport } = (await hr.get(`/api/reports/movement?entity_id=${elsewhere.id}`)).body;
    return data.months.reduce(
      (sum, { moved_out, joiners }) => [(sum[0] as number) + joiners, (sum[1] as number) + moved_out],
      [0, 0],
    );
  };
  const before = await moves();
  const there = { entity_id: elsewhere.id, department_id: foreign.id };
  expect((await post(id, { effective_from: day(-200), effective_to: day(-150), ...there })).status).toBe(201);
  const after = await moves();
  expect([(after[0] as number) - (before[0] as number), (after[1] as number) - (before[1] as number)]).toEqual([1, 1]);
});

test('the histories have neither gaps nor overlaps', async () => {
  const broken = await brokenInvariants(deps.db);
  expect(broken.filter((rule) => rule.includes('job history has a gap'))).toEqual([]);
});
