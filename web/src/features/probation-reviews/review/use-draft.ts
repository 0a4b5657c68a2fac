import { probationReviews, probationSteps, type ProbationReview } from '@tenure/contract';
import { useLocale } from 'use-intl';
import { call } from '../../../api/call.ts';
import { load } from '../../../api/query.ts';
import type { Autosave, AutosaveState } from '../../../ui/autosave.ts';
import { useAutosave } from '../../../ui/use-autosave.ts';
import { decimalSignOf } from '../../../ui/numbers.ts';
import { draftOptions } from './values.ts';

export type Draft = Autosave<ProbationReview, 'reviewer'>;
export type DraftState = AutosaveState<'reviewer'>;

/** The draft of an assessment as React state. */
export function useDraft(review: ProbationReview): { draft: Draft; state: DraftState } {
  const sign = decimalSignOf(useLocale());
  const params = { id: review.id };
  return useAutosave({
    name: `probation.${review.id}`,
    row: review,
    plan: () => draftOptions(sign),
    send: async (body) => (await call(probationSteps.update, { params, body })).data,
    query: load(probationReviews.get, { params }),
  });
}
