import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { webhooksSearch } from './search.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.webhooks,
  validateSearch: webhooksSearch,
  component: lazyScreen(() => import('./WebhooksPage.tsx'), 'WebhooksPage', 'webhooks'),
});
