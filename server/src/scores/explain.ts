import type { CycleBands } from '@tenure/contract';
import { bandIs, bandOf, usualBands } from './bands.ts';
import type { Band } from './bands.ts';
import { floor, fraction, fromHundredths, hundredths, multiply, rounded, roundedHundredths } from './fraction.ts';
import type { Fraction } from './fraction.ts';
import { blendOf, blendedScore, exactScore, flagOf, isComplete, isCounted, itemsOf, percentageOf } from './overall.ts';
import type { Blend, Evaluated, EvaluatedItem, Flag, Scored, Side } from './overall.ts';
import type { Proration } from './proration.ts';

export type ExplainedItem = {
  item_id: number;
  name: string;
  /** Percent, two decimals. */
  weight: number;
  score: number | null;
  not_applicable: boolean;
  achievement_pct: number | null;
  /** How days reduced its target; null for the full target. */
  proration: Proration | null;
  /** Its part of `sum`; null if it does not count. */
  contribution: number | null;
};
export type ExplainedBlend = {
  manager_score: number;
  manager_weight_pct: number;
  manager_contribution: number;
  /** Null if the self-assessment was skipped: its weight is 0 then, and the manager's 100. */
  self_score: number | null;
  self_weight_pct: number;
  self_contribution: number;
  score: number;
};
export type Explanation = {
  side: Side;
  items: ExplainedItem[];
  /** Percent of the weights that count. */
  weight_counted: number;
  /** The sum of the contributions: the score of this side. */
  sum: number | null;
  /** The result: `sum`, or `blend.score` if the self-assessment is blended in. */
  score: number | null;
  percentage: number | null;
  blend: ExplainedBlend | null;
  band: Band | null;
  /** The name of the band and its limits. */
  band_is: ReturnType<typeof bandIs> | null;
  suggested_flag: Flag | null;
  complete: boolean;
};

/**
 * How a score is computed, step by step, in exactly the numbers that a screen shows: the contributions add up to `sum`,
 * and those of the blend to `score`, to the last hundredth. `score` and `percentage` of the final side are those of
 * overallOf. Band and flag belong to the result: null on the self side, and until every applicable item is scored.
 */
export function explain(
  side: Side,
  evaluated: Omit<Evaluated, 'items'> & {
    items: readonly (EvaluatedItem & { name: string; proration?: Proration | null })[];
    bands?: CycleBands;
  },
): Explanation {
  const items = itemsOf(evaluated, side);
  const counted = items.filter(isCounted);
  const own = exactScore(items);
  const blend = side === 'self' ? null : blendOf(evaluated, side);
  const score = blend === null ? own : blendedScore(blend);
  const percentage = score && percentageOf(score, evaluated.scale_max);
  const complete = isComplete(items);
  const verdict = side === 'self' || !complete ? null : percentage;
  const band = verdict === null ? null : bandOf(verdict, evaluated.bands);
  const contributions = contributionsOf(counted);
  return {
    side,
    items: items.map((item) => ({
      item_id: item.id,
      name: item.name,
      weight: item.weight / 100,
      score: item.not_applicable ? null : item.score,
      not_applicable: item.not_applicable,
      achievement_pct: item.not_applicable ? null : item.achievement_pct,
      proration: item.not_applicable ? null : (item.proration ?? null),
      contribution: contributions.get(item.id) ?? null,
    })),
    weight_counted: counted.reduce((sum, { weight }) => sum + weight, 0) / 100,
    sum: own && rounded(own),
    score: score && rounded(score),
    percentage,
    blend: blend !== null && evaluated.self_weight_pct > 0 ? explainedBlend(blend) : null,
    band,
    band_is: band && bandIs(band, evaluated.bands ?? usualBands),
    suggested_flag: verdict === null ? null : flagOf(verdict, evaluated),
    complete,
  };
}

function explainedBlend(blend: Blend): ExplainedBlend {
  const { manager, self, managerShare, selfShare } = blend;
  const parts = [multiply(managerShare, manager), ...(self === null ? [] : [multiply(selfShare, self)])];
  const [manager_contribution = 0, self_contribution = 0] = addingUp(parts, blendedScore(blend));
  return {
    manager_score: rounded(manager),
    manager_weight_pct: rounded(multiply(managerShare, fraction(100n, 1n))),
    manager_contribution,
    self_score: self && rounded(self),
    self_weight_pct: rounded(multiply(selfShare, fraction(100n, 1n))),
    self_contribution,
    score: rounded(blendedScore(blend)),
  };
}

/** By item. Sorted by id, so that the order of the items has no influence. */
function contributionsOf(counted: readonly (Scored & { score: number })[]): Map<number, number> {
  const total = exactScore(counted);
  if (total === null) return new Map();
  const ordered = counted.toSorted((a, b) => a.id - b.id);
  const weights = ordered.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const parts = ordered.map(({ weight, score }) => fraction(BigInt(weight) * hundredths(score), weights * 100n));
  const shown = addingUp(parts, total);
  return new Map(ordered.map(({ id }, position) => [id, shown[position] ?? 0]));
}

/**
 * The parts of a total, in hundredths that add up to the rounded total (largest remainder method): all are truncated,
 * then the missing hundredths go to the parts that lost most, the first one among equals. None is off by a whole
 * hundredth.
 */
function addingUp(parts: readonly Fraction[], total: Fraction): number[] {
  const inHundredths = parts.map((part) => multiply(part, fraction(100n, 1n)));
  const cut = inHundredths.map(floor);
  const missing = Number(roundedHundredths(total) - cut.reduce((sum, part) => sum + part, 0n));
  const raised = new Set(
    inHundredths
      .map(({ top, bottom }, position) => ({ position, lost: fraction(top % bottom, bottom) }))
      .toSorted((a, b) => compare(b.lost, a.lost) || a.position - b.position)
      .slice(0, missing)
      .map(({ position }) => position),
  );
  return cut.map((part, position) => fromHundredths(part + (raised.has(position) ? 1n : 0n)));
}

function compare(a: Fraction, b: Fraction): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  if (difference === 0n) return 0;
  return difference > 0n ? 1 : -1;
}
