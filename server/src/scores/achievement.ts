import { isMetAtMost, topAchievement } from '@tenure/contract/highest-result';
import { fraction, fromHundredths, hundredths, multiply, roundedHundredths } from './fraction.ts';
import type { Fraction } from './fraction.ts';

/** How a measured item is scored; values have at most two decimals. */
export type Measure = {
  direction: 'higher_better' | 'lower_better' | 'target' | 'boolean';
  target_value: number | null;
  baseline_value: number | null;
  tolerance_pct: number | null;
  cap_pct: number | null;
};

const defaultCap = 120;
const all = fraction(100n, 1n);
const none = fraction(0n, 1n);
/** The share of an item that is not prorated. */
const wholeTarget = fraction(1n, 1n);

/**
 * How far an actual value meets its target, in percent: two decimals, halves up, between 0 and the cap (120 unless the
 * item says otherwise). docs/scoring.md has the formulas. Throws a RangeError if the target cannot be measured: there
 * is none, it is negative without a baseline, or the baseline equals it or is on the wrong side.
 * @param share the part of target and baseline that counts, above 0; the calculation uses it exactly
 */
export function achievementOf(measure: Measure, actual: number, share: Fraction = wholeTarget): number {
  const cap = hundredths(measure.cap_pct ?? defaultCap);
  const value = hundredths(actual);
  if (isShownTarget(measure, value, share)) return 100;
  const shown = roundedHundredths(exactAchievement(measure, value, share));
  if (shown < 0n) return 0;
  return fromHundredths(shown > cap ? cap : shown);
}

/**
 * The score for an actual value. Items that cannot exceed their target get the highest score for meeting it;
 * evaluations from before that rule keep their scores (`met_is_top` false).
 */
export function scoreOfActual(
  measure: Measure,
  actual: number,
  { met_is_top, share = wholeTarget }: { met_is_top: boolean; share?: Fraction },
) {
  const achievement = achievementOf(measure, actual, share);
  return met_is_top && achievement >= 100 && isMetAtMost(measure) ? 5 : scoreOfAchievement(achievement);
}

/** The score from 1 to 5 for an achievement of achievementOf, using the two decimals that are shown. */
export function scoreOfAchievement(achievement: number): 1 | 2 | 3 | 4 | 5 {
  if (achievement >= topAchievement) return 5;
  if (achievement >= 100) return 4;
  if (achievement >= 80) return 3;
  return achievement >= 60 ? 2 : 1;
}

/** The displayed prorated target decides: a value equal to it meets it, whatever was rounded. */
function isShownTarget({ direction, target_value }: Measure, actual: bigint, share: Fraction): boolean {
  if (share.top === share.bottom || direction === 'boolean' || target_value === null) return false;
  const shown = roundedHundredths(multiply(fraction(hundredths(target_value), 100n), share));
  return shown !== 0n && shown === actual;
}

/**
 * Target and baseline count in proportion. Scaling all values equally changes no formula, so whole numbers are used:
 * target and baseline times the share's numerator, the actual value times its denominator.
 */
function exactAchievement(measure: Measure, value: bigint, share: Fraction): Fraction {
  if (measure.direction === 'boolean') return value === 100n ? all : none;
  if (measure.target_value === null) throw new RangeError('A measured item needs a target.');
  const actual = value * share.bottom;
  const target = hundredths(measure.target_value) * share.top;
  const baseline = measure.baseline_value === null ? null : hundredths(measure.baseline_value) * share.top;
  if (target === 0n && baseline === null) return metZero(measure.direction, actual) ? all : none;
  if (target < 0n && baseline === null) throw new RangeError('A negative target needs a baseline.');
  if (measure.direction === 'target') return nearness(target, baseline ?? 0n, measure.tolerance_pct ?? 0, actual);
  return progress(measure.direction, target, baseline, actual);
}

/** Without a baseline there is no distance to a target of 0: it is either met or not. */
function metZero(direction: 'higher_better' | 'lower_better' | 'target', actual: bigint): boolean {
  if (direction === 'higher_better') return actual >= 0n;
  return direction === 'lower_better' ? actual <= 0n : actual === 0n;
}

/** The share of the way from the zero point to the target. Lower is better, no baseline: zero is twice the target. */
function progress(
  direction: 'higher_better' | 'lower_better',
  target: bigint,
  baseline: bigint | null,
  actual: bigint,
): Fraction {
  const zero = baseline ?? (direction === 'higher_better' ? 0n : 2n * target);
  if (direction === 'higher_better' ? zero >= target : zero <= target)
    throw new RangeError('The baseline must lie on the worse side of the target.');
  return fraction(100n * (actual - zero), target - zero);
}

/** 100 at the target and within the tolerance, then less with the distance, down to 0 as far away as the baseline. */
function nearness(target: bigint, zero: bigint, tolerance: number, actual: bigint): Fraction {
  if (zero === target) throw new RangeError('The baseline must differ from the target.');
  const off = distance(actual, target);
  if (off * 10_000n <= distance(target, 0n) * hundredths(tolerance)) return all;
  const span = distance(target, zero);
  return fraction(100n * (span - off), span);
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);
