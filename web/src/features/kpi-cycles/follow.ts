import type { KpiCycle } from '@tenure/contract';

const often = 2_000;
const nowAndThen = 30_000;

/** How soon to ask again while evaluations are being made; else not at all. */
export const followPublishing = (cycles: readonly Pick<KpiCycle, 'publishing'>[]): number | false =>
  cycles.some(({ publishing }) => publishing !== null) ? often : false;

/** How soon to ask a page for newer figures, as long as somebody looks at it. */
export const followFigures = ({ publishing, status }: Pick<KpiCycle, 'publishing' | 'status'>): number | false =>
  publishing ? often : status === 'published' ? nowAndThen : false;
