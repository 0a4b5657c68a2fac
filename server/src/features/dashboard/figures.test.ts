import type { Dashboard } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { daysOf } from './days.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const days = daysOf(Temporal.Now.plainDateISO('UTC'));

const here = await make.entity({ name: 'Here' });
const there = await make.entity({ name: 'There' });
const alpha = await make.department({ entity_id: here.id, name: 'Alpha' });
const beta = await make.department({ entity_id: there.id, name: 'Beta' });
const long = '2015-03-01';
const inAlpha = { department_id: alpha.id, joining_date: long };

const hrPerson = await make.employee({ ...inAlpha, roles: ['HR'] });
const localPerson = await make.employee({ ...inAlpha, roles: [{ role: 'HR', entity_ids: [there.id] }] });
const manager = await make.employee({ ...inAlpha, roles: ['Manager'] });
const headless = await make.employee({ department_id: beta.id, joining_date: long, roles: ['Employee'] });
const subject = await make.employee({ ...inAlpha, reporting_manager_id: manager.id });
await owner.query('update departments set manager_id = $1 where id = $2', [headless.id, beta.id]);

const probation = (days_left: number | null) => ({
  employment_lifecycle: 'probationary',
  joining_date: dayFromNow(-60),
  probation_start_date: dayFromNow(-60),
  probation_end_date: days_left === null ? null : dayFromNow(days_left),
  reporting_manager_id: manager.id,
});
const people = [
  { ...inAlpha, ...probation(5) },
  { ...inAlpha, ...probation(12) },
  { ...inAlpha, ...probation(29) },
  { ...inAlpha, ...probation(-2) },
  { department_id: beta.id, ...probation(null) },
  { department_id: beta.id, joining_date: days.today, employment_type: 'intern' },
  { ...inAlpha, joining_date: dayFromNow(40) },
  { ...inAlpha, joining_date: dayFromNow(-500), employment_type: 'part_time', reporting_manager_id: manager.id },
  { department_id: beta.id, joining_date: dayFromNow(-1_300) },
  { ...inAlpha, activity_status: 'inactive' },
  { ...inAlpha, activity_status: 'inactive', employment_lifecycle: 'resigned', last_working_date: days.month_start },
  {
    department_id: beta.id,
    joining_date: long,
    activity_status: 'inactive',
    employment_lifecycle: 'terminated',
    last_working_date: dayFromNow(-200),
  },
  { ...inAlpha, employment_lifecycle: 'resigned', last_working_date: dayFromNow(20) },
  { ...inAlpha, deleted_at: new Date().toISOString() },
  // around the days on which the bands of years of service begin
  ...[1, 3, 5].flatMap((years) =>
    [-40, -1, 0, 1, 40].map((more, index) => ({
      department_id: index % 2 ? alpha.id : beta.id,
      joining_date: Temporal.PlainDate.from(days.today).subtract({ years }).add({ days: more }).toString(),
      employment_type: index % 3 ? 'full_time' : 'consultant',
      reporting_manager_id: index % 4 ? null : manager.id,
    })),
  ),
  { department_id: beta.id, joining_date: null },
];
const made: MadeEmployee[] = [];
for (const person of people) made.push(await make.employee(person));
const bare = await make.employee(inAlpha);
await owner.query('delete from role_assignments where user_id = $1', [bare.user_id]);

// a person who left and was rehired
const hr = await as(hrPerson.user_id);
const returned = await make.employee({
  ...inAlpha,
  activity_status: 'inactive',
  employment_lifecycle: 'resigned',
  last_working_date: dayFromNow(-40),
});
await hr.post(`/api/employees/${returned.id}/rehire`, { joining_date: days.today });

const cycle = await kpi.cycle({ name: 'Q1', self_assessment_closes_on: dayFromNow(-3) });
const evaluations = [
  { employee: made[0], reviewer: manager, status: 'self_assessment' },
  { employee: made[1], reviewer: manager, status: 'manager_review', reviewer_missing_since: new Date().toISOString() },
  { employee: made[2], status: 'cancelled' },
  { employee: made[3], status: 'completed', overall_percentage: 95, performance_flag: 'hipo' },
  { employee: made[4], status: 'completed', overall_percentage: 40, performance_flag: 'pip' },
  { employee: made[8], status: 'disputed' },
  { employee: manager, status: 'completed', overall_percentage: 70, performance_flag: 'standard' },
  { employee: subject, reviewer: manager, status: 'hr_review' },
] as const;
for (const one of evaluations)
  await kpi.evaluation({
    cycle_id: cycle.id,
    ...one,
    entity_id: one.employee?.entity_id ?? here.id,
    department_id: one.employee?.department_id ?? alpha.id,
  });
await owner.query(
  `insert into probation_reviews (employee_id, entity_id, department_id, reviewer_id, probation_end_date, due_date, status,
     outcome, effective_date, decided_at, person_sort)
   select e.id, e.entity_id, e.department_id, $2, $3::date, $3::date, d.status, d.outcome,
          case when d.status = 'approved' then $3::date end, case when d.status = 'approved' then now() end, fold(e.name)
   from (values ($4::bigint, 'approved', 'confirm'), ($5, 'approved', 'extend'), ($6, 'pending', null)) as d (id, status, outcome)
   join employees e on e.id = d.id where $1`,
  [true, manager.id, dayFromNow(5), subject.id, made[8]?.id, made[0]?.id],
);

const custom = await owner.query(`insert into roles (name, scope) values ('Analyst', 'all') returning id::int as id`);
await owner.query(`insert into role_permissions select $1, unnest($2::text[])`, [
  custom.rows[0].id,
  ['dashboard.view_all', 'employees.view', 'departments.view', 'kpi-evaluation.view', 'probation-review.view'],
]);
const analystPerson = await make.employee({ ...inAlpha, roles: [{ role: 'Analyst', entity_ids: [here.id] }] });
const admin = await as((await make.admin()).user_id);
const readers: Record<string, Client> = {
  hr,
  admin,
  localHr: await as(localPerson.user_id),
  manager: await as(manager.user_id),
  analyst: await as(analystPerson.user_id),
};

const active = { activity_status: 'active' };
const onProbation = { ...active, employment_lifecycle: 'probationary' };
type Filter = Record<string, string | number>;
type Expected = [figure: number | undefined, list: string, filter: Filter];

/** Each figure about people, with the list filter that finds the same people. */
function ofPeople({ headcount, movement, tenure, probation: ends, data_quality: gaps }: Dashboard): Expected[] {
  const list = 'employees';
  const month = { left_from: days.month_start, left_to: days.today };
  return [
    [headcount?.total, list, { activity_status: 'active,inactive', left: 'false' }],
    [headcount?.joining, list, { activity_status: 'joining' }],
    [headcount?.active, list, active],
    [headcount?.inactive, list, { activity_status: 'inactive', left: 'false' }],
    [headcount?.probationary, list, onProbation],
    [headcount?.confirmed, list, { ...active, employment_lifecycle: 'confirmed' }],
    ...(headcount?.by_entity ?? []).map(({ id, count }): Expected => [count, list, { ...active, entity_id: id }]),
    ...(headcount?.by_department ?? []).map(({ id, count }): Expected => [
      count,
      list,
      { ...active, department_id: id },
    ]),
    [movement?.joiners_month, list, { joined_from: days.month_start, joined_to: days.today }],
    [movement?.leavers_month, list, month],
    [movement?.rehires_month, list, { rehired_from: days.month_start, rehired_to: days.today }],
    [tenure?.bands['0-1'], list, { ...active, joined_from: dayAfter(days.one_year_ago) }],
    [
      tenure?.bands['1-3'],
      list,
      { ...active, joined_from: dayAfter(days.three_years_ago), joined_to: days.one_year_ago },
    ],
    [
      tenure?.bands['3-5'],
      list,
      { ...active, joined_from: dayAfter(days.five_years_ago), joined_to: days.three_years_ago },
    ],
    [tenure?.bands['5+'], list, { ...active, joined_to: days.five_years_ago }],
    ...Object.entries(tenure?.employment_types ?? {}).map(([type, count]): Expected => [
      count,
      list,
      { ...active, employment_type: type },
    ]),
    [ends?.on_probation, list, onProbation],
    ...([30, 14, 7] as const).map((within): Expected => [
      ends?.[`ending_${within}`],
      list,
      { ...onProbation, probation_ends_from: days.today, probation_ends_to: dayFromNow(within) },
    ]),
    [ends?.overdue, list, { ...onProbation, probation_ends_to: days.yesterday }],
    [ends?.no_end_date, list, { missing: 'probation_end' }],
    [ends?.no_review, list, { missing: 'probation_review' }],
    [gaps?.employees_without_manager, list, { ...active, reporting_manager_id: 0 }],
    [gaps?.accounts_without_role, list, { ...active, role_id: 0 }],
    [gaps?.managers_without_review_permission, list, { missing: 'review_permission' }],
    [gaps?.departments_without_manager, 'departments', { status: 'active', manager_id: 0 }],
  ];
}

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

function ofEvaluations({ kpi_cycle: figures, data_quality: gaps }: Dashboard, within: Filter = {}): Expected[] {
  const list = 'kpi-evaluations';
  const all = { cycle_id: figures?.cycle.id ?? 0, ...within };
  const late = (status: string) => ({ ...all, status, overdue: '1' });
  return [
    [figures?.total, list, all],
    ...Object.entries(figures?.by_status ?? {}).map(([status, count]): Expected => [count, list, { ...all, status }]),
    [figures?.overdue.self, list, late('self_assessment')],
    [figures?.overdue.manager, list, late('manager_review')],
    [figures?.overdue.hr, list, late('hr_review')],
    [figures?.overdue.acceptance, list, late('pending_acceptance')],
    [figures?.disputes_open, list, { ...all, status: 'disputed' }],
    ...(figures?.departments ?? []).map(({ id, total }): Expected => [total, list, { ...all, department_id: id }]),
    [gaps?.evaluations_without_reviewer, list, { ...within, missing_reviewer: '1' }],
  ];
}

async function listed(client: Client, list: string, filter: Filter): Promise<number> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const { status, body } = await client.get(`/api/${list}?${query}&per_page=1`);
  expect(status, `${list}?${query}`).toBe(200);
  return body.meta.total;
}

async function expectListed(client: Client, expected: Expected[]): Promise<number> {
  const shown = expected.filter(([figure]) => figure !== undefined);
  for (const [figure, list, filter] of shown)
    expect([list, filter, await listed(client, list, filter)]).toEqual([list, filter, figure]);
  return shown.length;
}

const dashboardOf = async (client: Client, query = ''): Promise<Dashboard> =>
  (await client.get(`/api/dashboard${query}`)).body.data;

test.each(['hr', 'admin', 'manager', 'analyst', 'localHr'])(
  'each figure about people is the length of a list of %s',
  async (name) => {
    const client = readers[name] as Client;
    expect(await expectListed(client, ofPeople(await dashboardOf(client)))).toBeGreaterThan(15);
  },
);

test.each(['hr', 'admin', 'manager'])('each figure about a cycle is the length of a list of %s', async (name) => {
  const client = readers[name] as Client;
  expect(await expectListed(client, ofEvaluations(await dashboardOf(client)))).toBeGreaterThan(12);
});

test('HR of a company who reviews elsewhere finds each figure about a cycle in its list', async () => {
  const across = await kpi.cycle({ name: 'Across', self_assessment_closes_on: dayFromNow(-3) });
  const at = (employee: MadeEmployee | undefined, more: object = {}) =>
    kpi.evaluation({
      cycle_id: across.id,
      employee,
      entity_id: employee?.entity_id ?? here.id,
      department_id: employee?.department_id ?? alpha.id,
      ...more,
    });
  await at(made[4], { status: 'hr_review' });
  await at(made[8], { status: 'completed', overall_percentage: 40, performance_flag: 'pip' });
  await at(made[0], { status: 'self_assessment', reviewer: localPerson });
  await at(made[1], { status: 'completed', overall_percentage: 95, performance_flag: 'hipo', reviewer: localPerson });
  await at(localPerson, { status: 'completed', overall_percentage: 70, performance_flag: 'standard' });
  await at(made[2], { status: 'hr_review' });
  const client = readers['localHr'] as Client;
  const shown = await dashboardOf(client, `?cycle_id=${across.id}`);
  expect(shown.kpi_cycle).toMatchObject({ cycle: { id: across.id }, total: 5 });
  expect(await expectListed(client, ofEvaluations(shown))).toBeGreaterThan(12);
  // neither of them counts the reader's own result
  expect(shown.kpi_cycle).toMatchObject({ average_percentage: 67.5, flags: { pip: 1, standard: 0, hipo: 1 } });
  for (const one of [here, there]) {
    const narrowed = await dashboardOf(client, `?cycle_id=${across.id}&entity_id=${one.id}`);
    expect(narrowed.kpi_cycle?.total).toBe(one === here ? 3 : 2);
    await expectListed(client, ofEvaluations(narrowed, { entity_id: one.id }));
  }
  await owner.query('delete from kpi_evaluations where cycle_id = $1', [across.id]);
});

test('a company filter narrows every figure to its list', async () => {
  const shown = await dashboardOf(hr, `?entity_id=${there.id}`);
  const narrowed = ofPeople(shown).map(([figure, list, filter]): Expected => [
    figure,
    list,
    { ...filter, entity_id: there.id },
  ]);
  const withoutOthers = narrowed.filter(([, , filter]) => filter.department_id === undefined);
  expect(await expectListed(hr, withoutOthers)).toBeGreaterThan(20);
  await expectListed(hr, ofEvaluations(shown, { entity_id: there.id }));
  expect(shown.headcount?.by_entity.map(({ name }) => name)).toEqual(['There']);
  expect((await dashboardOf(hr, '?entity_id=999999')).headcount).toMatchObject({ total: 0, active: 0, by_entity: [] });
});

test('figures of whole companies stay the same when the counts kept of them are folded', async () => {
  const before = await dashboardOf(hr);
  await owner.query('select fold_employee_counts(), fold_kpi_evaluation_counts()');
  const { headcount, movement, tenure } = await dashboardOf(hr);
  expect({ ...headcount, as_of: '' }).toEqual({ ...before.headcount, as_of: '' });
  expect({ ...movement, as_of: '' }).toEqual({ ...before.movement, as_of: '' });
  expect({ ...tenure, as_of: '' }).toEqual({ ...before.tenure, as_of: '' });
});

test('recently decided probations and headcount changes are read from the partitions', async () => {
  const { headcount, movement, probation: ends, data_quality: gaps } = await dashboardOf(hr);
  expect(ends?.outcomes_quarter).toEqual({ confirm: 1, extend: 1, terminate: 0 });
  expect([ends?.extension_rate_pct, ends?.no_review, ends?.overdue]).toEqual([50, 3, 1]);
  expect(headcount?.delta_month).toBe((movement?.joiners_month ?? 0) - (movement?.leavers_month ?? 0));
  expect(movement?.rehires_month).toBe(1);
  const total = headcount?.total ?? 0;
  // three left within a year; a person who joined and left in between was not there a year ago
  const joined = await listed(hr, 'employees', { joined_from: days.year_start, joined_to: days.today });
  expect(movement?.turnover_pct).toBe(Math.round((10_000 * 2 * 3) / (2 * total - joined + 3)) / 100);
  expect(gaps?.managers_without_review_permission).toBe(1);
  expect(gaps?.accounts_without_role).toBe(1);
});

test('neither a figure nor its list reveals that the own probation review was opened', async () => {
  const place = await make.department({ name: 'Nowhere' });
  const onTrial = { department_id: place.id, probation_end_date: dayFromNow(5) };
  const reader = await make.employee({ ...onTrial, employment_lifecycle: 'probationary', roles: ['HR'] });
  const other = await make.employee({ ...onTrial, employment_lifecycle: 'probationary' });
  const client = await as(reader.user_id);
  const lacking = async (who: Client) => {
    const query = `?entity_id=${place.entity_id}`;
    const { body } = await who.get(`/api/employees${query}&missing=probation_review&sort_by=employee_number`);
    const ids = (body.data as { id: number }[]).map(({ id }) => id);
    expect([(await dashboardOf(who, query)).probation?.no_review, body.meta.total]).toEqual([ids.length, ids.length]);
    return ids;
  };
  expect((await lacking(hr)).toSorted((a, b) => a - b)).toEqual([reader.id, other.id]);
  expect(await lacking(client)).toEqual([other.id]);
  expect((await hr.post('/api/probation-reviews', { employee_id: reader.id })).status).toBe(201);
  expect(await lacking(hr)).toEqual([other.id]);
  expect(await lacking(client)).toEqual([other.id]);
});
