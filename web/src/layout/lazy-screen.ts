import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import type { Part } from '../locales/en.ts';
import { withTexts } from '../locales/locales.ts';

/**
 * A screen that is loaded when it is opened, with the parts of the texts it reads. The router reloads the page once when
 * a file is missing, for a release may have replaced it; without a network that would lose the page that is there, so
 * the screen then says what is the case.
 */
export const lazyScreen = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  ...parts: Part[]
) =>
  lazyRouteComponent(
    () =>
      withTexts(load, parts).catch((error: unknown) => {
        throw navigator.onLine ? error : new ApiError(0, { message: 'The network is away.' });
      }),
    name,
  );
