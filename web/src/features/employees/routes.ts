import { employees as contract } from '@tenure/contract';
import { createRoute } from '@tanstack/react-router';
import { load } from '../../api/query.ts';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { isId, paths } from '../../paths.ts';
import { employeesSearch, listQueryOf, newEmployeeSearch, plannedSearch, profileSearch } from './search.ts';

const employees = createRoute({
  getParentRoute: () => shell,
  path: paths.employees,
  validateSearch: employeesSearch,
  // Starts the list request while the screen's code loads; the screen handles errors.
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queries.prefetchQuery(load(contract.list, { query: listQueryOf(deps) })),
  component: lazyScreen(() => import('./directory/EmployeesPage.tsx'), 'EmployeesPage', 'employees', 'fields'),
});

const newEmployee = createRoute({
  getParentRoute: () => shell,
  path: paths.newEmployee,
  validateSearch: newEmployeeSearch,
  component: lazyScreen(
    () => import('./form/NewEmployeePage.tsx'),
    'NewEmployeePage',
    'person',
    'fields',
    'add-person',
  ),
});

const planned = createRoute({
  getParentRoute: () => shell,
  path: paths.plannedChanges,
  validateSearch: plannedSearch,
  component: lazyScreen(
    () => import('./planned/PlannedChangesPage.tsx'),
    'PlannedChangesPage',
    'planned-changes',
    'fields',
  ),
});

const employee = createRoute({
  getParentRoute: () => shell,
  path: paths.employee,
  validateSearch: profileSearch,
  loaderDeps: ({ search: { as_of } }) => ({ as_of }),
  loader: ({ context, params, deps: { as_of } }) => {
    if (!isId(params.id)) return;
    const asked = { params: { id: Number(params.id) }, ...(as_of && { query: { as_of } }) };
    void context.queries.prefetchQuery(load(contract.get, asked));
  },
  component: lazyScreen(() => import('./record/EmployeePage.tsx'), 'EmployeePage', 'profile', 'person', 'fields'),
});

const offboarding = createRoute({
  getParentRoute: () => shell,
  path: paths.offboarding,
  component: lazyScreen(() => import('./offboarding/OffboardingPage.tsx'), 'OffboardingPage', 'offboarding'),
});

/** The routes of people. */
export const employeeRoutes = [employees, newEmployee, planned, employee, offboarding] as const;
