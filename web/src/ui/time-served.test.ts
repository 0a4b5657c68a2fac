import { expect, test } from 'vitest';
import { timeServed } from './time-served.ts';

test.each([
  ['2026-02-02', '2026-02-02', { years: 0, months: 0 }],
  ['2026-02-02', '2026-03-01', { years: 0, months: 0 }],
  ['2026-02-02', '2026-03-02', { years: 0, months: 1 }],
  ['2024-02-29', '2026-02-28', { years: 1, months: 11 }],
  ['2013-06-17', '2026-11-21', { years: 13, months: 5 }],
  ['2026-12-01', '2026-11-30', null],
])('from %s to %s is %j', (from, to, expected) => {
  expect(timeServed(from, to)).toEqual(expected);
});
