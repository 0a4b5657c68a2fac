import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { signInSettingsSearch, waitingSearch } from './search.ts';

export const signInSettingsRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.signInSettings,
  validateSearch: signInSettingsSearch,
  component: lazyScreen(() => import('./SignInSettingsPage.tsx'), 'SignInSettingsPage', 'identity-providers'),
});

export const peopleWaitingRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.peopleWaiting,
  validateSearch: waitingSearch,
  component: lazyScreen(
    () => import('./WaitingPage.tsx'),
    'WaitingPage',
    'identity-providers',
    'people-waiting',
    'link-person',
  ),
});
