/** The highest scores and results that items can reach. */

type Measured = {
  item_type: string;
  direction: string | null;
  target_value: number | null;
  baseline_value: number | null;
  cap_pct: number | null;
};

/**
 * True for an item that is either met or missed: yes or no, on target, and a target of 0 without a baseline. It cannot
 * exceed its target, so meeting it gives the highest score.
 */
export const isMetAtMost = ({
  direction,
  target_value,
  baseline_value,
}: Pick<Measured, 'direction' | 'target_value' | 'baseline_value'>): boolean =>
  direction === 'boolean' || direction === 'target' || (target_value === 0 && baseline_value === null);

/** The achievement, in percent, from which an item that can exceed its target has the highest score. */
export const topAchievement = 110;

const defaultCap = 120;

/**
 * The highest percentage that the items of a template can reach, with two decimals. A cap below 110% prevents a
 * measured item from reaching the highest score.
 * @param scaleMax the highest score on the scale
 * @returns null without weights
 */
export function highestResult(items: readonly (Measured & { weight: number })[], scaleMax: number): number | null {
  const weights = items.map((item) => Math.round(item.weight * 100));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0) return null;
  const isShort = (item: Measured) =>
    item.item_type === 'measured' && !isMetAtMost(item) && (item.cap_pct ?? defaultCap) < topAchievement;
  const reached = items.reduce(
    (sum, item, index) => sum + (weights[index] ?? 0) * (scaleMax - (isShort(item) ? 1 : 0)),
    0,
  );
  return Math.round((10_000 * reached) / (total * scaleMax)) / 100;
}
