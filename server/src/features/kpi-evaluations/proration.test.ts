import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { employedDays } from '../../testing/employed-days.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { rehire } from '../../testing/rehired.ts';
import { settleKpiDays } from './days.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const { historyOf } = evaluationTesting(app);
const kpi = kpiMaker(app);
const here = await make.entity();
const boss = await make.employee({ entity_id: here.id, roles: ['Manager'] });
const hrPerson = await make.employee({
  entity_id: here.id,
  department_id: boss.department_id,
  roles: [{ role: 'HR', entity_ids: [here.id] }],
});
const [reviewer, hr] = [await as(boss.user_id), await as(hrPerson.user_id)];
const cycleDays = { start_date: '2026-01-01', end_date: '2026-12-31' };
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const reason = 'The contract says so.';
const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;

const measured = { item_type: 'measured', direction: 'higher_better', target_value: 36_500 };
const items = [
  { name: 'Revenue', weight: 40, ...measured, prorate: true },
  { name: 'Satisfaction', weight: 30, ...measured, target_value: 80 },
  { name: 'Complaints', weight: 20, ...measured, direction: 'lower_better', target_value: 73, prorate: true },
  { name: 'Teamwork', weight: 10 },
];

/** Publishes a cycle for a separate department, as HR of the company. */
async function published(fields: Parameters<typeof make.employee>[0] = {}, days = cycleDays) {
  const department = await make.department({ entity_id: here.id });
  const person = await make.employee({
    department_id: department.id,
    reporting_manager_id: boss.id,
    employment_lifecycle: 'confirmed',
    ...fields,
  });
  const name = `Prorated ${department.id}`;
  const made = await hr.post('/api/kpi-templates', { name, entity_id: here.id, items });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  const cycle = await kpi.cycle({
    ...days,
    entity_id: here.id,
    status: 'draft',
    self_assessment_closes_on: dayFromNow(5),
    departments: [{ department_id: department.id, template_id: made.body.data.id }],
  });
  expect((await hr.post(`/api/kpi-cycles/${cycle.id}/publish`)).body.result).toMatchObject({ created: 1 });
  const { rows } = await owner.query('select id::int from kpi_evaluations where cycle_id = $1', [cycle.id]);
  return { person, id: rows[0].id as number, client: await as(person.user_id) };
}

/** Runs the jobs that changes of people added. */
async function settled(): Promise<number> {
  const { rows } = await owner.query<{ id: number; payload: unknown }>(`
    delete from graphile_worker._private_jobs where key like 'settle_kpi_days:%' returning id, payload`);
  for (const { payload } of rows) await settleKpiDays({ deps, now: await databaseNow(deps.db) }, payload);
  return rows.length;
}

describe('a person who joins within the cycle', () => {
  test('has prorated targets of the items that say so, and scores by them, which the explanation shows', async () => {
    // 184 of 365 days: 18,400 of 36,500 and 36.8 of 73
    const { id, client } = await published({ joining_date: '2026-07-01' });
    const before = (await client.get(path(id))).body.data;
    expect(before).toMatchObject({ employed_days: 184, cycle_days: 365 });
    const days = { employed_days: 184, cycle_days: 365, baseline_value: null };
    expect(before.items.map((one: { proration: object }) => one.proration)).toEqual([
      { ...days, target_value: 18_400 },
      null,
      { ...days, target_value: 36.8 },
      null,
    ]);
    expect(before.items[0]).toMatchObject({ target_value: 36_500, prorate: true });
    const ids = before.items.map((one: { id: number }) => one.id);
    const answers = [20_240, 80, 36.8].map((self_actual_value, index) => ({ id: ids[index], self_actual_value }));
    const sent = await client.post(path(id, 'self-assessment'), { items: [...answers, { id: ids[3], self_score: 4 }] });
    expect([sent.status, sent.body.errors]).toEqual([200, undefined]);
    expect(sent.body.data.items.map((one: { self_score: number }) => one.self_score)).toEqual([5, 4, 4, 4]);
    expect(sent.body.data.explain.self.items[0]).toMatchObject({
      achievement_pct: 110,
      score: 5,
      proration: { ...days, target_value: 18_400 },
    });
    const manager = answers.map((one) => ({ id: one.id, manager_actual_value: one.self_actual_value - 2_400 }));
    const review = await reviewer.post(path(id, 'manager-review'), {
      items: [
        manager[0],
        ...[1, 2].map((at) => ({ id: ids[at], manager_actual_value: answers[at]?.self_actual_value })),
        { id: ids[3], manager_score: 4 },
      ],
    });
    expect([review.status, review.body.errors]).toEqual([200, undefined]);
    // 17,840 of 18,400 is 96.96 %
    expect(review.body.data.items[0]).toMatchObject({ manager_score: 3, achievement_pct: 96.96 });
    const pdf = await hr.get(path(id, 'pdf'));
    expect(pdf.status).toBe(200);
  });

  test('with a full cycle has full targets', async () => {
    const { id, client } = await published({ joining_date: '2026-01-01' });
    const { data } = (await client.get(path(id))).body;
    expect(data).toMatchObject({ employed_days: 365, cycle_days: 365 });
    expect(data.items.every((one: { proration: unknown }) => one.proration === null)).toBe(true);
  });
});

describe('days that change', () => {
  test('before the review is submitted give targets and scores anew, with an entry in history and audit log', async () => {
    const { id, person, client } = await published({ joining_date: '2026-07-01' });
    const ids = (await client.get(path(id))).body.data.items.map((one: { id: number }) => one.id);
    const values = [18_400, 80, 36.8].map((self_actual_value, index) => ({ id: ids[index], self_actual_value }));
    await client.post(path(id, 'self-assessment'), { items: [...values, { id: ids[3], self_score: 4 }] });
    await reviewer.put(path(id), { items: [{ id: ids[0], manager_actual_value: 18_400 }] });
    const put = await hr.put(`/api/employees/${person.id}`, { joining_date: '2026-10-01' });
    expect([put.status, put.body.errors]).toEqual([200, undefined]);
    expect(await settled()).toBe(1);
    // 92 of 365 days: 9,200 of 36,500, and twice the allowed complaints
    const { data } = (await reviewer.get(path(id))).body;
    expect(data).toMatchObject({ employed_days: 92, self_overall_score: 3.8, status: 'manager_review' });
    expect(data.items).toMatchObject([
      { self_score: 5, manager_score: 5, proration: { target_value: 9_200 } },
      { self_score: 4, manager_score: null },
      { self_score: 1 },
      { self_score: 4 },
    ]);
    expect((await historyOf(id)).at(-1)).toEqual(['days-changed', 'manager_review', 'manager_review', null, 1, null]);
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'kpi_evaluation.days-changed' and subject_id = $1",
      [id],
    );
    expect(rows).toEqual([{ changes: { employed_days: { from: 184, to: 92 } } }]);
    // the same days change nothing
    await owner.query("update employees set last_working_date = '2026-12-31' where id = $1", [person.id]);
    await settled();
    expect((await historyOf(id)).filter(([action]) => action === 'days-changed')).toHaveLength(1);
  });

  test('after it change nothing, until the review is sent back', async () => {
    const { id, person, client } = await published({ joining_date: '2026-07-01' });
    const ids = (await client.get(path(id))).body.data.items.map((one: { id: number }) => one.id);
    const values = (side: string) => [
      ...[18_400, 80, 36.8].map((value, index) => ({ id: ids[index], [`${side}_actual_value`]: value })),
      { id: ids[3], [`${side}_score`]: 4 },
    ];
    await client.post(path(id, 'self-assessment'), { items: values('self') });
    expect((await reviewer.post(path(id, 'manager-review'), { items: values('manager') })).status).toBe(200);
    await hr.put(`/api/employees/${person.id}`, { joining_date: '2026-10-01' });
    expect(await settled()).toBe(0);
    expect((await hr.get(path(id))).body.data).toMatchObject({ employed_days: 184, overall_score: 4 });
    expect((await hr.post(path(id, 'return'), { reason })).status).toBe(200);
    expect(await settled()).toBe(1);
    const { data } = (await hr.get(path(id))).body;
    expect(data).toMatchObject({ employed_days: 92, status: 'manager_review' });
    expect(data.items[0]).toMatchObject({ manager_score: 5, proration: { target_value: 9_200 } });
  });

  test('follow a separation and its withdrawal, and leave closed cycles and other people alone', async () => {
    // a separation is withdrawn before its last day
    const next = new Date().getUTCFullYear() + 1;
    const days = { start_date: `${next}-01-01`, end_date: `${next}-10-31` };
    const other = await published({ joining_date: '2020-01-01' }, days);
    const { id, person } = await published({ joining_date: '2020-01-01' }, days);
    const last_working_date = `${next}-10-01`;
    const [whole, shorter] = [days.end_date, last_working_date].map((end) => daysBetween(days.start_date, end));
    const body = { type: 'resigned', notice_date: dayFromNow(0), last_working_date, reason };
    const gone = await hr.post(`/api/employees/${person.id}/separate`, body);
    expect([gone.status, gone.body.errors]).toEqual([200, undefined]);
    await settled();
    expect((await hr.get(path(id))).body.data).toMatchObject({ employed_days: shorter });
    expect((await hr.get(path(other.id))).body.data).toMatchObject({ employed_days: whole });
    const back = await hr.post(`/api/employees/${person.id}/withdraw-separation`, { reason });
    expect([back.status, back.body.errors]).toEqual([200, undefined]);
    await settled();
    expect((await hr.get(path(id))).body.data).toMatchObject({ employed_days: whole });
    await owner.query(
      "update kpi_cycles set status = 'closed' where id = (select cycle_id from kpi_evaluations where id = $1)",
      [id],
    );
    await owner.query('update employees set joining_date = $2 where id = $1', [person.id, `${next}-06-01`]);
    await settled();
    expect((await hr.get(path(id))).body.data).toMatchObject({ employed_days: whole });
  });

  test('a former draft that is taken over is scored by the targets of now', async () => {
    const { id, person, client } = await published({ joining_date: '2026-07-01' });
    const next = await make.employee({ entity_id: here.id, roles: ['Manager'] });
    const ids = (await client.get(path(id))).body.data.items.map((one: { id: number }) => one.id);
    await hr.post(path(id, 'skip-self-assessment'), { reason });
    await reviewer.put(path(id), { items: [{ id: ids[0], manager_actual_value: 9_200 }] });
    expect((await hr.get(path(id))).body.data.status).toBe('manager_review');
    expect((await hr.put(path(id, 'reviewer'), { reviewer_id: next.id, reason })).status).toBe(200);
    await hr.put(`/api/employees/${person.id}`, { joining_date: '2026-10-01' });
    await settled();
    const stepHandler = await as(next.user_id);
    const taken = await stepHandler.post(path(id, 'former-draft'), { decision: 'take' });
    expect([taken.status, taken.body.errors]).toEqual([200, undefined]);
    expect(taken.body.data.items[0]).toMatchObject({ manager_actual_value: 9_200, manager_score: 4 });
  });
});

describe('the days of an employment before a rehire', () => {
  const employment = { joining_date: '2026-10-01' };
  /** A job from March until April, and the one after the rehire in October. */
  async function rehired() {
    const made = await published(employment);
    await rehire(owner, made.person);
    await settled();
    expect(await daysOf(made.id)).toBe(
      daysBetween('2026-03-01', '2026-04-30') + daysBetween('2026-10-01', '2026-12-31'),
    );
    return made;
  }
  const daysOf = async (id: number) => (await hr.get(path(id))).body.data.employed_days as number;

  test('follow a job that HR adds before the first one, and its corrected first day', async () => {
    const { id, person } = await rehired();
    const before = await daysOf(id);
    const earlier = { effective_from: '2026-02-01', effective_to: '2026-02-28', job_title: 'Trainee', reason };
    const added = await hr.post(`/api/employees/${person.id}/past-jobs`, earlier);
    expect([added.status, added.body.errors]).toEqual([201, undefined]);
    await settled();
    expect(await daysOf(id)).toBe(before + 28);
    const row = `/api/employees/${person.id}/job-history/${added.body.data.id}`;
    const corrected = await hr.put(row, { effective_from: '2026-01-01', reason });
    expect([corrected.status, corrected.body.errors]).toEqual([200, undefined]);
    await settled();
    expect(await daysOf(id)).toBe(before + 28 + 31);
  });
});

test('evaluations from before the rule have no days and full targets', async () => {
  const template = await kpi.template({ items: [{ name: 'Revenue', weight: 10_000, ...measured, prorate: true }] });
  const person = await make.employee({ entity_id: here.id, joining_date: '2026-07-01' });
  const cycle = await kpi.cycle(cycleDays);
  const { id } = await kpi.evaluation({ employee: person, reviewer: boss, template, cycle_id: cycle.id });
  await owner.query("update employees set joining_date = '2026-08-01' where id = $1", [person.id]);
  expect(await settled()).toBe(0);
  const { data } = (await reviewer.get(path(id))).body;
  expect(data).toMatchObject({ employed_days: null, cycle_days: null, items: [{ proration: null }] });
});

describe('the days of employment inside a cycle', () => {
  const years = [
    ['2026-01-01', '2026-12-31'],
    ['2028-01-01', '2028-12-31'],
    ['2028-02-28', '2028-03-01'],
    ['2026-04-01', '2026-06-30'],
  ] as const;
  /**
   * Joining date, last working day while leaving, and previous employments: history has the first day of the next one.
   */
  type Case = readonly [joined: string | null, last: string | null, before?: readonly (readonly [string, string])[]];
  const cases: readonly Case[] = [
    [null, null],
    ['2019-07-01', null],
    ['2026-01-01', null],
    ['2026-12-31', null],
    ['2026-07-04', null],
    ['2028-02-29', null],
    ['2028-03-01', null],
    ['2020-01-01', '2026-01-01'],
    ['2020-01-01', '2026-12-31'],
    ['2020-01-01', '2026-05-15'],
    ['2020-01-01', '2028-02-28'],
    ['2020-01-01', '2028-02-29'],
    ['2026-05-01', '2026-05-31'],
    ['2026-05-01', '2026-05-01'],
    ['2030-01-01', null],
    ['2010-01-01', '2019-12-31'],
    ['2026-10-01', null, [['2020-01-01', '2026-03-31']]],
    ['2026-10-01', '2026-11-30', [['2026-02-01', '2026-03-31']]],
    [
      '2026-09-01',
      null,
      [
        ['2026-02-01', '2026-03-31'],
        ['2026-05-01', '2026-06-15'],
      ],
    ],
    // rehired the day after
    ['2026-04-01', null, [['2020-01-01', '2026-03-31']]],
    ['2028-03-01', null, [['2020-01-01', '2028-02-29']]],
  ];
  const addJobs = async (person: MadeEmployee, joined: string | null, before: NonNullable<Case[2]>) => {
    const starts = [...before.map(([from]) => from), ...(before.length > 0 && joined ? [joined] : [])];
    for (const [index, from] of starts.entries())
      await owner.query(
        `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
           employment_type, employment_lifecycle, rehired_after, created_by_name)
         select id, $2, $3, '{}', entity_id, department_id, employment_type, employment_lifecycle, $4, 'HR'
         from employees where id = $1`,
        [person.id, from, index === starts.length - 1 ? 'current' : 'past', before[index - 1]?.[1] ?? null],
      );
  };

  test.each(cases.map((one) => ({ case: one })))('$case', async ({ case: [joining_date, last, before = []] }) => {
    const person = await make.employee({
      joining_date,
      ...(last && { employment_lifecycle: 'resigned', last_working_date: last, activity_status: 'inactive' }),
    });
    await addJobs(person, joining_date, before);
    for (const [first, until] of years) {
      const { rows } = await sql<{ days: number }>`
        select employed_days(${person.id}, ${first}::date, ${until}::date) as days`.execute(deps.db);
      const expected = employedDays([[joining_date, last], ...before], first, until);
      expect([first, until, rows[0]?.days]).toEqual([first, until, expected]);
    }
  });
});

describe('the setting of an item', () => {
  const post = (item: object) =>
    hr.post('/api/kpi-templates', {
      name: `Setting ${Math.random()}`,
      entity_id: here.id,
      status: 'draft',
      items: [{ name: 'One', weight: 100, ...item }],
    });
  const refused = 'Only a measured item with a target can be prorated.';

  test('is off unless set, and refused where there is no target to reduce', async () => {
    expect((await post(measured)).body.data.items[0]).toMatchObject({ prorate: false });
    for (const item of [{ prorate: true }, { item_type: 'measured', direction: 'boolean', prorate: true }]) {
      const { status, body } = await post(item);
      expect([status, body.errors]).toEqual([422, { 'items.0.prorate': [refused] }]);
    }
    const wrong = await post({ ...measured, prorate: 'half' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['items.0.prorate']]);
  });

  test('goes with the target when an item becomes a rating', async () => {
    const { id, items: made } = (await post({ ...measured, prorate: true })).body.data;
    const rating = { id: made[0].id, name: 'One', weight: 100, item_type: 'rating' };
    const { status, body } = await hr.put(`/api/kpi-templates/${id}`, { items: [rating] });
    expect([status, body.data.items[0]]).toMatchObject([200, { prorate: false, target_value: null }]);
  });

  test('is copied with a template', async () => {
    const { id } = (await post({ ...measured, prorate: true })).body.data;
    const copy = await hr.post(`/api/kpi-templates/${id}/duplicate`, {});
    expect(copy.body.data.items[0]).toMatchObject({ prorate: true });
  });
});
