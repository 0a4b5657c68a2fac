import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { auditLogSearch } from './search.ts';

export const auditLogRoute = createRoute({
  getParentRoute: () => shell,
  path: paths.auditLog,
  validateSearch: auditLogSearch,
  component: lazyScreen(() => import('./AuditLogPage.tsx'), 'AuditLogPage', 'audit-log', 'audit', 'fields'),
});
