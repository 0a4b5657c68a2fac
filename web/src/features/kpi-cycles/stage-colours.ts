import type { EvaluationStatus } from '@tenure/contract';
import type { CSSProperties } from 'react';

const colours: Record<EvaluationStatus, string> = {
  self_assessment: 'var(--series-3)',
  manager_review: 'var(--series-5)',
  hr_review: 'var(--series-2)',
  pending_acceptance: 'var(--series-6)',
  accepted: 'color-mix(in oklab, var(--series-1) 55%, var(--sheet))',
  disputed: 'var(--danger)',
  completed: 'var(--series-1)',
  cancelled: 'var(--line-strong)',
};

/** The colour of a stage as a CSS variable. */
export const stageColour = (status: EvaluationStatus) => ({ '--stage': colours[status] }) as CSSProperties;
