import { probationReviews, type Endpoint, type ProbationReview } from '@tenure/contract';
import { useStepOf } from '../../../../workflow/use-step.ts';
import type { DialogTexts } from './use-dialog-texts.ts';

export const useStep = <E extends Endpoint>(endpoint: E, onDone: () => void) =>
  useStepOf(probationReviews.get, endpoint, onDone);

export type Step = ReturnType<typeof useStep>;

export type StepProps = { review: ProbationReview; texts: DialogTexts; onDone: () => void; onClose: () => void };
