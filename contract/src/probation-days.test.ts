import { expect, test } from 'vitest';
import { endAfterPause, extendedProbationEnd, firstExtension, probationEnd } from './probation-days.ts';

test.each([
  // the day before the day of the same number
  ['2026-01-01', 6, '2026-06-30'],
  ['2026-01-01', 1, '2026-01-31'],
  ['2026-01-01', 12, '2026-12-31'],
  ['2026-01-15', 3, '2026-04-14'],
  ['2026-02-01', 3, '2026-04-30'],
  ['2026-02-28', 6, '2026-08-27'],
  ['2026-03-01', 6, '2026-08-31'],
  ['2026-04-30', 6, '2026-10-29'],
  ['2026-06-30', 6, '2026-12-29'],
  ['2026-07-01', 24, '2028-06-30'],
  ['2026-12-01', 3, '2027-02-28'],
  ['2027-12-01', 3, '2028-02-29'],
  ['2026-12-31', 1, '2027-01-30'],
  // a month without such a day ends it with its last
  ['2026-08-31', 6, '2027-02-28'],
  ['2026-08-30', 6, '2027-02-28'],
  ['2026-08-29', 6, '2027-02-28'],
  ['2026-08-28', 6, '2027-02-27'],
  ['2027-08-31', 6, '2028-02-29'],
  ['2027-08-30', 6, '2028-02-29'],
  ['2027-08-29', 6, '2028-02-28'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2028-01-30', 1, '2028-02-29'],
  ['2026-03-31', 6, '2026-09-30'],
  ['2026-05-31', 6, '2026-11-30'],
  ['2026-10-31', 6, '2027-04-30'],
  ['2028-02-29', 6, '2028-08-28'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2026-11-30', 3, '2027-02-28'],
  ['0026-01-01', 6, '0026-06-30'],
  ['9999-06-30', 6, '9999-12-29'],
  ['9999-07-02', 6, null],
])('a probation from %s of %i months ends on %s', (start, months, end) => {
  expect(probationEnd(start, months)).toBe(end);
});

test.each([
  ['2026-11-30', '2027-02-28', 3, '2027-05-29'],
  ['2027-11-30', '2028-02-29', 3, '2028-05-29'],
  ['2026-08-31', '2027-02-28', 1, '2027-03-30'],
  ['2026-08-30', '2027-02-28', 1, '2027-03-29'],
  ['2026-01-01', '2026-06-30', 6, '2026-12-31'],
  ['2026-01-31', '2026-02-28', 1, '2026-03-30'],
  ['2026-01-01', '2026-03-31', 1, '2026-04-30'],
  // an end of other makes: a day chosen by hand, a day of the former rule, no known start
  ['2026-01-01', '2026-07-01', 3, '2026-10-01'],
  ['2026-01-01', '2026-06-20', 1, '2026-07-20'],
  [null, '2026-06-30', 1, '2026-07-31'],
  ['2026-06-30', '2026-06-30', 1, '2026-07-31'],
  ['2026-01-01', '9999-11-30', 2, null],
])('a probation from %s to %s and %i months more ends on %s', (start, end, months, later) => {
  expect(extendedProbationEnd(start, end, months)).toBe(later);
});

test.each([
  ['2026-06-30', '2026-03-01', '2026-03-02', '2026-07-01'],
  ['2026-06-30', '2026-03-01', '2026-09-01', '2026-12-31'],
  ['2027-12-31', '2028-02-28', '2028-03-01', '2028-01-02'],
  ['9999-12-30', '2026-01-01', '2026-01-03', null],
])('a probation until %s that pauses from %s and resumes on %s ends on %s', (end, from, back, until) => {
  expect(endAfterPause(end, { from, back })).toBe(until);
});

test('an end moves by the days of a pause as the calendar of the runtime counts them', () => {
  const wrong: string[] = [];
  const from = Temporal.PlainDate.from('2026-01-31');
  for (let days = 1; days <= 1_500; days += 1) {
    const back = from.add({ days }).toString();
    const end = Temporal.PlainDate.from('2026-03-31').add({ days }).toString();
    if (endAfterPause('2026-03-31', { from: from.toString(), back }) !== end) wrong.push(back);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['2026-01-01', '2026-06-30', '2026-06-30', 1],
  ['2026-01-01', '2026-06-30', '2026-07-30', 1],
  ['2026-01-01', '2026-06-30', '2026-07-31', 2],
  ['2026-01-01', '2026-06-30', '2026-12-30', 6],
  ['2026-01-01', '2026-06-30', '2026-12-31', null],
  [null, '2026-06-30', '2026-09-29', 3],
])('the first extension of a probation from %s to %s that ends after %s has %s months', (start, end, today, months) => {
  expect(firstExtension(start, end, { today, longest: 6 })).toBe(months);
});

/** The rule by the calendar of the runtime. */
function byCalendar(start: string, months: number): string {
  const [first, same] = [Temporal.PlainDate.from(start), Temporal.PlainDate.from(start).add({ months })];
  return (same.day === first.day ? same.subtract({ days: 1 }) : same).toString();
}

test('every day of four years and every length agree with the calendar of the runtime', () => {
  const wrong: string[] = [];
  for (let day = Temporal.PlainDate.from('2026-01-01'); day.year < 2030; day = day.add({ days: 1 })) {
    const start = day.toString();
    for (let months = 1; months <= 24; months += 1) {
      const end = byCalendar(start, months);
      if (probationEnd(start, months) !== end) wrong.push(`${start} ${months}`);
      if (months < 24 && extendedProbationEnd(start, end, 1) !== byCalendar(start, months + 1))
        wrong.push(`${start} ${months} + 1`);
    }
  }
  expect(wrong).toEqual([]);
});
