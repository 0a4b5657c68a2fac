import { expect, test } from 'vitest';
import { addDays, monthEnd, monthsBefore, monthStart, quarterStart, yearsBefore } from './days.ts';

test('counts days across months and years', () => {
  expect([addDays('2024-02-28', 1), addDays('2026-01-01', -1)]).toEqual(['2024-02-29', '2025-12-31']);
  expect([monthStart('2026-11-21'), monthEnd('2024-02'), monthEnd('2026-12')]).toEqual([
    '2026-11-01',
    '2024-02-29',
    '2026-12-31',
  ]);
  expect([monthsBefore('2026-11-21', 23), monthsBefore('2026-03-31', 1)]).toEqual(['2024-12-01', '2026-02-01']);
  expect(['2026-01-31', '2026-06-30', '2026-12-01'].map(quarterStart)).toEqual([
    '2026-01-01',
    '2026-04-01',
    '2026-10-01',
  ]);
});

test('a year before a leap day is the 28th', () => {
  expect([yearsBefore('2024-02-29', 1), yearsBefore('2024-02-29', 4), yearsBefore('2026-11-21', 5)]).toEqual([
    '2023-02-28',
    '2020-02-29',
    '2021-11-21',
  ]);
});
