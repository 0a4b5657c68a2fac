import { readNumber, type DecimalSign } from './numbers.ts';

/** The total weight of a template, in hundredths of a percent. */
export const whole = 10_000;

/** A typed weight in hundredths of a percent; 0 if it is not a number. */
export const hundredthsOf = (text: string, sign: DecimalSign): number =>
  Math.round((readNumber(text, sign) ?? 0) * 100);

/** The sum of weights in hundredths of a percent: exact, since each is rounded to an integer first. */
export const totalOf = (weights: readonly string[], sign: DecimalSign): number =>
  weights.reduce((sum, text) => sum + hundredthsOf(text, sign), 0);

/** Shares of 100 % that differ by at most 0.01 and sum to it exactly; the first ones get the remainder. */
export function spread(count: number): number[] {
  const share = Math.floor(whole / count);
  const rest = whole - share * count;
  return Array.from({ length: count }, (_, index) => (index < rest ? share + 1 : share));
}

/** `33.34` for 3334 hundredths. */
export const weightText = (hundredths: number, sign: DecimalSign): string =>
  (hundredths / 100).toFixed(2).replace('.', sign);
