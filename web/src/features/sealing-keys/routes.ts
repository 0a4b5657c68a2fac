import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';

export const sealingKeysRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.sealingKeys,
  component: lazyScreen(() => import('./SealingKeysPage.tsx'), 'SealingKeysPage', 'sealing-keys'),
});
