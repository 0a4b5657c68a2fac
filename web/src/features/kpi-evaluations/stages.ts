import type { EvaluationStatus } from '@tenure/contract';

/** The way of an evaluation as people see it. */
export const stages = ['self', 'manager', 'hr', 'acceptance', 'completed'] as const;

const places: Record<EvaluationStatus, number> = {
  self_assessment: 0,
  manager_review: 1,
  hr_review: 2,
  pending_acceptance: 3,
  disputed: 3,
  accepted: 4,
  completed: 5,
  cancelled: -1,
};

/** How many of the stages are behind an evaluation; -1 for one that was cancelled. */
export const stagesDone = (status: EvaluationStatus): number => places[status];
