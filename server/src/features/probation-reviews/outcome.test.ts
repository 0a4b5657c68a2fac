import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { criteriaScore } from './assessment.ts';
import { dayAfter } from './outcome.ts';

const app = await startApp();
const { as, make } = app;
const probation = probationMaker(app);
const { personOf, jobHistoryOf } = reviewTesting(app);

test.each([
  // where the clocks go forward at midnight, that day has no midnight
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

test('a probation that ends on the last day of all is decided on too', async () => {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const employee = await probation.person();
  const extension = { probation_end_date: '9999-12-31', reason: 'No end was agreed on.' };
  expect((await hr.post(`/api/employees/${employee.id}/extend-probation`, extension)).status).toBe(200);
  const { id } = await probation.review({ employee, status: 'submitted', probation_end_date: '9999-12-31' });
  const signature = { method: 'typed', typed_name: 'Hana Ito' };
  const answer = await hr.post(`/api/probation-reviews/${id}/approve`, { outcome: 'confirm', signature });
  expect([answer.status, answer.body.data?.effective_date]).toEqual([200, '9999-12-31']);
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

test('an extension counts from the start of the probation, so that ends of months do not drift', async () => {
  const { id: entity_id } = await make.entity({ probation_max_extensions: 2 });
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const { year } = todayIn('UTC');
  const [start, february] = [`${year + 1}-11-30`, Temporal.PlainYearMonth.from(`${year + 2}-02`)];
  const first = february.toPlainDate({ day: february.daysInMonth }).toString();
  const employee = await probation.person({ entity_id, probation_start_date: start, probation_end_date: first });
  const extend = async (from: string) => {
    const dates = { probation_start_date: start, probation_end_date: from };
    const { id } = await probation.review({ employee, status: 'submitted', ...dates });
    const { body } = await hr.post(`/api/probation-reviews/${id}/approve`, {
      outcome: 'extend',
      outcome_extension_months: 3,
      hr_comments: 'A little more time.',
      signature: { method: 'typed', typed_name: 'Hana Ito' },
    });
    return [body.data.extended_until, (await personOf(employee.id))['probation_end_date']];
  };
  expect(await extend(first)).toEqual([`${year + 2}-05-29`, `${year + 2}-05-29`]);
  expect(await extend(`${year + 2}-05-29`)).toEqual([`${year + 2}-08-29`, `${year + 2}-08-29`]);
});
