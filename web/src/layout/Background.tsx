import { Suspense } from 'react';
import { LiveUpdates } from '../features/notifications/LiveUpdates.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { lightOnPaper } from '../ui/light-on-paper.ts';
import { Downloads } from './Downloads.tsx';
import { OwnBrand } from './OwnBrand.tsx';
import { ViewWatch } from './ViewWatch.tsx';

const StepUp = lazyPart(() => import('../ui/StepUp.tsx'), 'StepUp', 'sign-in');

lightOnPaper();

/** The background parts of every page, loaded after the page itself. */
export const Background = () => (
  <>
    <LiveUpdates />
    <Downloads />
    <OwnBrand />
    <ViewWatch />
    <Suspense>
      <StepUp />
    </Suspense>
  </>
);
