import type { KpiCycle } from '@tenure/contract';

/** The way to a new cycle. */
export const cycleSteps = ['details', 'who', 'templates', 'dates', 'review'] as const;
export type CycleStep = (typeof cycleSteps)[number];

export type StepProps = {
  cycle: KpiCycle;
  /** To the step before; absent in the first one. */
  onBack?: (() => void) | undefined;
  onNext: () => void;
  /** To the page of the cycle, where it waits. */
  onLater: () => void;
  isLast: boolean;
};
