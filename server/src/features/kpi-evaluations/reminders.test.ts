import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { remindDue, remindOpen } from './reminders.ts';

const { make, deps, owner } = await startApp();
const kpi = kpiMaker({ deps, make });
const template = await kpi.template();
const london = await make.entity({ timezone: 'Europe/London' });
const inLondon = { department_id: (await make.department({ entity_id: london.id })).id };
const omar = await make.employee({ ...inLondon, roles: ['Manager'] });
const jon = await make.employee({ ...inLondon, first_name: 'Jon', last_name: 'Reed' });

/** Far in the future, so that everything the factories wrote is in the past. */
const year = Temporal.Now.plainDateISO('UTC').year + 1;
const due = Temporal.PlainDate.from({ year, month: 6, day: 15 });
const at = (timeZone: string, daysFromDue: number, time = '08:00') =>
  due.add({ days: daysFromDue }).toZonedDateTime({ timeZone, plainTime: time }).toInstant();

type Reminder = { user_id: number; dedupe_key: string; variant: string; params: { date: string } };
const reminders = async () =>
  (
    await owner.query<Reminder>(
      `select user_id::int, dedupe_key, variant, params from notifications where event = 'kpi_deadline_reminder'
       order by id`,
    )
  ).rows;

/** Runs the job at that time; its notifications have that time too. */
async function run(now: Temporal.Instant) {
  const before = (await reminders()).length;
  const reminded = await remindDue({ deps, now });
  await owner.query('update notifications set created_at = $1 where created_at <= now()', [now.toString()]);
  expect((await reminders()).length - before).toBe(reminded);
  return reminded;
}

/** The days, counted from the due day, on which the job sends reminders when it runs every quarter of an hour. */
async function daysReminded(from: number, to: number, timeZone = 'Europe/London') {
  const days: number[] = [];
  for (let day = from; day <= to; day += 1)
    for (const time of ['00:00', '07:45', '08:00', '08:15', '23:45'])
      if ((await run(at(timeZone, day, time))) > 0) days.push(day);
  return days;
}

const inCycle = (fields: Parameters<typeof kpi.cycle>[0] = {}) =>
  kpi.cycle({
    self_assessment_closes_on: due.toString(),
    manager_review_closes_on: due.toString(),
    ...fields,
  });
const evaluate = async (fields: Parameters<typeof kpi.evaluation>[0] = {}) =>
  kpi.evaluation({
    template,
    employee: jon,
    reviewer: omar,
    cycle_id: (await inCycle()).id,
    acceptance_due_on: due.toString(),
    ...fields,
  });
const remind = (cycleId: number, stage: 'self' | 'manager' | 'acceptance', actor?: MadeEmployee) =>
  deps.db.transaction().execute(async (db) => {
    const asked = { cycle_id: cycleId, stage, within: sql<boolean>`true` };
    const { last: _none, ...counts } = await remindOpen({ db, actor: actor ?? null }, asked);
    return counts;
  });

beforeEach(() => owner.query('delete from notifications; delete from kpi_evaluations'));

describe('the clock', () => {
  test('reminds seven, three and one day before, the day after, and every week from then on', async () => {
    await evaluate();
    expect(await daysReminded(-9, 17)).toEqual([-7, -3, -1, 1, 8, 15]);
  });

  test('reminds on the days of the setting, and not when the event is switched off', async () => {
    const set = (values: string) =>
      owner.query(`update notification_settings set ${values} where event = 'kpi_deadline_reminder'`);
    const { id } = await evaluate();
    await set("lead_days = '{2,0}'");
    expect(await daysReminded(-8, 0)).toEqual([-2, 0]);
    await set('in_app = false, email = false');
    expect(await daysReminded(1, 2)).toEqual([]);
    await set("in_app = true, email = true, lead_days = '{7,3,1}'");
    expect(await run(at('Europe/London', 3))).toBe(1);
    expect((await reminders()).map(({ dedupe_key }) => dedupe_key)).toEqual(
      [-2, 0, 1].map((day) => `kpi_deadline_reminder:${id}:1-self-${due.add({ days: day }).toString()}`),
    );
  });

  const stages = [
    ['self_assessment', jon, 'own', 'self'],
    ['manager_review', omar, 'plain', 'manager'],
    ['pending_acceptance', jon, 'own', 'acceptance'],
  ] as const;
  test.each(stages)('reminds of %s the person who has to act, by mail too', async (status, person, variant, stage) => {
    const { id, round } = { round: 3, ...(await evaluate({ status, round: 3 })) };
    expect(await run(at('Europe/London', -1))).toBe(1);
    const day = due.subtract({ days: 1 }).toString();
    expect(await reminders()).toEqual([
      {
        user_id: person.user_id,
        dedupe_key: `kpi_deadline_reminder:${id}:${round}-${stage}-${day}`,
        variant,
        params: expect.objectContaining({ date: due.toString(), person: 'Jon Reed' }) as object,
      },
    ]);
    expect((await owner.query('select 1 from notification_deliveries')).rowCount).toBe(1);
  });

  test.each(['hr_review', 'accepted', 'disputed', 'completed', 'cancelled'] as const)(
    'reminds nobody of what is in the state %s',
    async (status) => {
      await evaluate({ status });
      expect(await daysReminded(-7, 2)).toEqual([]);
    },
  );

  test('does not remind of a review without reviewer, of a leaver, nor in a closed cycle', async () => {
    await evaluate({ status: 'manager_review', reviewer_id: null });
    await evaluate({ employee: await make.employee({ ...inLondon, activity_status: 'inactive' }) });
    const { id } = await inCycle();
    await evaluate({ cycle_id: id });
    await owner.query("update kpi_cycles set status = 'closed' where id = $1", [id]);
    expect(await daysReminded(-1, 1)).toEqual([]);
  });

  test('does not remind of what began that day, and does of what began the day before', async () => {
    const { id } = await evaluate();
    const begins = (moment: Temporal.Instant) =>
      owner.query('update kpi_evaluations set status_changed_at = $1 where id = $2', [moment.toString(), id]);
    await begins(at('Europe/London', -3, '00:05'));
    expect(await daysReminded(-3, -2)).toEqual([]);
    await begins(at('Europe/London', -4, '23:55'));
    expect(await run(at('Europe/London', -2))).toBe(1);
  });

  test('makes up for missed days once', async () => {
    await evaluate();
    expect(await daysReminded(-2, -2)).toEqual([-2]);
    expect(await daysReminded(-1, 0)).toEqual([-1]);
    expect(await daysReminded(20, 23)).toEqual([20, 22]);
  });

  test('follows the day that more time was granted to', async () => {
    await evaluate({ stage_open_until: due.add({ days: 10 }).toString() });
    expect(await daysReminded(-1, 12)).toEqual([3, 7, 9, 11]);
  });

  test('tells each once when two run at the same time', async () => {
    for (let n = 0; n < 5; n += 1) await evaluate({ employee: await make.employee(inLondon) });
    const runs = await Promise.all([1, 2, 3].map(() => remindDue({ deps, now: at('Europe/London', -1) })));
    expect(runs.toSorted((a, b) => a - b)).toEqual([0, 0, 5]);
    expect(await reminders()).toHaveLength(5);
  });
});

describe('eight in the morning', () => {
  test.each(['Pacific/Auckland', 'Asia/Kathmandu', 'America/Los_Angeles', 'UTC'])('is that of %s', async (timezone) => {
    const place = await make.department({ entity_id: (await make.entity({ timezone })).id });
    await evaluate({ employee: await make.employee({ department_id: place.id }) });
    expect(await run(at(timezone, -1, '07:59'))).toBe(0);
    expect(await run(at(timezone, -1, '08:00'))).toBe(1);
    expect(await run(at(timezone, 0, '12:00'))).toBe(0);
  });

  test.each([
    [3, 'forward'],
    [10, 'back'],
  ])('comes once on the day in month %i when clocks go %s', async (month) => {
    const lastSunday = Temporal.PlainDate.from({ year, month, day: 31 });
    const change = lastSunday.subtract({ days: lastSunday.dayOfWeek % 7 });
    await evaluate({ stage_open_until: change.add({ days: 1 }).toString() });
    const hour = (hours: number) => change.toZonedDateTime('Europe/London').startOfDay().toInstant().add({ hours });
    const reminders: string[] = [];
    for (let hours = 0; hours < 26; hours += 1)
      if ((await run(hour(hours))) > 0)
        reminders.push(hour(hours).toZonedDateTimeISO('Europe/London').toPlainTime().toString());
    expect(reminders).toEqual(['08:00:00']);
  });
});

describe('a reminder by hand', () => {
  test('goes to the people who have to act in this stage of this cycle, and never to its sender', async () => {
    const { id: cycle_id } = await inCycle();
    const other = await make.employee(inLondon);
    await evaluate({ cycle_id });
    await evaluate({ cycle_id, employee: other, status: 'manager_review' });
    await evaluate();
    expect(await remind(cycle_id, 'self')).toEqual({ reminded: 1, open: 1 });
    expect(await remind(cycle_id, 'manager', omar)).toEqual({ reminded: 0, open: 1 });
    expect(await remind(cycle_id, 'manager')).toEqual({ reminded: 1, open: 1 });
    expect(await remind(cycle_id, 'acceptance')).toEqual({ reminded: 0, open: 0 });
    expect((await reminders()).map(({ user_id }) => user_id)).toEqual([jon.user_id, omar.user_id]);
  });

  test('reminds of an item once in 24 hours, also by two at the same time, and of the next step at once', async () => {
    const { cycle_id, id } = await evaluate();
    const both = await Promise.all([remind(cycle_id, 'self'), remind(cycle_id, 'self')]);
    expect(both.map(({ reminded }) => reminded).toSorted((a, b) => a - b)).toEqual([0, 1]);
    await owner.query("update kpi_evaluations set status = 'manager_review' where id = $1", [id]);
    expect(await remind(cycle_id, 'manager')).toEqual({ reminded: 1, open: 1 });
    await owner.query("update kpi_evaluations set status = 'self_assessment', round = 2 where id = $1", [id]);
    expect(await remind(cycle_id, 'self')).toEqual({ reminded: 0, open: 1 });
    await owner.query("update notifications set created_at = now() - interval '25 hours'");
    expect(await remind(cycle_id, 'self')).toEqual({ reminded: 1, open: 1 });
  });

  test('keeps the clock silent for a day', async () => {
    const { cycle_id } = await evaluate();
    await remind(cycle_id, 'self');
    const remindedAt = (moment: Temporal.Instant) =>
      owner.query('update notifications set created_at = $1', [moment.toString()]);
    await remindedAt(at('Europe/London', -1, '07:30'));
    expect(await daysReminded(-1, 0)).toEqual([]);
    await remindedAt(at('Europe/London', 0, '20:00'));
    expect(await run(at('Europe/London', 1, '19:45'))).toBe(0);
    expect(await run(at('Europe/London', 1, '20:00'))).toBe(1);
  });

  test('is limited to the evaluations its sender may remind of', async () => {
    const { id: cycle_id } = await inCycle();
    await evaluate({ cycle_id });
    const elsewhere = await evaluate({ cycle_id, employee: await make.employee() });
    const within = sql<boolean>`v.entity_id = ${elsewhere.entity_id}`;
    const result = await deps.db
      .transaction()
      .execute((db) => remindOpen({ db, actor: null }, { cycle_id, stage: 'self', within }));
    expect(result).toEqual({ reminded: 1, open: 1, last: null });
    expect(dayFromNow(0) < due.toString()).toBe(true);
  });
});
