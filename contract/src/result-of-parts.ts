/** The result of a part of a cycle, and the days of the person in it. */
export type PartResult = {
  /** In percent, two decimals; null where no item applied. */
  percentage: number | null;
  /** A whole number from 1 on. */
  days: number;
};

/**
 * The result of a person whose cycle is in parts: the mean of their percentages, weighted by the days of each part,
 *
 *     (p1 * d1 + p2 * d2) / (d1 + d2)
 *
 * in percent. It is exact in whole hundredths and rounded once, to two decimals, halves up. A part without a result does
 * not count; null where none has one. Of a single part it is the result of that part.
 * @throws RangeError for days that are no whole number from 1 on
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
