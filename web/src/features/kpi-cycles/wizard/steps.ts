import type { KpiCycle } from '@tenure/contract';

/** The steps of the wizard. */
export const cycleSteps = ['details', 'who', 'templates', 'dates', 'review'] as const;
export type CycleStep = (typeof cycleSteps)[number];

export type StepProps = {
  cycle: KpiCycle;
  /** To the previous step; absent in the first one. */
  onBack?: (() => void) | undefined;
  onNext: () => void;
  /** To the page of the cycle, which stays a draft. */
  onLater: () => void;
  isLast: boolean;
};
