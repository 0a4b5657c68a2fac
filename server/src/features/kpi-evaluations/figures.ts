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

/** The actual value of the result: the corrected one, else that of the reviewer. */
const actualOf = ({ final_actual_value, manager_actual_value }: ItemRecord) =>
  final_actual_value ?? manager_actual_value;

/** An item as the formulas take it. The reviewer decides what does not apply; until then the subject proposes it. */
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

/** The figures of the result, from the scores of the reviewer or the final ones. The own figure of the subject stays. */
export function figuresOf(
  row: EvaluationRecord,
  items: readonly ItemRecord[],
): Omit<Overall, 'complete' | 'self_overall_score'> {
  const { complete: _complete, self_overall_score: _own, ...figures } = overallOf(evaluatedOf(row, items));
  return figures;
}

/** The own figure of the subject: what the subject left out is left out, whatever a reviewer made of it before. */
export function selfFigureOf(row: EvaluationRecord, items: readonly ItemRecord[]): number | null {
  const proposed = items.map((item) => ({ ...item, manager_not_applicable: null }));
  return overallOf(evaluatedOf({ ...row, self_skipped: false }, proposed)).self_overall_score;
}

/** What is given up when an evaluation goes back; undefined when there is nothing yet. */
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
    // what the reviewer has not handed in is no result
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
