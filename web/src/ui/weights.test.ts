import { expect, test } from 'vitest';
import { spread, totalOf, weightText, whole } from './weights.ts';

test('every number of items shares exactly 100 %, with shares at most 0.01 apart', () => {
  for (let count = 1; count <= 50; count += 1) {
    const shares = spread(count);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    expect(
      totalOf(
        shares.map((share) => weightText(share, ',')),
        ',',
      ),
    ).toBe(whole);
  }
});

test('three items get 33.34, 33.33 and 33.33', () => {
  expect(spread(3).map((share) => weightText(share, '.'))).toEqual(['33.34', '33.33', '33.33']);
});

test('weights are summed exactly, unlike in floating point', () => {
  expect(totalOf(['0.1', '0.2', '99.7'], '.')).toBe(whole);
  expect(totalOf(['33.33', '33.33', '33.33'], '.')).toBe(9_999);
  expect(totalOf(['50', 'half', ''], '.')).toBe(5_000);
});
