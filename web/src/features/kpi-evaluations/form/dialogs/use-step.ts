import { kpiEvaluations, type Endpoint, type KpiEvaluation } from '@tenure/contract';
import type { KeptTexts } from '../../../../workflow/use-kept-texts.ts';
import { useStepOf } from '../../../../workflow/use-step.ts';

export const useStep = <E extends Endpoint>(endpoint: E, onDone: () => void) =>
  useStepOf(kpiEvaluations.get, endpoint, onDone);

export type StepProps = {
  evaluation: KpiEvaluation;
  /** What was typed in the dialog; it outlives the session. */
  texts: KeptTexts;
  onDone: () => void;
  onClose: () => void;
};
