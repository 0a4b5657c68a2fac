import { lazyPart } from '../../ui/lazy-part.ts';

/** Lazy parts of the role page. */
export const Review = lazyPart(() => import('./Review.tsx'), 'Review');
export const Holders = lazyPart(() => import('./Holders.tsx'), 'Holders', 'access');
