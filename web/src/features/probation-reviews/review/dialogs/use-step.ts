import { probationReviews, type Endpoint, type ProbationReview } from '@tenure/contract';
import { useStepOf } from '../../../../workflow/use-step.ts';
import type { Words } from './use-words.ts';

export const useStep = <E extends Endpoint>(endpoint: E, onDone: () => void) =>
  useStepOf(probationReviews.get, endpoint, onDone);

export type Step = ReturnType<typeof useStep>;

export type StepProps = { review: ProbationReview; words: Words; onDone: () => void; onClose: () => void };
