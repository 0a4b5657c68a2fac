import { resultOfParts } from '@tenure/contract/result-of-parts';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The result of a cycle in parts, compared with integers that count day by day. */

const percentage = fc.integer({ min: 0, max: 12_000 });
const days = fc.integer({ min: 1, max: 366 });

test('is the mean of the percentages of all days, rounded half up once', () => {
  fc.assert(
    fc.property(percentage, days, percentage, days, (p1, d1, p2, d2) => {
      // each day has the percentage of its part, in hundredths
      let sum = 0;
      for (let day = 0; day < d1 + d2; day += 1) sum += day < d1 ? p1 : p2;
      const [whole, rest] = [Math.floor(sum / (d1 + d2)), sum % (d1 + d2)];
      const expected = 2 * rest >= d1 + d2 ? whole + 1 : whole;
      const result = resultOfParts([
        { percentage: p1 / 100, days: d1 },
        { percentage: p2 / 100, days: d2 },
      ]);
      expect(result).toBe(expected / 100);
    }),
    { numRuns: 2_000 },
  );
});

test('lies between both, does not depend on their order, and is that of both where they are equal', () => {
  fc.assert(
    fc.property(percentage, days, percentage, days, (p1, d1, p2, d2) => {
      const [a, b] = [
        { percentage: p1 / 100, days: d1 },
        { percentage: p2 / 100, days: d2 },
      ];
      const result = resultOfParts([a, b]) as number;
      expect(result).toBeGreaterThanOrEqual(Math.min(p1, p2) / 100);
      expect(result).toBeLessThanOrEqual(Math.max(p1, p2) / 100);
      expect(resultOfParts([b, a])).toBe(result);
      expect(resultOfParts([a, { ...a, days: d2 }])).toBe(p1 / 100);
    }),
  );
});

test('leaves out parts without a result, and refuses days that are none', () => {
  expect(
    resultOfParts([
      { percentage: 71.43, days: 5 },
      { percentage: null, days: 300 },
    ]),
  ).toBe(71.43);
  expect(resultOfParts([{ percentage: null, days: 5 }])).toBeNull();
  expect(resultOfParts([])).toBeNull();
  for (const wrong of [0, -1, 1.5, Number.NaN])
    expect(() => resultOfParts([{ percentage: 50, days: wrong }])).toThrow(RangeError);
});
