import { lazyPart } from './lazy-part.ts';

/** The parts of records for paper, loaded after the records. */
export const PaperActions = lazyPart(() => import('./OnPaper.tsx'), 'PaperActions', 'paper');
export const PrintedBy = lazyPart(() => import('./OnPaper.tsx'), 'PrintedBy', 'paper');
