import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { achievementOf, scoreOfAchievement } from './achievement.ts';
import type { Measure } from './achievement.ts';

/** All random values are integer hundredths, so that the formulas can be written with integers. */
const largest = 99_999_999_999_999;
const value = fc.oneof(
  fc.integer({ min: -500, max: 500 }),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -largest, max: largest }),
);
const cap = fc.option(fc.integer({ min: 10_000, max: 20_000 }));
type Drawn = { target: number; baseline: number | null; tolerance: number | null; cap: number | null };
const drawn: fc.Arbitrary<Drawn> = fc.record({
  target: value,
  baseline: fc.option(value),
  tolerance: fc.option(fc.integer({ min: 0, max: 5000 })),
  cap,
});
type Measured = Exclude<Measure['direction'], 'boolean'>;
const directions: Measured[] = ['higher_better', 'lower_better', 'target'];

const measureOf = (direction: Measured, { target, baseline, tolerance, cap: most }: Drawn): Measure => ({
  direction,
  target_value: target / 100,
  baseline_value: baseline === null ? null : baseline / 100,
  tolerance_pct: tolerance === null ? null : tolerance / 100,
  cap_pct: most === null ? null : most / 100,
});
const achieved = (direction: Measured, given: Drawn, actual: number) =>
  Math.round(achievementOf(measureOf(direction, given), actual / 100) * 100);

function isMeasurable(direction: Measured, { target, baseline }: Drawn): boolean {
  if (baseline === null) return target >= 0;
  if (direction === 'target') return baseline !== target;
  return direction === 'higher_better' ? baseline < target : baseline > target;
}
const measurable = (direction: Measured) => drawn.filter((given) => isMeasurable(direction, given));

/** The formulas of the page, as numerator and denominator in hundredths of a percent. */
function formula(direction: Measured, { target, baseline, tolerance }: Drawn, actual: number): [bigint, bigint] {
  const [A, T, B] = [BigInt(actual), BigInt(target), BigInt(baseline ?? 0)];
  const full = 10_000n;
  const yes: [bigint, bigint] = [full, 1n];
  const no: [bigint, bigint] = [0n, 1n];
  if (target === 0 && baseline === null) {
    if (direction === 'higher_better') return A >= 0n ? yes : no;
    if (direction === 'lower_better') return A <= 0n ? yes : no;
    return A === 0n ? yes : no;
  }
  if (direction === 'higher_better') return [full * (A - B), T - B];
  if (direction === 'lower_better') return baseline === null ? [full * T - full * (A - T), T] : [full * (B - A), B - T];
  const size = T < 0n ? -T : T;
  const margin = size * BigInt(tolerance ?? 0);
  if (full * (A - T) <= margin && full * (T - A) <= margin) return yes;
  const span = T > B ? T - B : B - T;
  return [full * span - full * (A > T ? A - T : T - A), span];
}

describe.each(directions)('%s', (direction) => {
  test('is the nearest hundredth of the formula, between 0 and the cap', () => {
    fc.assert(
      fc.property(measurable(direction), value, (given, actual) => {
        const result = BigInt(achieved(direction, given, actual));
        const most = BigInt(given.cap ?? 12_000);
        const [top, bottom] = formula(direction, given, actual);
        expect(result >= 0n && result <= most).toBe(true);
        if (result > 0n) expect(2n * top >= (2n * result - 1n) * bottom).toBe(true);
        if (result < most) expect(2n * top < (2n * result + 1n) * bottom).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is 100 on the target, and from a baseline that differs 0 on it', () => {
    fc.assert(
      fc.property(measurable(direction), (given) => {
        expect(achieved(direction, given, given.target)).toBe(10_000);
        if (given.baseline !== null && direction !== 'target')
          expect(achieved(direction, given, given.baseline)).toBe(0);
      }),
    );
  });

  test('never falls on the way to the better', () => {
    fc.assert(
      fc.property(measurable(direction), value, value, (given, one, other) => {
        const worth = (actual: number) => {
          if (direction === 'higher_better') return actual;
          return direction === 'lower_better' ? -actual : -Math.abs(actual - given.target);
        };
        const [worse, better] = worth(one) < worth(other) ? [one, other] : [other, one];
        const [before, after] = [achieved(direction, given, worse), achieved(direction, given, better)];
        expect(after).toBeGreaterThanOrEqual(before);
        expect(scoreOfAchievement(after / 100)).toBeGreaterThanOrEqual(scoreOfAchievement(before / 100));
      }),
    );
  });

  test('does not depend on the unit', () => {
    const small = fc.integer({ min: -100_000, max: 100_000 });
    const given = fc.record({ target: small, baseline: fc.option(small), tolerance: fc.constant(null), cap });
    fc.assert(
      fc.property(
        given.filter((one) => isMeasurable(direction, one)),
        small,
        fc.integer({ min: 2, max: 1000 }),
        (one, actual, unit) => {
          const other = {
            ...one,
            target: one.target * unit,
            baseline: one.baseline === null ? null : one.baseline * unit,
          };
          expect(achieved(direction, other, actual * unit)).toBe(achieved(direction, one, actual));
        },
      ),
    );
  });

  test('is refused, never made up, for a target that cannot be measured', () => {
    fc.assert(
      fc.property(
        drawn.filter((given) => !isMeasurable(direction, given)),
        value,
        (given, actual) => {
          expect(() => achieved(direction, given, actual)).toThrow(RangeError);
        },
      ),
    );
  });
});
