import { Suspense } from 'react';
import type { ConflictProps } from './ConflictDialog.tsx';
import { lazyPart } from './lazy-part.ts';

const ConflictDialog = lazyPart(() => import('./ConflictDialog.tsx'), 'ConflictDialog');

/** Has two versions of a record put beside each other; loaded behind the form, for it is hardly ever needed. */
export const ConflictView = (props: ConflictProps) => (
  <Suspense>
    <ConflictDialog {...props} />
  </Suspense>
);
