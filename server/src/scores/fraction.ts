/** An exact number, so that figures are only rounded once, at the end. `bottom` is above 0. */
export type Fraction = { readonly top: bigint; readonly bottom: bigint };

/** top / bottom. Throws a RangeError if bottom is 0. */
export function fraction(top: bigint, bottom: bigint): Fraction {
  if (bottom === 0n) throw new RangeError('A fraction cannot have 0 at its bottom.');
  return bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };
}

export const add = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);

export const multiply = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.top, a.bottom * b.bottom);

/** The largest whole number not above the fraction, which must not be negative. */
export const floor = ({ top, bottom }: Fraction): bigint => top / bottom;

/**
 * A number with at most two decimals in whole hundredths: 4.35 is 435n. Exact up to 90 million million. Throws a
 * RangeError for any other number: a third decimal would need rounding, and nothing is rounded here.
 */
export function hundredths(value: number): bigint {
  const whole = Math.round(value * 100);
  if (!Number.isSafeInteger(whole) || whole / 100 !== value)
    throw new RangeError(`${value} is not a number of at most two decimals.`);
  return BigInt(whole);
}

/** The only rounding: two decimals, to the nearer result, halves up; -0.005 becomes 0. */
export function roundedHundredths({ top, bottom }: Fraction): bigint {
  const doubled = 200n * top + bottom;
  const whole = doubled / (2n * bottom);
  return doubled < 0n && whole * 2n * bottom !== doubled ? whole - 1n : whole;
}

export const fromHundredths = (whole: bigint): number => Number(whole) / 100;

/** The fraction as a number with two decimals, halves up. */
export const rounded = (value: Fraction): number => fromHundredths(roundedHundredths(value));
