import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { backupsSearch } from './search.ts';

export const backupsRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.backups,
  validateSearch: backupsSearch,
  component: lazyScreen(() => import('./BackupsPage.tsx'), 'BackupsPage', 'backups'),
});
