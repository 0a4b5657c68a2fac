import { fraction, hundredths, multiply, rounded } from './fraction.ts';
import type { Fraction } from './fraction.ts';

/** The days of a person in a cycle, at least 1, and all days of the cycle; null without a prorated item. */
export type Days = { employed_days: number | null; cycle_days: number | null };
/** What an item's target depends on. */
export type Prorated = { prorate: boolean; target_value: number | null; baseline_value: number | null };
export type Proration = {
  employed_days: number;
  cycle_days: number;
  /** Target and baseline in proportion to the days, with two decimals, halves up. */
  target_value: number;
  baseline_value: number | null;
};

const whole = fraction(1n, 1n);

/** The share of a target that counts: the person's days over those of the cycle, exactly; 1 if not prorated. */
export function shareOf({ prorate }: Pick<Prorated, 'prorate'>, { employed_days, cycle_days }: Days): Fraction {
  if (!prorate || employed_days === null || cycle_days === null) return whole;
  return fraction(BigInt(employed_days), BigInt(cycle_days));
}

/** How a target was reduced, as it is displayed; null for the full target. */
export function prorationOf(item: Prorated, days: Days): Proration | null {
  const share = shareOf(item, days);
  const { employed_days, cycle_days } = days;
  if (item.target_value === null || employed_days === null || cycle_days === null) return null;
  if (share.top === share.bottom) return null;
  const part = (value: number) => rounded(multiply(fraction(hundredths(value), 100n), share));
  const { target_value, baseline_value } = item;
  return {
    employed_days,
    cycle_days,
    target_value: part(target_value),
    baseline_value: baseline_value === null ? null : part(baseline_value),
  };
}
