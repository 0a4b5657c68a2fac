import type { KpiCycle } from '@tenure/contract';

const fastInterval = 2_000;
const slowInterval = 30_000;

/** The polling interval while evaluations are created, in milliseconds; false otherwise. */
export const publishingInterval = (cycles: readonly Pick<KpiCycle, 'publishing'>[]): number | false =>
  cycles.some(({ publishing }) => publishing !== null) ? fastInterval : false;

/** The polling interval of a cycle's figures, in milliseconds; false if they cannot change. */
export const figuresInterval = ({ publishing, status }: Pick<KpiCycle, 'publishing' | 'status'>): number | false =>
  publishing ? fastInterval : status === 'published' ? slowInterval : false;
