import type { EvaluationItem } from '@tenure/contract';

export type Change = { score: string; note: string };
export type Changes = Readonly<Record<number, Change>>;

/** The score that counts until the dispute is resolved. */
export const scoreBefore = ({ final_score: final, manager_score: manager }: EvaluationItem) => final ?? manager ?? null;

/** What is entered for an item; without an entry its score stays. */
export const changeOf = (item: EvaluationItem, changes: Changes): Change => {
  const { score = '', note = '' } = changes[item.id] ?? {};
  return { score: score === '' ? String(scoreBefore(item) ?? '') : score, note };
};

/** The items with a changed score. */
export const changedItems = (items: readonly EvaluationItem[], changes: Changes) =>
  items.filter((item) => changeOf(item, changes).score !== String(scoreBefore(item) ?? ''));
