import type { EvaluationItem } from '@tenure/contract';

/** The input for an item; `actual` corrects its actual value, from which the service computes the score. */
export type Change = { score: string; note: string; actual: string };
export type Changes = Readonly<Record<number, Change>>;

/** The score that applies until the dispute is resolved. */
export const scoreBefore = ({ final_score: final, manager_score: manager }: EvaluationItem) => final ?? manager ?? null;

/** The input for an item; without input, its score stays. */
export const changeOf = (item: EvaluationItem, changes: Changes): Change => {
  const { score = '', note = '', actual = '' } = changes[item.id] ?? {};
  return { score: score === '' ? String(scoreBefore(item) ?? '') : score, note, actual };
};

/** True for an item whose actual value is corrected. */
export const isCorrected = (item: EvaluationItem, changes: Changes) => changeOf(item, changes).actual.trim() !== '';

/** The items with a changed score or a corrected actual value. */
export const changedItems = (items: readonly EvaluationItem[], changes: Changes) =>
  items.filter(
    (item) => isCorrected(item, changes) || changeOf(item, changes).score !== String(scoreBefore(item) ?? ''),
  );
