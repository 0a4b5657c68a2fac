import type { CycleBands } from '@tenure/contract';
import { fraction, rounded } from './fraction.ts';

export const bands = ['A', 'B', 'C', 'D'] as const;
export type Band = (typeof bands)[number];

/** The most people in each band, as a share in whole percent. */
export type BandCaps = { a: number; b: number; c: number; d: number };
export type BandShare = {
  band: Band;
  name: string;
  count: number;
  share_pct: number | null;
  cap_pct: number | null;
  over_limit: boolean;
};

/** The bands of cycles that define none. */
export const usualBands: CycleBands = {
  a: { name: 'A', from: 90 },
  b: { name: 'B', from: 80 },
  c: { name: 'C', from: 60 },
  d: { name: 'D' },
};

/** The band of an overall percentage as shown, with two decimals, by the limits of its cycle. */
export function bandOf(percentage: number, { a, b, c }: CycleBands = usualBands): Band {
  if (percentage >= a.from) return 'A';
  if (percentage >= b.from) return 'B';
  return percentage >= c.from ? 'C' : 'D';
}

/** The name of a band, and its lower (inclusive) and upper (exclusive) limits; null at the ends. */
export function bandIs(band: Band, { a, b, c, d }: CycleBands) {
  const from = { A: a.from, B: b.from, C: c.from, D: null }[band];
  const below = { A: null, B: a.from, C: b.from, D: c.from }[band];
  return { name: { A: a, B: b, C: c, D: d }[band].name, from, below };
}

/** The fewest results for which caps apply. */
const fewest = 5;

/**
 * The share of each band in percent with two decimals, beside its cap; a displayed share above its cap is over the
 * limit. In a group of fewer than `fewest` a single person decides the shares, so nothing is over a limit. An empty
 * group has null shares. This is only a report: no score changes.
 */
export function distributionOf(
  counts: Readonly<Record<Band, number>>,
  caps: BandCaps | null,
  named: CycleBands = usualBands,
): BandShare[] {
  const total = bands.reduce((sum, band) => sum + counts[band], 0);
  return bands.map((band) => {
    const share_pct = total === 0 ? null : rounded(fraction(100n * BigInt(counts[band]), BigInt(total)));
    const cap_pct = caps === null ? null : caps[keyOf[band]];
    const over_limit = total >= fewest && share_pct !== null && cap_pct !== null && share_pct > cap_pct;
    const { name } = named[keyOf[band]];
    return { band, name, count: counts[band], share_pct, cap_pct, over_limit };
  });
}

const keyOf = { A: 'a', B: 'b', C: 'c', D: 'd' } as const satisfies Record<Band, keyof BandCaps>;
