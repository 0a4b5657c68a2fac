import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { accessTokensSearch } from './search.ts';

export const accessTokensRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.accessTokens,
  validateSearch: accessTokensSearch,
  component: lazyScreen(() => import('./AccessTokensPage.tsx'), 'AccessTokensPage', 'access-tokens', 'permissions'),
});
