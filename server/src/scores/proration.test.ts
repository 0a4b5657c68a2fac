import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { achievementOf, scoreOfActual } from './achievement.ts';
import type { Measure } from './achievement.ts';
import { prorationOf, shareOf } from './proration.ts';

const measure = (direction: Measure['direction'], values: Partial<Measure> = {}): Measure => ({
  direction,
  target_value: null,
  baseline_value: null,
  tolerance_pct: null,
  cap_pct: null,
  ...values,
});
const item = (target_value: number | null, baseline_value: number | null = null, prorate = true) => ({
  prorate,
  target_value,
  baseline_value,
});
const days = (employed_days: number, cycle_days: number) => ({ employed_days, cycle_days });

test.each([
  { target: 100_000, employed: 181, all: 365, prorated: 49_589.04 },
  { target: 100_000, employed: 1, all: 366, prorated: 273.22 },
  { target: 12, employed: 183, all: 366, prorated: 6 },
  { target: 0.01, employed: 1, all: 365, prorated: 0 },
  { target: -100, employed: 45, all: 90, prorated: -50 },
  { target: 999_999_999_999.99, employed: 364, all: 365, prorated: 997_260_273_972.59 },
])('$employed of $all days make $prorated of $target', ({ target, employed, all, prorated }) => {
  expect(prorationOf(item(target), days(employed, all))).toEqual({
    ...days(employed, all),
    target_value: prorated,
    baseline_value: null,
  });
});

test.each([
  ['an item that is not prorated', item(100, null, false), days(10, 90)],
  ['all days of the cycle', item(100), days(90, 90)],
  ['an evaluation from before the rule', item(100), { employed_days: null, cycle_days: null }],
  ['an item without a target', item(null), days(10, 90)],
])('%s has the full target', (_name, one, of) => {
  expect(prorationOf(one, of)).toBeNull();
});

describe('the achievement of a prorated target', () => {
  const half = shareOf(item(1), days(181, 365));
  test.each([
    // the exact target is 49,589.0410…, shown as 49,589.04
    { direction: 'higher_better', target: 100_000, actual: 49_589.04, pct: 100 },
    { direction: 'higher_better', target: 100_000, actual: 49_589.03, pct: 100 },
    { direction: 'higher_better', target: 100_000, actual: 60_000, pct: 120 },
    { direction: 'higher_better', target: 100_000, actual: 40_000, pct: 80.66 },
    // the exact target is 1.4876…, shown as 1.49, which just meets it
    { direction: 'higher_better', target: 3, actual: 1.49, pct: 100 },
    { direction: 'higher_better', target: 3, actual: 1.5, pct: 100.83 },
    { direction: 'lower_better', target: 10, actual: 4.96, pct: 100 },
    { direction: 'lower_better', target: 10, actual: 7, pct: 58.84 },
    { direction: 'lower_better', target: 10, actual: 0, pct: 120 },
    { direction: 'target', target: 3, actual: 1.49, pct: 100 },
    { direction: 'target', target: 3, actual: 1.48, pct: 99.48 },
    { direction: 'higher_better', target: 0, actual: 0, pct: 100 },
  ] as const)('$direction, $actual of $target for 181 of 365 days', ({ direction, target, actual, pct }) => {
    expect(achievementOf(measure(direction, { target_value: target }), actual, half)).toBe(pct);
  });

  test('a baseline is reduced alike', () => {
    const share = shareOf(item(1), days(45, 90));
    const rule = measure('higher_better', { target_value: 50, baseline_value: 30 });
    expect([15, 20, 25].map((actual) => achievementOf(rule, actual, share))).toEqual([0, 50, 100]);
  });

  test('decides the score, also where met is the highest one', () => {
    const share = shareOf(item(1), days(45, 90));
    const rules = { met_is_top: true, share };
    expect(scoreOfActual(measure('higher_better', { target_value: 100 }), 55, rules)).toBe(5);
    expect(scoreOfActual(measure('higher_better', { target_value: 100 }), 55, { met_is_top: true })).toBe(1);
    expect(scoreOfActual(measure('target', { target_value: 100, tolerance_pct: 5 }), 52, rules)).toBe(5);
    expect(scoreOfActual(measure('boolean'), 1, rules)).toBe(5);
  });
});

const cents = (from: number, to: number) => fc.integer({ min: from, max: to }).map((value) => value / 100);
const someDays = fc
  .integer({ min: 1, max: 732 })
  .chain((all) => fc.integer({ min: 1, max: all }).map((employed) => days(employed, all)));

describe('for every target and number of days', () => {
  test('a prorated target is at most the full one, and the parts of a cycle make up the whole', () => {
    fc.assert(
      fc.property(cents(0, 99_999_999), someDays, (target, { employed_days, cycle_days }) => {
        const part = (count: number) =>
          count === 0 ? 0 : (prorationOf(item(target), days(count, cycle_days))?.target_value ?? target);
        expect(part(employed_days)).toBeLessThanOrEqual(target);
        const both = part(employed_days) + part(cycle_days - employed_days);
        // each part is rounded for display
        expect(Math.abs(both - target)).toBeLessThan(0.0101);
      }),
    );
  });

  test('more days never mean less target, and the same pace the same achievement', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 9_999_999 }), someDays, cents(0, 20_000), (target, of, pace) => {
        const { employed_days, cycle_days } = of;
        const less = prorationOf(item(target), of)?.target_value ?? target;
        const more = days(Math.min(employed_days + 1, cycle_days), cycle_days);
        expect(prorationOf(item(target), more)?.target_value ?? target).toBeGreaterThanOrEqual(less);
        // integers, so that nothing is rounded: a target for each day, and the same amount for each day worked
        const rule = measure('higher_better', { target_value: target * cycle_days, cap_pct: 200 });
        const actual = Math.round(pace * 100) * employed_days;
        const whole = Math.round(pace * 100) * cycle_days;
        expect(achievementOf(rule, actual, shareOf(item(1), of))).toBe(achievementOf(rule, whole));
      }),
    );
  });

  test('a better value never has a worse achievement, also beside the displayed target', () => {
    fc.assert(
      fc.property(cents(1, 1_000), someDays, cents(0, 1_000), (target, of, actual) => {
        const share = shareOf(item(1), of);
        const next = Math.round(actual * 100 + 1) / 100;
        const up = measure('higher_better', { target_value: target });
        expect(achievementOf(up, next, share)).toBeGreaterThanOrEqual(achievementOf(up, actual, share));
        const down = measure('lower_better', { target_value: target });
        expect(achievementOf(down, next, share)).toBeLessThanOrEqual(achievementOf(down, actual, share));
      }),
      { numRuns: 500 },
    );
  });
});
