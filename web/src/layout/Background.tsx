import { LiveUpdates } from '../features/notifications/LiveUpdates.tsx';
import { Downloads } from './Downloads.tsx';

/** What is on every page and hardly ever seen; loaded when the page itself is there. */
export const Background = () => (
  <>
    <LiveUpdates />
    <Downloads />
  </>
);
