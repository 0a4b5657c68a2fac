import type { EvaluationItem, KpiEvaluation } from '@tenure/contract';
import type { Texts } from '../../../ui/versions.ts';
import { isScoring, nameOf, type Side } from './values.ts';

/** A missing answer that blocks submitting. */
export type Gap =
  | { item: EvaluationItem; kind: 'score' | 'actual_value' | 'comment' | 'evidence' }
  | { item: undefined; kind: 'hr_comment' | 'performance_flag' | 'flag_reason' };

/** The missing answers of a side for one item. */
export function gapsOfItem(item: EvaluationItem, values: Texts, side: Side): Gap[] {
  const text = (field: 'score' | 'actual_value' | 'comment' | 'applies') =>
    (values[nameOf(item.id, field)] ?? '').trim();
  if (text('applies') === 'no') return text('comment') === '' ? [{ item, kind: 'comment' }] : [];
  const answer = item.item_type === 'measured' ? 'actual_value' : 'score';
  return [
    ...(text(answer) === '' ? [{ item, kind: answer } as const] : []),
    ...(side === 'self' && item.evidence_required && item.evidence_count === 0
      ? [{ item, kind: 'evidence' } as const]
      : []),
  ];
}

/** The missing answers of a side; the service checks again. */
export function gapsOf(evaluation: KpiEvaluation, values: Texts, side: Side): Gap[] {
  if (isScoring(side)) return evaluation.items.flatMap((item) => gapsOfItem(item, values, side));
  const text = (name: string) => (values[name] ?? '').trim();
  const differs = text('performance_flag') !== '' && text('performance_flag') !== (evaluation.suggested_flag ?? '');
  const isStandard = text('performance_flag') === 'standard' && evaluation.suggested_flag === 'standard';
  const doesWithoutComment = evaluation.hr_comment_optional && isStandard;
  return [
    ...(text('hr_comment') === '' && !doesWithoutComment ? [{ item: undefined, kind: 'hr_comment' } as const] : []),
    ...(text('performance_flag') === '' ? [{ item: undefined, kind: 'performance_flag' } as const] : []),
    ...(differs && text('flag_reason') === '' ? [{ item: undefined, kind: 'flag_reason' } as const] : []),
  ];
}

/** Items that the reviewer scores below the self-assessment without a comment: allowed, but hard to accept. */
export const loweredSilently = ({ items }: Pick<KpiEvaluation, 'items'>): EvaluationItem[] =>
  items.filter(
    ({ self_score: own, manager_score: given, manager_comment: words, not_applicable: isOut }) =>
      !isOut && typeof own === 'number' && typeof given === 'number' && given < own && (words ?? '').trim() === '',
  );
