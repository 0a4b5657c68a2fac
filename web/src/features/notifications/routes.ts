import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { notificationsSearch, settingsSearch } from './search.ts';

const notifications = createRoute({
  getParentRoute: () => shell,
  path: paths.notifications,
  validateSearch: notificationsSearch,
  component: lazyScreen(() => import('./NotificationsPage.tsx'), 'NotificationsPage', 'notifications'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: paths.notificationSettings,
  validateSearch: settingsSearch,
  component: lazyScreen(
    () => import('./settings/NotificationSettingsPage.tsx'),
    'NotificationSettingsPage',
    'notification-settings',
  ),
});

/** The routes of notifications and their settings. */
export const notificationRoutes = [notifications, settings] as const;
