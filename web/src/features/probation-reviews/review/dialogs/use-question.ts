import type { ProbationReview } from '@tenure/contract';
import { useState } from 'react';
import type { ProbationAction } from '../../search.ts';
import { offered } from '../offered.ts';

export type Question = { action: ProbationAction; review: ProbationReview };

/**
 * What is asked, with the review as it was when it was asked: what is read meanwhile neither takes the question away nor
 * changes what is answered.
 */
export function useQuestion(review: ProbationReview, action: ProbationAction | undefined): Question | undefined {
  const [asked, setAsked] = useState<Question>();
  const same = asked?.action === action ? asked : undefined;
  const next = same ?? (action && offered(review).includes(action) ? { action, review } : undefined);
  if (next !== asked) setAsked(next);
  return next;
}
