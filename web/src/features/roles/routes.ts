import { createRoute } from '@tanstack/react-router';
import { shell } from '../../entrance.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { auditLogSearch } from '../audit-log/search.ts';
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
  component: lazyScreen(() => import('./RolePage.tsx'), 'RolePage', 'roles', 'permissions'),
});

const auditLog = createRoute({
  getParentRoute: () => shell,
  path: paths.auditLog,
  validateSearch: auditLogSearch,
  component: lazyScreen(
    () => import('../audit-log/AuditLogPage.tsx'),
    'AuditLogPage',
    'audit-log',
    'audit',
    'fields',
    'permissions',
  ),
});

/** Who may do what, and who did. */
export const roleRoutes = [roles, role, auditLog] as const;
