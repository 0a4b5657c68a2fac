import type { ProbationReview } from '@tenure/contract';
import { probationActions, type ProbationAction } from '../search.ts';
import { isWriting } from './values.ts';

/** The actions on a review. Users who may update it without writing it get `dates`. */
export const availableActions = (review: ProbationReview): ProbationAction[] =>
  probationActions.filter((action) =>
    action === 'dates'
      ? review.allowed_actions.includes('update') && !isWriting(review)
      : review.allowed_actions.includes(action),
  );
