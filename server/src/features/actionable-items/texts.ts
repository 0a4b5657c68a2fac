import type { ActionableItem, ActionableKind, MessageKey, Text } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import { isMessage, wordsIn } from '../../languages/languages.ts';

/** Texts of tasks address the assignee. Titles contain the names of people and cycles. */
const titleKey = (kind: ActionableKind): MessageKey => `tasks.${kind}.title`;

/** The title of a kind without its subject, folded for the search. */
export const wordsAround = (kind: ActionableKind, language: LanguageId): string =>
  fold(wordsIn(language, titleKey(kind)));

export const titleOf = (kind: ActionableKind, names: Readonly<Record<'person' | 'cycle', string>>): Text => ({
  key: titleKey(kind),
  parameters: names,
});

type Described = { kind: ActionableKind; priority: ActionableItem['priority'] };

/** What to do, or why there is the task; null for a kind whose tasks describe themselves. */
export function descriptionOf(
  { kind, priority }: Described,
  { has_probation_end }: { has_probation_end: boolean },
): Text | null {
  if (kind === 'probation_review_missing') {
    if (!has_probation_end) return { key: 'tasks.probation_review_missing.endless' };
    if (priority === 'overdue') return { key: 'tasks.probation_review_missing.overdue' };
  }
  const key = `tasks.${kind}.description`;
  return isMessage(key) ? { key } : null;
}
