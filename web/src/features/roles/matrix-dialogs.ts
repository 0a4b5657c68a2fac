import { lazyPart } from '../../ui/lazy-part.ts';

/** What is asked and told beside the table of one role. */
export const Review = lazyPart(() => import('./Review.tsx'), 'Review');
export const Holders = lazyPart(() => import('./Holders.tsx'), 'Holders');
