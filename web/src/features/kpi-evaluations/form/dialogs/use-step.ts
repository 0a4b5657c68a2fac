import { kpiEvaluations, type Endpoint, type KpiEvaluation } from '@tenure/contract';
import { useStepOf } from '../../../../workflow/use-step.ts';

export const useStep = <E extends Endpoint>(endpoint: E, onDone: () => void) =>
  useStepOf(kpiEvaluations.get, endpoint, onDone);

export type StepProps = { evaluation: KpiEvaluation; onDone: () => void; onClose: () => void };
