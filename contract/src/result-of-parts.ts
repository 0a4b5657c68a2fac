/** The result of a part of a cycle, and the person's days in it. */
export type PartResult = {
  /** In percent, two decimals; null if no item applied. */
  percentage: number | null;
  /** A whole number, at least 1. */
  days: number;
};

/**
 * The result of a person whose cycle is in parts: the mean of their percentages, weighted by the days of each part,
 *
 *     (p1 * d1 + p2 * d2) / (d1 + d2)
 *
 * in percent. It is computed exactly in hundredths and rounded once, to two decimals, halves up. A part without a result
 * does not count; null if none has one. For a single part, it is the result of that part.
 * @throws RangeError for days that are not a whole number of at least 1
 */
export function resultOfParts(parts: readonly PartResult[]): number | null {
  let [sum, days] = [0n, 0n];
  for (const part of parts) {
    if (!Number.isSafeInteger(part.days) || part.days < 1) throw new RangeError(`${part.days} are no days of a part.`);
    if (part.percentage === null) continue;
    sum += BigInt(Math.round(part.percentage * 100)) * BigInt(part.days);
    days += BigInt(part.days);
  }
  return days === 0n ? null : Number((2n * sum + days) / (2n * days)) / 100;
}
