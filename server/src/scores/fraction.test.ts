import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, fraction, fromHundredths, hundredths, multiply, rounded } from './fraction.ts';

test.each([
  [0, 0n],
  [-0, 0n],
  [0.01, 1n],
  [0.29, 29n],
  [1.15, 115n],
  [4.35, 435n],
  [-4.35, -435n],
  [8.2, 820n],
  [999_999_999_999.99, 99_999_999_999_999n],
])('%f is %s hundredths', (value, whole) => {
  expect(hundredths(value)).toBe(whole);
});

test.each([0.001, 1 / 3, 4.355, Number.NaN, Infinity, -Infinity, 1e15, Number.MIN_VALUE])(
  '%d is refused: more than two decimals cannot be told apart',
  (value) => {
    expect(() => hundredths(value)).toThrow(RangeError);
  },
);

test('every number of two decimals is taken exactly and given back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }), (whole) => {
      expect(hundredths(Number(`${whole}e-2`))).toBe(BigInt(whole));
      expect(fromHundredths(BigInt(whole))).toBe(Number(`${whole}e-2`));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [1n, 3n, 0.33],
  [2n, 3n, 0.67],
  [1n, 200n, 0.01],
  [1005n, 1000n, 1.01],
  [3445n, 1000n, 3.45],
  [-1n, 200n, 0],
  [-1n, 100n, -0.01],
  [-6n, 1000n, -0.01],
  [-1n, 3n, -0.33],
  [1n, -3n, -0.33],
])('%s / %s is rounded to %f, halves up', (top, bottom, result) => {
  expect(rounded(fraction(top, bottom))).toBe(result);
});

test('sums and products are exact', () => {
  const tenth = fraction(1n, 10n);
  expect(rounded(add(add(tenth, tenth), tenth))).toBe(0.3);
  const third = fraction(1n, 3n);
  const { top, bottom } = multiply(add(third, add(third, third)), fraction(7n, -2n));
  expect(top * 2n).toBe(-7n * bottom);
  expect(bottom > 0n).toBe(true);
});

test('nothing is divided by 0', () => {
  expect(() => fraction(1n, 0n)).toThrow(RangeError);
});
