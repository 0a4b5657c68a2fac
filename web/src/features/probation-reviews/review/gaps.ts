import type { ProbationReview } from '@tenure/contract';

/** Missing input that blocks submitting an assessment. */
export type Gap = {
  /** The field in the form's markup; for a criterion with its index. */
  field: string;
  kind: 'rating' | 'comments' | 'recommendation' | 'months' | 'extension' | 'criterion' | 'weights';
  /** The name of the criterion. */
  name?: string;
};

const isBlank = (text: string | null | undefined) => (text ?? '').trim() === '';

/** The service checks the same on submit; this lists missing input before the user signs. */
export function gapsOf(review: ProbationReview): Gap[] {
  const { performance_rating, comments, recommendation, extension_months, extensions } = review;
  const criteria = review.criteria ?? [];
  const total = Math.round(criteria.reduce((sum, { weight }) => sum + weight * 100, 0));
  const all: (Gap | false)[] = [
    (performance_rating ?? null) === null && { field: 'performance_rating', kind: 'rating' },
    ...criteria.map(
      ({ rating, name }, index): Gap | false =>
        rating === null && { field: `criteria.${index}`, kind: 'criterion', name },
    ),
    criteria.length > 0 && total !== 10_000 && { field: 'criteria.0', kind: 'weights' },
    isBlank(comments) && { field: 'comments', kind: 'comments' },
    review.milestone === 'final' &&
      (recommendation ?? null) === null && { field: 'recommendation', kind: 'recommendation' },
    recommendation === 'extend' && (extension_months ?? null) === null && { field: 'extension_months', kind: 'months' },
    recommendation === 'extend' &&
      extensions !== undefined &&
      extensions.count >= extensions.maximum && { field: 'recommendation', kind: 'extension' },
  ];
  return all.filter((gap) => gap !== false);
}

// a closing dialog returns the focus with a delay
const afterClosing = 60;

/** Focuses the field of a gap after the dialog has closed. */
export function goToGap({ field }: Gap): void {
  setTimeout(() => {
    const element = document.querySelector(`[data-gap="${field}"]`);
    element?.scrollIntoView({ block: 'center' });
    element?.querySelector<HTMLElement>('input:not([type=hidden]), textarea')?.focus();
  }, afterClosing);
}
