import { lazyPart } from '../../../../ui/lazy-part.ts';

export const EvidencePart = lazyPart(() => import('./EvidencePart.tsx'), 'EvidencePart', 'kpi-evidence', 'file-check');
