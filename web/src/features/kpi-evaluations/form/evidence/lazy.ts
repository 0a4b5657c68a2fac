import { lazyPart } from '../../../../ui/lazy-part.ts';

/** Loaded when it is first needed. */
export const EvidencePart = lazyPart(() => import('./EvidencePart.tsx'), 'EvidencePart', 'kpi-evidence');
