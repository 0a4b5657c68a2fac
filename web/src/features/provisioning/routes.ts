import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { provisioningSearch } from './search.ts';

export const provisioningRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.provisioning,
  validateSearch: provisioningSearch,
  component: lazyScreen(() => import('./ProvisioningPage.tsx'), 'ProvisioningPage', 'provisioning'),
});
