import type { ProbationReview } from '@tenure/contract';
import { probationActions, type ProbationAction } from '../search.ts';
import { isWriting } from './values.ts';

/** What the reader may do with a review now. Who may change it without writing it changes its days. */
export const offered = (review: ProbationReview): ProbationAction[] =>
  probationActions.filter((action) =>
    action === 'dates'
      ? review.allowed_actions.includes('update') && !isWriting(review)
      : review.allowed_actions.includes(action),
  );
