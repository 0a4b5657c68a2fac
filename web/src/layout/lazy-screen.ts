import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';

/**
 * A screen that is loaded when it is opened. The router reloads the page once when a part is missing, for a release may
 * have replaced it; without a network that would lose the page that is there, so the screen then says what is the case.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw navigator.onLine ? error : new ApiError(0, { message: 'The network is away.' });
      }),
    name,
  );
