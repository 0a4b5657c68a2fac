import type { KpiEvaluation } from '@tenure/contract';

const hundredths = (value: number) => Math.round(value * 100);

/**
 * The result with other final scores, as a preview for the user who changes them; the service computes the actual one.
 * Null if no item is scored.
 * @param scoreOf the final score of an item, by its id
 */
export function newTotal(
  { items, explain, scale_max: highest }: Pick<KpiEvaluation, 'items' | 'explain' | 'scale_max'>,
  scoreOf: (id: number) => number | null,
): { score: number; percentage: number } | null {
  let [sum, weight] = [0, 0];
  for (const item of items) {
    const score = item.not_applicable ? null : scoreOf(item.id);
    if (score !== null) {
      sum += hundredths(item.weight) * hundredths(score);
      weight += hundredths(item.weight);
    }
  }
  if (weight === 0) return null;
  const given = sum / weight / 100;
  const blend = explain.result?.blend;
  const score =
    blend && blend.self_score !== null ? (given * blend.manager_weight_pct) / 100 + blend.self_contribution : given;
  const rounded = (value: number) => Math.round(value * 100 + 1e-9) / 100;
  return { score: rounded(score), percentage: rounded((100 * score) / highest) };
}
