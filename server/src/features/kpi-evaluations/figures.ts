import { achievementOf } from '../../scores/achievement.ts';
import { overallOf } from '../../scores/overall.ts';
import { shareOf } from '../../scores/proration.ts';
import type { Days } from '../../scores/proration.ts';
import type { Evaluated, EvaluatedItem, Overall } from '../../scores/overall.ts';
import type { EvaluationRecord, ItemRecord } from './step.ts';
import type { Snapshot } from './history.ts';

const achieved = (item: ItemRecord, actual: number | null, days: Days) =>
  item.item_type !== 'measured' || item.direction === null || actual === null
    ? null
    : achievementOf({ ...item, direction: item.direction }, actual, shareOf(item, days));

/** The actual value of the result: the corrected one, else the reviewer's. */
const actualOf = ({ final_actual_value, manager_actual_value }: ItemRecord) =>
  final_actual_value ?? manager_actual_value;

/** An item for the formulas. The reviewer decides whether it applies; until then the subject's proposal is used. */
export function evaluatedItem(item: ItemRecord, row: Days & { self_skipped: boolean }): EvaluatedItem {
  const { self_skipped } = row;
  return {
    ...item,
    not_applicable: item.manager_not_applicable ?? (item.self_not_applicable && !self_skipped),
    self_achievement_pct: achieved(item, item.self_actual_value, row),
    achievement_pct: achieved(item, actualOf(item) ?? (self_skipped ? null : item.self_actual_value), row),
  };
}

const evaluatedOf = (row: EvaluationRecord, items: readonly ItemRecord[]): Evaluated => ({
  ...row,
  items: items.map((item) => evaluatedItem(item, row)),
});

/** The figures of the result, from the reviewer's scores or the final ones. The subject's own figure stays. */
export function figuresOf(
  row: EvaluationRecord,
  items: readonly ItemRecord[],
): Omit<Overall, 'complete' | 'self_overall_score'> {
  const { complete: _complete, self_overall_score: _own, ...figures } = overallOf(evaluatedOf(row, items));
  return figures;
}

/** The subject's own figure: it excludes the items that the subject excluded, whatever a reviewer decided before. */
export function selfScoreOf(row: EvaluationRecord, items: readonly ItemRecord[]): number | null {
  const proposed = items.map((item) => ({ ...item, manager_not_applicable: null }));
  return overallOf(evaluatedOf({ ...row, self_skipped: false }, proposed)).self_overall_score;
}

/** The result that is given up when an evaluation goes back; undefined if there is none yet. */
export function snapshotOf(row: EvaluationRecord, items: readonly ItemRecord[]): Snapshot | undefined {
  if (row.self_overall_score === null && row.manager_submitted_at === null) return undefined;
  const { self_overall_score, overall_score, overall_percentage, suggested_flag, performance_flag } = row;
  const isReviewed = row.manager_submitted_at !== null;
  return {
    self_overall_score,
    overall_score,
    overall_percentage,
    suggested_flag,
    performance_flag: row.hr_submitted_at === null ? null : performance_flag,
    // an unsubmitted review is not a result
    items: items.map((item) => ({
      id: item.id,
      name: item.name,
      final_score: item.final_score,
      manager_score: isReviewed ? item.manager_score : null,
      ...(isReviewed &&
        item.item_type === 'measured' && {
          actual_value: actualOf(item),
          achievement_pct: achieved(item, actualOf(item), row),
        }),
    })),
  };
}
