import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { roleSearch, rolesSearch } from './search.ts';

const roles = createRoute({
  getParentRoute: () => shell,
  path: paths.roles,
  validateSearch: rolesSearch,
  component: lazyScreen(() => import('./RolesPage.tsx'), 'RolesPage', 'roles'),
});

const role = createRoute({
  getParentRoute: () => shell,
  path: paths.role,
  validateSearch: roleSearch,
  component: lazyScreen(() => import('./RolePage.tsx'), 'RolePage', 'roles', 'permissions', 'fields'),
});

/** The routes of roles. */
export const roleRoutes = [roles, role] as const;
