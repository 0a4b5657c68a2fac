import type { ProbationReview } from '@tenure/contract';
import { useState } from 'react';
import type { ProbationAction } from '../../search.ts';
import { offered } from '../offered.ts';

export type Question = { action: ProbationAction; review: ProbationReview };

/**
 * The open dialog, with the review as it was when it opened: a refetch neither closes the dialog nor changes what the
 * user confirms.
 */
export function useQuestion(review: ProbationReview, action: ProbationAction | undefined): Question | undefined {
  const [asked, setAsked] = useState<Question>();
  const same = asked?.action === action ? asked : undefined;
  const next = same ?? (action && offered(review).includes(action) ? { action, review } : undefined);
  if (next !== asked) setAsked(next);
  return next;
}
