import { add, fraction, hundredths, multiply, rounded } from './fraction.ts';
import type { Fraction } from './fraction.ts';

/** One item as one side scores it. `weight` in basis points (40% is 4000), score and achievement with two decimals. */
export type Scored = {
  id: number;
  weight: number;
  score: number | null;
  not_applicable: boolean;
  achievement_pct: number | null;
};
export type SideScore = { score: number; percentage: number; complete: boolean };

/** One item with the scores of all sides; each achievement belongs to the actual value of the same side. */
export type EvaluatedItem = {
  id: number;
  weight: number;
  not_applicable: boolean;
  self_score: number | null;
  self_achievement_pct: number | null;
  manager_score: number | null;
  final_score: number | null;
  achievement_pct: number | null;
};
export type Evaluated = {
  items: readonly EvaluatedItem[];
  scale_max: number;
  /** Whole percentages that add up to 100, the manager's at least 50. */
  manager_weight_pct: number;
  self_weight_pct: number;
  self_skipped: boolean;
  pip_below_pct: number;
  hipo_from_pct: number;
};
export type Side = 'self' | 'manager' | 'final';
export type Flag = 'pip' | 'standard' | 'hipo';
export type Overall = {
  self_overall_score: number | null;
  overall_score: number | null;
  overall_percentage: number | null;
  overall_achievement_pct: number | null;
  suggested_flag: Flag | null;
  complete: boolean;
};
/** What each side contributes to the result; without a self-assessment, `self` is null and the manager's share is 1. */
export type Blend = { manager: Fraction; self: Fraction | null; managerShare: Fraction; selfShare: Fraction };

/**
 * The weighted score of one side and its percentage of the highest score, with two decimals each, both rounded from the
 * exact score. Leaves out items that are not applicable, and items without a score yet (`complete` is false then). Null
 * if nothing counts.
 */
export function sideScore(items: readonly Scored[], scale_max: number): SideScore | null {
  const score = exactScore(items);
  return score && { score: rounded(score), percentage: percentageOf(score, scale_max), complete: isComplete(items) };
}

/**
 * The figures that an evaluation stores: the final scores (until there are any, the manager's) blended with the
 * self-assessment as the cycle defines. Without a score by the manager there is no result. The flag is only set once
 * every applicable item is scored.
 */
export function overallOf(evaluated: Evaluated): Overall {
  const items = itemsOf(evaluated, 'final');
  const self = exactScore(itemsOf(evaluated, 'self'));
  const blend = blendOf(evaluated, 'final');
  const score = blend && blendedScore(blend);
  const percentage = score && percentageOf(score, evaluated.scale_max);
  const complete = isComplete(items);
  return {
    self_overall_score: self && rounded(self),
    overall_score: score && rounded(score),
    overall_percentage: percentage,
    overall_achievement_pct: meanAchievement(items),
    suggested_flag: percentage === null || !complete ? null : flagOf(percentage, evaluated),
    complete,
  };
}

/** The flag of a percentage as shown, with two decimals: 59.99 is below 60, 60.00 is not. */
export function flagOf(percentage: number, limits: Pick<Evaluated, 'pip_below_pct' | 'hipo_from_pct'>): Flag {
  if (percentage < limits.pip_below_pct) return 'pip';
  return percentage >= limits.hipo_from_pct ? 'hipo' : 'standard';
}

/** The items as one side scored them. A skipped self-assessment has no scores, whatever its draft contains. */
export function itemsOf<Item extends EvaluatedItem>(
  { items, self_skipped }: { items: readonly Item[]; self_skipped: boolean },
  side: Side,
): (Item & Scored)[] {
  return items.map((item) => {
    if (side === 'self')
      return { ...item, score: self_skipped ? null : item.self_score, achievement_pct: item.self_achievement_pct };
    return { ...item, score: side === 'final' ? (item.final_score ?? item.manager_score) : item.manager_score };
  });
}

/** Manager and self-assessment with their shares of the result; null if the manager has scored nothing yet. */
export function blendOf(evaluated: Evaluated, side: 'manager' | 'final'): Blend | null {
  const manager = exactScore(itemsOf(evaluated, side));
  if (manager === null) return null;
  const self = exactScore(itemsOf(evaluated, 'self'));
  const selfWeight = self === null ? 0n : BigInt(evaluated.self_weight_pct);
  const total = BigInt(evaluated.manager_weight_pct) + selfWeight;
  return {
    manager,
    self,
    managerShare: fraction(BigInt(evaluated.manager_weight_pct), total),
    selfShare: fraction(selfWeight, total),
  };
}

export function blendedScore({ manager, self, managerShare, selfShare }: Blend): Fraction {
  const own = multiply(managerShare, manager);
  return self === null ? own : add(own, multiply(selfShare, self));
}

export const isCounted = <Item extends Scored>(item: Item): item is Item & { score: number } =>
  !item.not_applicable && item.score !== null;

export const isComplete = (items: readonly Scored[]): boolean =>
  items.every((item) => item.not_applicable || item.score !== null);

/** The sum of weight times score over the sum of weights, for the items that count. */
export const exactScore = (items: readonly Scored[]): Fraction | null =>
  weightedMean(items.filter(isCounted).map(({ weight, score }) => ({ weight, value: score })));

export const percentageOf = (score: Fraction, scale_max: number): number =>
  rounded(multiply(score, fraction(100n, BigInt(scale_max))));

/** Null unless every item that counts is measured. */
function meanAchievement(items: readonly Scored[]): number | null {
  const counted = items.filter(isCounted);
  const measured = counted.flatMap(({ weight, achievement_pct: value }) => (value === null ? [] : { weight, value }));
  const mean = measured.length === counted.length ? weightedMean(measured) : null;
  return mean && rounded(mean);
}

function weightedMean(values: readonly { weight: number; value: number }[]): Fraction | null {
  if (values.length === 0) return null;
  const weights = values.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const sum = values.reduce((total, { weight, value }) => total + BigInt(weight) * hundredths(value), 0n);
  return fraction(sum, weights * 100n);
}
