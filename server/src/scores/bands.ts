import { fraction, rounded } from './fraction.ts';

export const bands = ['A', 'B', 'C', 'D'] as const;
export type Band = (typeof bands)[number];

/** At most this share of the people in each band, whole percent. */
export type BandCaps = { a: number; b: number; c: number; d: number };
export type BandShare = {
  band: Band;
  count: number;
  share_pct: number | null;
  cap_pct: number | null;
  over_limit: boolean;
};

/** The band of an overall percentage as it is shown, two decimals: A from 90, B from 80, C from 60, D below. */
export function bandOf(percentage: number): Band {
  if (percentage >= 90) return 'A';
  if (percentage >= 80) return 'B';
  return percentage >= 60 ? 'C' : 'D';
}

/** The fewest results that are compared with caps. */
const fewest = 5;

/**
 * The share of each band, in percent of two decimals, beside its cap; a share that shows more than its cap is over the
 * limit. In a group below `fewest` one person decides about the shares, so nothing is over a limit. An empty group has
 * null shares. Only a report: no score changes.
 */
export function distributionOf(counts: Readonly<Record<Band, number>>, caps: BandCaps | null): BandShare[] {
  const total = bands.reduce((sum, band) => sum + counts[band], 0);
  return bands.map((band) => {
    const share_pct = total === 0 ? null : rounded(fraction(100n * BigInt(counts[band]), BigInt(total)));
    const cap_pct = caps === null ? null : caps[keyOf[band]];
    const over_limit = total >= fewest && share_pct !== null && cap_pct !== null && share_pct > cap_pct;
    return { band, count: counts[band], share_pct, cap_pct, over_limit };
  });
}

const keyOf = { A: 'a', B: 'b', C: 'c', D: 'd' } as const satisfies Record<Band, keyof BandCaps>;
