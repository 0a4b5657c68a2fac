import type { KpiCycle } from '@tenure/contract';

/** What each question about a cycle is given. */
export type DialogProps = { cycle: KpiCycle; onDone: (text: string) => void; onClose: () => void };
