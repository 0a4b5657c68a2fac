import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { criteriaScore } from './assessment.ts';
import { dayAfter, monthsAfter } from './outcome.ts';

const app = await startApp();
const { as, make, deps } = app;
const probation = probationMaker(app);
const { personOf, jobHistoryOf } = reviewTesting(app);

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2028-02-29', 6, '2028-08-29'],
  ['2027-11-30', 3, '2028-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-08-31', 6, '2027-02-28'],
  ['2026-12-31', 2, '2027-02-28'],
  ['2026-03-31', 1, '2026-04-30'],
])('%s and %i months more is %s', (day, months, expected) => {
  expect(monthsAfter(day, months)).toBe(expected);
});

test('months are added as the database adds them, whatever the day', async () => {
  const { rows } = await sql<{ day: string; months: number; later: string; next: string }>`
    select day::date, months, (day + make_interval(months => months))::date as later, day::date + 1 as next
    from generate_series(date '2027-01-01', date '2028-12-31', interval '1 day') as day,
         generate_series(1, 6) as months`.execute(deps.db);
  const wrong = rows.filter(
    ({ day, months, later, next }) => monthsAfter(day, months) !== later || dayAfter(day) !== next,
  );
  expect([rows.length, wrong]).toEqual([731 * 6, []]);
});

test.each([
  // where clocks are put forward at midnight, that day has none
  ['2026-03-28', '2026-03-29'],
  ['2026-10-24', '2026-10-25'],
  ['2026-12-31', '2027-01-01'],
  ['2028-02-28', '2028-02-29'],
])('the day after %s is %s', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});

test('criteria are weighed, halves up, and give no figure until all are rated', () => {
  const of = (...pairs: [weight: number, rating: number | null][]) =>
    criteriaScore(pairs.map(([weight, rating]) => ({ name: 'Criterion', weight, rating })));
  expect(of([6_000, 4], [4_000, 3])).toBe(3.6);
  expect(of([5_550, 3], [4_450, 4])).toBe(3.45);
  expect(of([3_334, 4], [3_333, 3], [3_333, 5])).toBe(4);
  expect(of([6_000, 4], [4_000, null])).toBeNull();
  expect(criteriaScore([])).toBeNull();
  expect(criteriaScore(null)).toBeNull();
});

const todayIn = (timezone: string) => Temporal.Now.plainDateISO(timezone);

test('today is the day where the company is: in one it has come, in the other it is still ahead', async () => {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  // 25 hours apart, so that they never have the same day
  const decidedIn = async (timezone: string, effective_date: string) => {
    const { id: entity_id } = await make.entity({ timezone });
    const employee = await probation.person({ entity_id });
    const { id } = await probation.review({ employee, status: 'submitted' });
    const signature = { method: 'typed', typed_name: 'Hana Ito' };
    const answer = await hr.post(`/api/probation-reviews/${id}/approve`, { effective_date, signature });
    expect(answer.status).toBe(200);
    const lifecycle = (await personOf(employee.id))['employment_lifecycle'];
    return [lifecycle, (await jobHistoryOf(employee.id)).map(([status]) => status)];
  };
  const day = todayIn('Pacific/Kiritimati').toString();
  expect(await decidedIn('Pacific/Kiritimati', day)).toEqual(['confirmed', ['current']]);
  expect(await decidedIn('Pacific/Niue', day)).toEqual(['probationary', ['scheduled']]);
});

test('an employment ends on the day it is where the company is', async () => {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Niue', 'Europe/Berlin']) {
    const { id: entity_id } = await make.entity({ timezone });
    const employee = await probation.person({ entity_id });
    const { id } = await probation.review({ employee, status: 'submitted' });
    const before = todayIn(timezone);
    const shown = await hr.get(`/api/probation-reviews/${id}`);
    const { body } = await hr.post(`/api/probation-reviews/${id}/approve`, {
      outcome: 'terminate',
      hr_comments: 'It did not work out.',
      signature: { method: 'typed', typed_name: 'Hana Ito' },
    });
    const days = [before.toString(), todayIn(timezone).toString()];
    expect(days).toContain(shown.body.data.today);
    expect(days).toContain(body.data.effective_date);
  }
});

test('the probation of 31 January goes on until the last day of February, and then from there', async () => {
  const { id: entity_id } = await make.entity({ probation_max_extensions: 2 });
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const january = Temporal.PlainDate.from({ year: todayIn('UTC').year + 1, month: 1, day: 31 });
  const end = january.toString();
  const employee = await probation.person({ entity_id, probation_end_date: end });
  const extend = async (from: string) => {
    const { id } = await probation.review({ employee, status: 'submitted', probation_end_date: from });
    await hr.post(`/api/probation-reviews/${id}/approve`, {
      outcome: 'extend',
      outcome_extension_months: 1,
      hr_comments: 'A little more time.',
      signature: { method: 'typed', typed_name: 'Hana Ito' },
    });
    return (await personOf(employee.id))['probation_end_date'] as string;
  };
  const february = january.add({ months: 1 }).toString();
  expect(await extend(end)).toBe(february);
  expect(await extend(february)).toBe(Temporal.PlainDate.from(february).add({ months: 1 }).toString());
});
