import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { announcementsSearch } from './search.ts';

export const announcementsRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.announcements,
  validateSearch: announcementsSearch,
  component: lazyScreen(() => import('./AnnouncementsPage.tsx'), 'AnnouncementsPage', 'announcements'),
});
