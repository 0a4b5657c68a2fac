import { describe, expect, test } from 'vitest';
import { achievementOf, scoreOfAchievement } from './achievement.ts';
import type { Measure } from './achievement.ts';

const measure = (direction: Measure['direction'], values: Partial<Measure> = {}): Measure => ({
  direction,
  target_value: null,
  baseline_value: null,
  tolerance_pct: null,
  cap_pct: null,
  ...values,
});
const achieved = (direction: Measure['direction'], target_value: number, actual: number, more: Partial<Measure> = {}) =>
  achievementOf(measure(direction, { target_value, ...more }), actual);

describe('higher is better', () => {
  test.each([
    { target: 80, baseline: null, actual: 92, pct: 115 },
    { target: 50, baseline: 30, actual: 45, pct: 75 },
    { target: 50, baseline: 30, actual: 30, pct: 0 },
    { target: 50, baseline: 30, actual: 29.99, pct: 0 },
    { target: 50, baseline: 30, actual: 50, pct: 100 },
    { target: 3, baseline: null, actual: 1, pct: 33.33 },
    { target: 3, baseline: null, actual: 2, pct: 66.67 },
    { target: 80, baseline: null, actual: -5, pct: 0 },
    { target: 80, baseline: null, actual: 96, pct: 120 },
    { target: 80, baseline: null, actual: 96.01, pct: 120 },
    { target: -5, baseline: -10, actual: -7, pct: 60 },
    { target: 0, baseline: -10, actual: -4, pct: 60 },
    { target: 999_999_999_999.99, baseline: -999_999_999_999.99, actual: 0, pct: 50 },
  ])('target $target from $baseline: $actual is $pct %', ({ target, baseline, actual, pct }) => {
    expect(achieved('higher_better', target, actual, { baseline_value: baseline })).toBe(pct);
  });
});

describe('lower is better', () => {
  test.each([
    { target: 10, baseline: null, actual: 12, pct: 80 },
    { target: 10, baseline: null, actual: 8, pct: 120 },
    { target: 10, baseline: 40, actual: 25, pct: 50 },
    { target: 10, baseline: 40, actual: 40, pct: 0 },
    { target: 10, baseline: 40, actual: 41, pct: 0 },
    { target: 10, baseline: null, actual: 10, pct: 100 },
    { target: 10, baseline: null, actual: 20, pct: 0 },
    { target: 10, baseline: null, actual: 0, pct: 120 },
    { target: 0.01, baseline: null, actual: 0.02, pct: 0 },
    { target: -5, baseline: 0, actual: -4, pct: 80 },
    { target: 0, baseline: 5, actual: 1, pct: 80 },
  ])('target $target from $baseline: $actual is $pct %', ({ target, baseline, actual, pct }) => {
    expect(achieved('lower_better', target, actual, { baseline_value: baseline })).toBe(pct);
  });
});

describe('on target', () => {
  test.each([
    { target: 3_000_000, tolerance: 5, actual: 2_950_000, pct: 100 },
    { target: 3_000_000, tolerance: 5, actual: 2_850_000, pct: 100 },
    { target: 3_000_000, tolerance: 5, actual: 3_150_000, pct: 100 },
    { target: 3_000_000, tolerance: 5, actual: 2_849_999.99, pct: 95 },
    { target: 3_000_000, tolerance: 5, actual: 2_700_000, pct: 90 },
    { target: 3_000_000, tolerance: 5, actual: 3_300_000, pct: 90 },
    { target: 100, tolerance: null, actual: 99, pct: 99 },
    { target: 100, tolerance: null, actual: 101, pct: 99 },
    { target: 100, tolerance: null, actual: 100, pct: 100 },
    { target: 100, tolerance: 0, actual: 250, pct: 0 },
  ])('target $target within $tolerance %: $actual is $pct %', ({ target, tolerance, actual, pct }) => {
    expect(achieved('target', target, actual, { tolerance_pct: tolerance })).toBe(pct);
  });

  test('a negative target measures the distance by its baseline, the tolerance by its size', () => {
    const below = { baseline_value: 0, tolerance_pct: 10 };
    expect(achieved('target', -100, -95, below)).toBe(100);
    expect(achieved('target', -100, -110, below)).toBe(100);
    expect(achieved('target', -100, -80, below)).toBe(80);
    expect(achieved('target', -100, 20, below)).toBe(0);
  });
});

describe('a target of 0 without a baseline is met or it is not', () => {
  test.each([
    { direction: 'higher_better', actual: 0, pct: 100 },
    { direction: 'higher_better', actual: 7, pct: 100 },
    { direction: 'higher_better', actual: -0.01, pct: 0 },
    { direction: 'lower_better', actual: 0, pct: 100 },
    { direction: 'lower_better', actual: -3, pct: 100 },
    { direction: 'lower_better', actual: 3, pct: 0 },
    { direction: 'lower_better', actual: 0.01, pct: 0 },
    { direction: 'target', actual: 0, pct: 100 },
    { direction: 'target', actual: 0.01, pct: 0 },
    { direction: 'target', actual: -0.01, pct: 0 },
  ] as const)('$direction: $actual is $pct %', ({ direction, actual, pct }) => {
    expect(achieved(direction, 0, actual)).toBe(pct);
    expect(achieved(direction, -0, actual)).toBe(pct);
  });

  test('a tolerance of a target of 0 has no width', () => {
    expect(achieved('target', 0, 0.01, { tolerance_pct: 50 })).toBe(0);
  });
});

test('yes or no is 100 or 0, without a target', () => {
  expect(achievementOf(measure('boolean'), 1)).toBe(100);
  expect(achievementOf(measure('boolean'), 0)).toBe(0);
});

test('the cap of the item cuts what goes beyond it', () => {
  expect(achieved('higher_better', 10, 30, { cap_pct: 100 })).toBe(100);
  expect(achieved('higher_better', 10, 30, { cap_pct: 200 })).toBe(200);
  expect(achieved('higher_better', 10, 12.5, { cap_pct: 124.99 })).toBe(124.99);
  expect(achieved('higher_better', 10, 12, { cap_pct: 150 })).toBe(120);
});

test('an achievement is rounded once, halves up', () => {
  expect(achieved('higher_better', 8, 0.01)).toBe(0.13);
  expect(achieved('higher_better', 200, 199.99)).toBe(100);
  expect(achieved('higher_better', 200, 199.98)).toBe(99.99);
});

test.each([
  { why: 'no target', direction: 'higher_better', values: {} },
  { why: 'a negative target without a baseline', direction: 'higher_better', values: { target_value: -1 } },
  { why: 'a negative target without a baseline', direction: 'lower_better', values: { target_value: -1 } },
  { why: 'a negative target without a baseline', direction: 'target', values: { target_value: -1 } },
  { why: 'a baseline above it', direction: 'higher_better', values: { target_value: 5, baseline_value: 6 } },
  { why: 'a baseline below it', direction: 'lower_better', values: { target_value: 5, baseline_value: 4 } },
  { why: 'a baseline equal to it', direction: 'higher_better', values: { target_value: 0, baseline_value: 0 } },
  { why: 'a baseline equal to it', direction: 'lower_better', values: { target_value: 5, baseline_value: 5 } },
  { why: 'a baseline equal to it', direction: 'target', values: { target_value: 5, baseline_value: 5 } },
] as const)('$direction cannot be measured with $why', ({ direction, values }) => {
  expect(() => achievementOf(measure(direction, values), 1)).toThrow(RangeError);
});

test.each([
  [0, 1],
  [59.99, 1],
  [60, 2],
  [79.99, 2],
  [80, 3],
  [80.05, 3],
  [99.99, 3],
  [100, 4],
  [109.99, 4],
  [110, 5],
  [115, 5],
  [200, 5],
])('an achievement of %f %% scores %i', (achievement, score) => {
  expect(scoreOfAchievement(achievement)).toBe(score);
});

test('the achievement that is shown decides: 99.995 is shown as 100.00 and scores 4', () => {
  const shown = achieved('higher_better', 200, 199.99);
  expect({ shown, score: scoreOfAchievement(shown) }).toEqual({ shown: 100, score: 4 });
});
