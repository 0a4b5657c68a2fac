import { lazyPart } from './lazy-part.ts';

/** What records have for paper, loaded after them. */
export const PaperActions = lazyPart(() => import('./OnPaper.tsx'), 'PaperActions', 'paper');
export const PrintedBy = lazyPart(() => import('./OnPaper.tsx'), 'PrintedBy', 'paper');
