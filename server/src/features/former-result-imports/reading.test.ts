import { expect, test } from 'vitest';
import { percentageOf } from '../former-results/result.ts';
import { readResult, readScale } from './number.ts';
import { daysOf } from './period.ts';

test.each([
  ['2023', '2023-01-01', '2023-12-31'],
  ['Jahr 2023', '2023-01-01', '2023-12-31'],
  ['CY2023', '2023-01-01', '2023-12-31'],
  ['H1 2023', '2023-01-01', '2023-06-30'],
  ['2023-H2', '2023-07-01', '2023-12-31'],
  ['2. Halbjahr 2023', '2023-07-01', '2023-12-31'],
  ['1HJ 2023', '2023-01-01', '2023-06-30'],
  ['Q1 2024', '2024-01-01', '2024-03-31'],
  ['2024/Q4', '2024-10-01', '2024-12-31'],
  ['3. Quartal 2024', '2024-07-01', '2024-09-30'],
  ['2nd quarter 2024', '2024-04-01', '2024-06-30'],
])('%s is %s to %s', (name, from, to) => {
  expect(daysOf(name)).toEqual({ from, to });
});

test.each(['Annual review', 'H3 2023', 'Q5 2023', '23', '2023/24', 'FY 2023', '1823', '20231', ''])(
  '“%s” implies no days',
  (name) => {
    expect(daysOf(name)).toBeUndefined();
  },
);

test.each([
  ['percent', 'percent', 0, 100],
  ['%', 'percent', 0, 100],
  ['0 – 100 %', 'percent', 0, 100],
  ['1-5', 'points', 1, 5],
  ['1 bis 5', 'points', 1, 5],
  ['1..10', 'points', 1, 10],
  ['6-1', 'points', 6, 1],
  ['-2 to 2', 'points', -2, 2],
  ['0,5-4,5', 'points', 0.5, 4.5],
  ['out of 5', 'points', 0, 5],
])('the scale %s is %s from %d to %d', (text, unit, from, to) => {
  expect(readScale(text)).toEqual({ unit, from, to });
});

test.each(['best', '5-5', '0', '', '0-150 %', '1-5-9'])('“%s” is no scale', (text) => {
  expect(readScale(text)).toBeUndefined();
});

test.each([
  ['4', 4, false],
  ['4,25', 4.25, false],
  ['-1.5', -1.5, false],
  ['87.5 %', 87.5, true],
])('the result %s is %d', (text, value, isPercent) => {
  expect(readResult(text)).toEqual({ value, isPercent });
});

test.each(['4/5', 'four', '1.2345', '1e3', '1,000.5', 'NaN', '=4'])('“%s” is no result', (text) => {
  expect(readResult(text)).toBeUndefined();
});

const none = { period: null, period_from: null, period_to: '2020-12-31', band: null, source: 'X' };
test.each([
  ['points', 4, 1, 5, 80],
  ['points', 3.33, 0, 7, 47.57],
  ['points', 1.005, 0, 100, 1.01],
  ['percent', 87.455, 0, 100, 87.46],
  ['points', 2, 6, 1, null],
  ['points', 1, -2, 2, null],
] as const)('%s %d from %d to %d is %s percent', (unit, result, scale_from, scale_to, percentage) => {
  expect(percentageOf({ ...none, unit, result, scale_from, scale_to })).toBe(percentage);
});
