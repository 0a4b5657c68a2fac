import type { EvaluationStatus } from '@tenure/contract';

/** The stages of an evaluation in the user interface. */
export const stages = ['self', 'manager', 'hr', 'acceptance', 'completed'] as const;

const stageNumbers: Record<EvaluationStatus, number> = {
  self_assessment: 0,
  manager_review: 1,
  hr_review: 2,
  pending_acceptance: 3,
  disputed: 3,
  accepted: 4,
  completed: 5,
  cancelled: -1,
};

/** The number of finished stages; -1 for a cancelled evaluation. */
export const stagesDone = (status: EvaluationStatus): number => stageNumbers[status];
