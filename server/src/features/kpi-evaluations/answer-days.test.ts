import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { databaseWithClock } from '../../testing/clock.ts';
import { dayFromNow as day, kpiMaker } from '../../testing/make-kpi.ts';
import { acceptLapsedResults, skipSelfAssessments } from './scheduled-steps.ts';
import { remindDue } from './reminders.ts';

/** Absent people lose no time: the response period starts on the first day back, and they get no reminders. */

const clock = await databaseWithClock();
afterAll(() => clock.end());
afterEach(() => clock.goTo(0));
const app = await startApp({}, { database: clock.database });
const { make, owner, deps } = app;
const kpi = kpiMaker(app);
const rowOf = (id: number) =>
  deps.db.selectFrom('kpi_evaluations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const entity = await make.entity();
const hrPerson = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
const reviewer = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
const hr = () => app.as(hrPerson.user_id);
const now = (days: number) => ({ deps, now: Temporal.Instant.from(`${day(days)}T12:00:00Z`) });
const someone = () => make.employee({ entity_id: entity.id });

type Person = Awaited<ReturnType<typeof someone>>;
type Days = readonly [from: number, to: number | null];
const away = async ({ id }: Person, [from, to]: Days) => {
  const body = { first_day: day(from), last_day: to === null ? null : day(to) };
  const answer = await (await hr()).post(`/api/employees/${id}/absences`, body);
  expect(answer.status).toBe(201);
  return answer.body.data.id as number;
};
const release = { hr_comment: 'Consistent with peers.', performance_flag: 'standard' };
/** A result released today, with ten days to answer. */
async function released(absences: readonly Days[] = [], cycle: object = {}) {
  const employee = await someone();
  for (const days of absences) await away(employee, days);
  const { id: cycle_id } = await kpi.cycle({ status: 'published', acceptance_days: 10, min_days: 3, ...cycle });
  const made = await kpi.evaluation({ employee, reviewer, cycle_id, status: 'hr_review' });
  const flag = (await rowOf(made.id)).suggested_flag;
  const url = `/api/kpi-evaluations/${made.id}`;
  const answer = await (await hr()).post(`${url}/hr-review`, { ...release, performance_flag: flag ?? 'standard' });
  expect([answer.status, answer.body.data?.status]).toEqual([200, 'pending_acceptance']);
  return { id: made.id, employee, url };
}
const dueOf = async (id: number) => {
  const { acceptance_due_on, due_on } = await rowOf(id);
  expect(due_on).toBe(acceptance_due_on);
  return acceptance_due_on;
};

test.each<[what: string, absences: Days[], due: number | null]>([
  ['no absence', [], 10],
  ['an absence that is over', [[-9, -1]], 10],
  ['absent on the day', [[-5, 0]], 11],
  ['absent for long', [[-5, 60]], 71],
  ['begins within the days', [[4, 20]], 31],
  ['begins on the last day', [[10, 12]], 23],
  ['begins after the days', [[11, 90]], 10],
  [
    'two in a row',
    [
      [-1, 5],
      [6, 9],
    ],
    20,
  ],
  [
    'a second one within the days after the first',
    [
      [0, 5],
      [12, 15],
    ],
    26,
  ],
  [
    'a second one after the days after the first',
    [
      [0, 5],
      [17, 20],
    ],
    16,
  ],
  ['until further notice', [[0, null]], null],
  ['until further notice from a day within', [[3, null]], null],
  ['until further notice later', [[11, null]], 10],
])('days to answer: %s', async (_what, absences, due) => {
  const { id } = await released(absences);
  expect(await dueOf(id)).toBe(due === null ? null : day(due));
});

test('for any absences the last day is the one of an independent count, whenever they are recorded', async () => {
  const start = Temporal.PlainDate.from('2026-01-10');
  const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 0, max: 12 })), { maxLength: 5 });
  const { rows } = await owner.query<{ id: number }>('select id from employees order by id limit 1');
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 20 }), async (periods, days) => {
      await owner.query('delete from absences where employee_id = $1', [rows[0]?.id]);
      const absent = new Set<string>();
      let next = start.subtract({ days: 12 });
      for (const [gap, length] of periods) {
        const first = next.add({ days: gap });
        const last = first.add({ days: length });
        next = last;
        for (let d = first; Temporal.PlainDate.compare(d, last) <= 0; d = d.add({ days: 1 })) absent.add(d.toString());
        await owner.query('insert into absences (employee_id, first_day, last_day) values ($1, $2, $3)', [
          rows[0]?.id,
          first.toString(),
          last.toString(),
        ]);
      }
      // day by day: an absence within the period restarts it on the first day back
      let from = start;
      for (let d = start; Temporal.PlainDate.compare(d, from.add({ days })) <= 0; d = d.add({ days: 1 }))
        if (absent.has(d.toString())) from = d.add({ days: 1 });
      const found = await owner.query('select kpi_answer_due($1, $2, $3)::text as due', [
        rows[0]?.id,
        start.toString(),
        days,
      ]);
      expect(found.rows[0].due).toBe(from.add({ days }).toString());
      await owner.query('delete from absences where employee_id = $1', [rows[0]?.id]);
    }),
    { numRuns: 150 },
  );
});

describe('an absence that is recorded, changed or ended after the release', () => {
  test('moves the last day; deleting it leaves at least the least days of the cycle', async () => {
    const { id, employee, url } = await released();
    const absence = await away(employee, [2, 40]);
    expect(await dueOf(id)).toBe(day(51));
    const client = await hr();
    await client.put(`/api/employees/${employee.id}/absences/${absence}`, { last_day: day(50) });
    expect(await dueOf(id)).toBe(day(61));
    expect((await client.get(url)).body.data).toMatchObject({ acceptance_due_on: day(61), absence: null });
    await clock.goTo(30);
    await (await hr()).delete(`/api/employees/${employee.id}/absences/${absence}`);
    expect(await dueOf(id)).toBe(day(33));
  });

  test('an open end that becomes known in the past leaves the least days', async () => {
    const { id, employee } = await released();
    const absence = await away(employee, [1, null]);
    expect(await dueOf(id)).toBeNull();
    await clock.goTo(60);
    await (await hr()).put(`/api/employees/${employee.id}/absences/${absence}`, { last_day: day(5) });
    expect(await dueOf(id)).toBe(day(63));
  });
});

test('a later day that HR set stays, whatever absences are recorded or changed afterwards', async () => {
  const { id, employee, url } = await released();
  const later = await (await hr()).post(`${url}/extend`, { until: day(40) });
  expect([later.status, await dueOf(id)]).toEqual([200, day(40)]);
  const client = await hr();
  const at = `/api/employees/${employee.id}/absences`;
  const planned = await away(employee, [60, 70]);
  expect(await dueOf(id)).toBe(day(40));
  await client.put(`${at}/${planned}`, { last_day: day(65) });
  const past = await away(employee, [-20, -15]);
  await client.delete(`${at}/${past}`);
  expect(await dueOf(id)).toBe(day(40));
  // absent during the last days of the period, which restarts
  await away(employee, [35, 44]);
  expect(await dueOf(id)).toBe(day(55));
});

test('the person answers on the last day after the return, not later; HR reads until when the person is away', async () => {
  const { id, employee, url } = await released([[0, 20]]);
  const own = async () => (await (await app.as(employee.user_id)).get(url)).body.data;
  await clock.goTo(15);
  expect((await (await hr()).get(url)).body.data.absence).toEqual({ first_day: day(0), last_day: day(20) });
  expect((await (await hr()).get(`/api/kpi-evaluations?employee_id=${employee.id}`)).body.data[0].absence).toEqual({
    first_day: day(0),
    last_day: day(20),
  });
  expect('absence' in (await (await app.as(reviewer.user_id)).get(url)).body.data).toBe(false);
  expect((await own()).allowed_actions).toEqual(['accept', 'dispute']);
  await clock.goTo(31);
  expect(await dueOf(id)).toBe(day(31));
  expect((await own()).allowed_actions).toEqual(['accept', 'dispute']);
  await clock.goTo(32);
  expect((await own()).allowed_actions).toEqual(['accept']);
});

test('a result never counts as accepted while the person is away, by HR or by the service', async () => {
  const { id, employee, url } = await released([], { auto_accept: true });
  await clock.goTo(12);
  // absent since the period ended
  await away(employee, [11, 40]);
  await owner.query(
    `insert into notifications (user_id, event, severity, subject_type, subject_id, url, params, dedupe_key, created_at)
     select $1, 'kpi_deadline_reminder', 'action', 'kpi_evaluation', $2::bigint, '/', '{}',
            'kpi_deadline_reminder:' || $2::bigint || ':1-acceptance-' || n, now() from generate_series(1, 2) as n`,
    [employee.user_id, id],
  );
  expect(await acceptLapsedResults(now(12))).toBe(0);
  const refused = await (await hr()).post(`${url}/deem-accepted`, { reason: 'No answer within the period.' });
  expect([refused.status, refused.body.errors.status]).toEqual([
    422,
    ['The employee is away. The time to respond starts on the first day back.'],
  ]);
  await clock.goTo(41);
  expect(await acceptLapsedResults(now(41))).toBe(1);
});

test('no one is reminded during an absence, by the clock or by hand', async () => {
  const { id, employee } = await released();
  const reminders = async () =>
    (await owner.query(`select from notifications where event = 'kpi_deadline_reminder' and subject_id = $1`, [id]))
      .rowCount;
  // three days before the last day
  await owner.query(`insert into absences (employee_id, first_day, last_day) values ($1, $2, $3)`, [
    employee.id,
    day(7),
    day(7),
  ]);
  await clock.goTo(15);
  expect(await dueOf(id)).toBe(day(18));
  await owner.query('update absences set first_day = $2, last_day = $2 where employee_id = $1', [employee.id, day(15)]);
  await owner.query('update kpi_evaluations set acceptance_due_on = $2 where id = $1', [id, day(18)]);
  await remindDue(now(15));
  expect(await reminders()).toBe(0);
  const { id: cycle } = (await owner.query('select cycle_id as id from kpi_evaluations where id = $1', [id])).rows[0];
  const byHand = await (await hr()).post(`/api/kpi-cycles/${cycle}/remind`, { stage: 'acceptance' });
  expect([byHand.status, await reminders()]).toEqual([byHand.status, 0]);
  await owner.query('delete from absences where employee_id = $1', [employee.id]);
  await owner.query('update kpi_evaluations set acceptance_due_on = $2 where id = $1', [id, day(18)]);
  await remindDue(now(15));
  expect(await reminders()).toBe(1);
});

test('a suspension stops the days; they begin anew when it ends', async () => {
  const { id, employee } = await released();
  const suspend = await (
    await hr()
  ).post(`/api/employees/${employee.id}/deactivate`, { reason: 'Under investigation.' });
  expect(suspend.status).toBe(200);
  expect(await dueOf(id)).toBeNull();
  await clock.goTo(30);
  const back = await (await hr()).post(`/api/employees/${employee.id}/reactivate`, { reason: 'Nothing was found.' });
  expect(back.status).toBe(200);
  expect(await dueOf(id)).toBe(day(40));
});

describe('a self-assessment', () => {
  const window = { self_assessment_opens_on: day(0), self_assessment_closes_on: day(10), auto_skip_self: true };
  const inWork = async (absences: readonly Days[]) => {
    const employee = await someone();
    for (const days of absences) await away(employee, days);
    const { id: cycle_id } = await kpi.cycle({ status: 'published', min_days: 3, ...window });
    const { id } = await kpi.evaluation({ employee, reviewer, cycle_id });
    return { id, employee };
  };

  test.each<[what: string, absences: Days[], until: number | null]>([
    ['away for the whole window', [[-5, 20]], 24],
    [
      'two absences in a row',
      [
        [-5, 4],
        [5, 20],
      ],
      24,
    ],
    ['back on the last day', [[-5, 9]], null],
    ['away from the second day on', [[1, 20]], null],
    ['until further notice', [[-5, null]], null],
  ])('stays open for the least days after the return: %s', async (_what, absences, until) => {
    const { id } = await inWork(absences);
    expect((await rowOf(id)).stage_open_until).toBe(until === null ? null : day(until));
  });

  test('waits for a person who is away, and follows when the return becomes known', async () => {
    const { id, employee } = await inWork([]);
    const absence = await away(employee, [0, null]);
    await clock.goTo(15);
    await skipSelfAssessments(now(15));
    expect(await rowOf(id)).toMatchObject({ status: 'self_assessment' });
    const end = { back_on: day(16) };
    await (await hr()).post(`/api/employees/${employee.id}/absences/${absence}/end`, end);
    expect(await rowOf(id)).toMatchObject({ stage_open_until: day(19), due_on: day(19) });
    await clock.goTo(19);
    const own = await app.as(employee.user_id);
    expect((await own.get(`/api/kpi-evaluations/${id}`)).body.data.allowed_actions).toContain('self-assessment');
    await skipSelfAssessments(now(19));
    expect(await rowOf(id)).toMatchObject({ status: 'self_assessment' });
    await clock.goTo(20);
    await skipSelfAssessments(now(20));
    expect(await rowOf(id)).toMatchObject({ status: 'manager_review' });
  });

  test('leaves the least days again when the absence becomes longer, and keeps them when it becomes shorter', async () => {
    const { id, employee } = await inWork([]);
    const absence = await away(employee, [0, 20]);
    const until = async () => (await rowOf(id)).stage_open_until;
    expect(await until()).toBe(day(24));
    const move = async (last: number) =>
      (await hr()).put(`/api/employees/${employee.id}/absences/${absence}`, { last_day: day(last) });
    await move(22);
    expect(await until()).toBe(day(26));
    await move(12);
    expect(await until()).toBe(day(26));
    await away(employee, [13, 24]);
    expect(await until()).toBe(day(28));
  });

  test('HR skips it', async () => {
    const { id } = await inWork([[-5, null]]);
    const skipped = await (
      await hr()
    ).post(`/api/kpi-evaluations/${id}/skip-self-assessment`, {
      reason: 'On parental leave.',
    });
    expect([skipped.status, skipped.body.data.status]).toEqual([200, 'manager_review']);
  });
});

test('a release and an absence at the same moment leave the right last day', async () => {
  for (let round = 0; round < 4; round += 1) {
    const employee = await someone();
    const { id: cycle_id } = await kpi.cycle({ status: 'published', acceptance_days: 10 });
    const { id } = await kpi.evaluation({ employee, reviewer, cycle_id, status: 'hr_review' });
    const flag = (await rowOf(id)).suggested_flag ?? 'standard';
    const client = await hr();
    const body = { ...release, performance_flag: flag };
    await Promise.all([client.post(`/api/kpi-evaluations/${id}/hr-review`, body), away(employee, [0, 20])]);
    expect(await dueOf(id)).toBe(day(31));
  }
});
