import { lazy } from 'react';

/** Forms load behind the page and are closed then, so that closing one leads back to where it was opened. */
export const DepartmentDialogs = lazy(() =>
  import('./DepartmentDialogs.tsx').then((module) => ({ default: module.DepartmentDialogs })),
);
export const CompanyDialogs = lazy(() =>
  import('../companies/CompanyDialogs.tsx').then((module) => ({ default: module.CompanyDialogs })),
);
