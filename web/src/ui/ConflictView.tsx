import { Suspense } from 'react';
import type { ConflictProps } from './ConflictDialog.tsx';
import { lazyPart } from './lazy-part.ts';

const ConflictDialog = lazyPart(() => import('./ConflictDialog.tsx'), 'ConflictDialog', 'conflict');

/** The conflict dialog, loaded lazily since it is rarely needed. */
export const ConflictView = (props: ConflictProps) => (
  <Suspense>
    <ConflictDialog {...props} />
  </Suspense>
);
