import { expect, test } from 'vitest';
import { bandOf, distributionOf } from './bands.ts';

test.each([
  [100, 'A'],
  [90, 'A'],
  [89.99, 'B'],
  [80.05, 'B'],
  [80, 'B'],
  [79.99, 'C'],
  [60, 'C'],
  [59.99, 'D'],
  [0, 'D'],
])('%f %% is band %s', (percentage, band) => {
  expect(bandOf(percentage)).toBe(band);
});

test('three of ten people are above a cap of 20 %', () => {
  expect(distributionOf({ A: 3, B: 4, C: 2, D: 1 }, { a: 20, b: 40, c: 30, d: 10 })).toEqual([
    { band: 'A', name: 'A', count: 3, share_pct: 30, cap_pct: 20, over_limit: true },
    { band: 'B', name: 'B', count: 4, share_pct: 40, cap_pct: 40, over_limit: false },
    { band: 'C', name: 'C', count: 2, share_pct: 20, cap_pct: 30, over_limit: false },
    { band: 'D', name: 'D', count: 1, share_pct: 10, cap_pct: 10, over_limit: false },
  ]);
});

test('shares have two decimals and without caps nothing is over a limit', () => {
  const shares = distributionOf({ A: 2, B: 4, C: 5, D: 1 }, null);
  expect(shares.map(({ share_pct }) => share_pct)).toEqual([16.67, 33.33, 41.67, 8.33]);
  expect(shares.map(({ cap_pct, over_limit }) => ({ cap_pct, over_limit }))).toEqual(
    Array.from({ length: 4 }, () => ({ cap_pct: null, over_limit: false })),
  );
});

test('a group below five is over no limit', () => {
  const caps = { a: 20, b: 0, c: 0, d: 0 };
  const isOver = (a: number) => distributionOf({ A: a, B: 0, C: 0, D: 0 }, caps)[0]?.over_limit;
  expect([isOver(1), isOver(4), isOver(5)]).toEqual([false, false, true]);
});

test('a cap of 0 is passed by the first person of a larger group', () => {
  const [a, b] = distributionOf({ A: 1, B: 0, C: 4, D: 0 }, { a: 0, b: 0, c: 0, d: 0 });
  expect([a?.over_limit, b?.over_limit]).toEqual([true, false]);
});

test('an empty group has no shares', () => {
  expect(distributionOf({ A: 0, B: 0, C: 0, D: 0 }, { a: 0, b: 0, c: 0, d: 0 })).toEqual(
    ['A', 'B', 'C', 'D'].map((band) => ({
      band,
      name: band,
      count: 0,
      share_pct: null,
      cap_pct: 0,
      over_limit: false,
    })),
  );
});
