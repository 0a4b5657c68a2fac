import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { reportsSearch } from './search.ts';

export const reportsRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.reports,
  validateSearch: reportsSearch,
  component: lazyScreen(() => import('./ReportsPage.tsx'), 'ReportsPage', 'reports', 'home', 'chart'),
});
