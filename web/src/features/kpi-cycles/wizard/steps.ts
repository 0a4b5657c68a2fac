/** The way to a new cycle. */
export const cycleSteps = ['details', 'who', 'templates', 'dates', 'review'] as const;
export type CycleStep = (typeof cycleSteps)[number];
