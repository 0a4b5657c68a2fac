import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { homeSearch } from './search.ts';

export const homeRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.home,
  validateSearch: homeSearch,
  component: lazyScreen(() => import('./HomePage.tsx'), 'HomePage', 'home', 'chart', 'tasks'),
});
