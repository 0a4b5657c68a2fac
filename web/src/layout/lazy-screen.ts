import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import type { Part } from '../locales/texts.gen.ts';
import { withTexts } from '../locales/locales.ts';
import { servedBuild } from './use-new-build.ts';

/**
 * A screen that loads when it is opened, together with its texts. If a file is missing, the router reloads the page
 * once, since a release may have replaced it. While the service cannot be reached, a reload would lose the application,
 * so the screen shows an error instead.
 */
export const lazyScreen = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  ...parts: Part[]
) =>
  lazyRouteComponent(
    () =>
      withTexts(load, parts).catch(async (error: unknown) => {
        throw (await servedBuild()) ? error : new ApiError(0, { message: 'The service is away.' });
      }),
    name,
  );
