import type { ProbationReview } from '@tenure/contract';
import { useState } from 'react';
import type { ProbationAction } from '../../search.ts';
import { availableActions } from '../available-actions.ts';

export type OpenDialog = { action: ProbationAction; review: ProbationReview };

/**
 * The open dialog, with the review as it was when it opened: a refetch neither closes the dialog nor changes what the
 * user confirms.
 */
export function useOpenDialog(review: ProbationReview, action: ProbationAction | undefined): OpenDialog | undefined {
  const [asked, setAsked] = useState<OpenDialog>();
  const same = asked?.action === action ? asked : undefined;
  const next = same ?? (action && availableActions(review).includes(action) ? { action, review } : undefined);
  if (next !== asked) setAsked(next);
  return next;
}
