import type { KpiCycle } from '@tenure/contract';

/** The props of a cycle's dialogs. */
export type DialogProps = { cycle: KpiCycle; onDone: (text: string) => void; onClose: () => void };
