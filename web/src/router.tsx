import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { forgot, newPassword, reset, root, secondFactor, shell, signIn, ssoCallback, welcome } from './auth-routes.tsx';
import { announcementsRoute } from './features/announcements/routes.ts';
import { backupsRoute } from './features/backups/routes.ts';
import { brandRoutes } from './features/brand/routes.ts';
import { companySearch, departmentSearch, departmentsSearch } from './features/departments/search.ts';
import { directoryRoutes } from './features/directory/routes.ts';
import { employeeRoutes } from './features/employees/routes.ts';
import { homeRoute } from './features/home/routes.ts';
import { peopleWaitingRoute, signInSettingsRoute } from './features/identity-providers/routes.ts';
import { importRoutes } from './features/imports/routes.ts';
import { cycleSearch, cyclesSearch, newCycleSearch } from './features/kpi-cycles/search.ts';
import { evaluationSearch } from './features/kpi-evaluations/form/search.ts';
import { evaluationsSearch } from './features/kpi-evaluations/search.ts';
import { templatesSearch } from './features/kpi-templates/search.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { orgChartSearch } from './features/org-chart/search.ts';
import { probationRoutes } from './features/probation-reviews/routes.ts';
import { ownProfileSearch } from './features/profile/search.ts';
import { provisioningRoute } from './features/provisioning/routes.ts';
import { reportsRoute } from './features/reports/routes.ts';
import { auditLogRoute } from './features/audit-log/routes.ts';
import { roleRoutes } from './features/roles/routes.ts';
import { sealingKeysRoute } from './features/sealing-keys/routes.ts';
import { accessTokensRoute } from './features/tokens/routes.ts';
import { webhooksRoute } from './features/webhooks/routes.ts';
import { tasksSearch } from './features/tasks/search.ts';
import { FaultPage, NotFoundPage } from './layout/ErrorPages.tsx';
import { lazyScreen } from './layout/lazy-screen.ts';
import { paths } from './paths.ts';

const profile = createRoute({
  getParentRoute: () => shell,
  path: paths.profile,
  validateSearch: ownProfileSearch,
  component: lazyScreen(
    () => import('./features/profile/ProfilePage.tsx'),
    'ProfilePage',
    'account',
    'profile',
    'person',
    'fields',
  ),
});

const firstCompany = createRoute({
  getParentRoute: () => shell,
  path: paths.firstCompany,
  component: lazyScreen(
    () => import('./features/companies/FirstCompanyPage.tsx'),
    'FirstCompanyPage',
    'companies',
    'fields',
  ),
});

const orgChart = createRoute({
  getParentRoute: () => shell,
  path: paths.orgChart,
  validateSearch: orgChartSearch,
  component: lazyScreen(() => import('./features/org-chart/OrgChartPage.tsx'), 'OrgChartPage', 'org-chart'),
});

const departments = createRoute({
  getParentRoute: () => shell,
  path: paths.departments,
  validateSearch: departmentsSearch,
  component: lazyScreen(
    () => import('./features/departments/DepartmentsPage.tsx'),
    'DepartmentsPage',
    'departments',
    'companies',
    'fields',
  ),
});

const department = createRoute({
  getParentRoute: () => shell,
  path: paths.department,
  validateSearch: departmentSearch,
  component: lazyScreen(
    () => import('./features/departments/DepartmentPage.tsx'),
    'DepartmentPage',
    'departments',
    'fields',
  ),
});

const company = createRoute({
  getParentRoute: () => shell,
  path: paths.company,
  validateSearch: companySearch,
  component: lazyScreen(() => import('./features/companies/CompanyPage.tsx'), 'CompanyPage', 'companies', 'fields'),
});

const tasks = createRoute({
  getParentRoute: () => shell,
  path: paths.tasks,
  validateSearch: tasksSearch,
  component: lazyScreen(() => import('./features/tasks/TasksPage.tsx'), 'TasksPage', 'tasks'),
});

const kpiEvaluations = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiEvaluations,
  validateSearch: evaluationsSearch,
  component: lazyScreen(
    () => import('./features/kpi-evaluations/list/EvaluationsPage.tsx'),
    'EvaluationsPage',
    'kpi-evaluations',
  ),
});

const kpiEvaluation = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiEvaluation,
  validateSearch: evaluationSearch,
  component: lazyScreen(
    () => import('./features/kpi-evaluations/form/EvaluationPage.tsx'),
    'EvaluationPage',
    'kpi-evaluation',
  ),
});

const kpiTemplates = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiTemplates,
  validateSearch: templatesSearch,
  component: lazyScreen(
    () => import('./features/kpi-templates/TemplatesPage.tsx'),
    'TemplatesPage',
    'kpi-templates',
    'kpi-template-list',
  ),
});

const newKpiTemplate = createRoute({
  getParentRoute: () => shell,
  path: paths.newKpiTemplate,
  component: lazyScreen(() => import('./features/kpi-templates/TemplatePage.tsx'), 'NewTemplatePage', 'kpi-templates'),
});

const kpiTemplate = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiTemplate,
  component: lazyScreen(() => import('./features/kpi-templates/TemplatePage.tsx'), 'TemplatePage', 'kpi-templates'),
});

const kpiCycles = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiCycles,
  validateSearch: cyclesSearch,
  component: lazyScreen(() => import('./features/kpi-cycles/CyclesPage.tsx'), 'CyclesPage', 'kpi-cycles'),
});

const newKpiCycle = createRoute({
  getParentRoute: () => shell,
  path: paths.newKpiCycle,
  validateSearch: newCycleSearch,
  component: lazyScreen(() => import('./features/kpi-cycles/wizard/NewCyclePage.tsx'), 'NewCyclePage', 'kpi-cycles'),
});

const kpiCycle = createRoute({
  getParentRoute: () => shell,
  path: paths.kpiCycle,
  validateSearch: cycleSearch,
  component: lazyScreen(() => import('./features/kpi-cycles/CyclePage.tsx'), 'CyclePage', 'kpi-cycles'),
});

/** Unknown paths, inside the shell. */
const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

const tree = root.addChildren([
  signIn,
  newPassword,
  secondFactor,
  reset,
  welcome,
  forgot,
  ssoCallback,
  shell.addChildren([
    homeRoute,
    ...employeeRoutes,
    ...directoryRoutes,
    profile,
    orgChart,
    departments,
    department,
    company,
    firstCompany,
    ...importRoutes,
    tasks,
    kpiEvaluations,
    kpiEvaluation,
    kpiTemplates,
    newKpiTemplate,
    kpiTemplate,
    kpiCycles,
    newKpiCycle,
    kpiCycle,
    ...notificationRoutes,
    reportsRoute,
    ...probationRoutes,
    ...roleRoutes,
    ...brandRoutes,
    backupsRoute,
    sealingKeysRoute,
    signInSettingsRoute,
    provisioningRoute,
    webhooksRoute,
    peopleWaitingRoute,
    accessTokensRoute,
    announcementsRoute,
    auditLogRoute,
    unknown,
  ]),
]);

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * The router of the application.
 * @param keepDrafts called when a page is replaced by an error, before its forms are gone
 * @param history only passed by tests
 */
export const createAppRouter = (queries: QueryClient, keepDrafts: () => void, history?: RouterHistory) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    // Plain text instead of JSON, so that addresses are readable; each route parses its own parameters.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch,
    search: { strict: true },
    defaultPreload: 'intent',
    defaultErrorComponent: FaultPage,
    defaultOnCatch: keepDrafts,
    defaultPendingMs: 300,
    scrollRestoration: true,
    ...(history && { history }),
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
