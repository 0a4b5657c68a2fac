import { expect, test } from 'vitest';
import { daysOf, percentOf } from './days.ts';
import { headcounts, monthsBetween } from './months.ts';

test('months are counted from the month of one day to that of another', () => {
  expect(monthsBetween('2025-11-30', '2026-02-01')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(monthsBetween('2026-02-01', '2026-02-28')).toEqual(['2026-02']);
  expect(monthsBetween('2026-03-01', '2026-02-28')).toEqual([]);
});

test('headcounts are computed backwards from the last one', () => {
  const none = { joiners: 0, leavers: 0, rehires: 0, moved_in: 0, moved_out: 0 };
  const happened = [
    { ...none, month: '2026-02', joiners: 3, leavers: 1 },
    { ...none, month: '2026-03', moved_in: 2, moved_out: 5 },
  ];
  const found = headcounts(['2026-01', '2026-02', '2026-03'], happened, 10);
  expect(found.map(({ month, headcount }) => [month, headcount])).toEqual([
    ['2026-01', 11],
    ['2026-02', 13],
    ['2026-03', 10],
  ]);
  expect(found[0]).toEqual({ ...none, month: '2026-01', headcount: 11 });
});

test('ranges around a leap day use real days', () => {
  expect(daysOf(Temporal.PlainDate.from('2024-02-29'))).toEqual({
    today: '2024-02-29',
    yesterday: '2024-02-28',
    month_start: '2024-02-01',
    quarter_start: '2024-01-01',
    year_start: '2023-03-01',
    one_year_ago: '2023-02-28',
    three_years_ago: '2021-02-28',
    five_years_ago: '2019-02-28',
  });
  expect(daysOf(Temporal.PlainDate.from('2026-12-31')).quarter_start).toBe('2026-10-01');
});

test('nothing is divided by zero', () => {
  expect([percentOf(0, 0), percentOf(1, 3), percentOf(1, 7)]).toEqual([null, 33.33, 14.29]);
});
