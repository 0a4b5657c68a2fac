import { lazyPart } from '../../ui/lazy-part.ts';

/** Forms load behind the page and are closed then, so that closing one leads back to where it was opened. */
export const DepartmentDialogs = lazyPart(() => import('./DepartmentDialogs.tsx'), 'DepartmentDialogs');
export const CompanyDialogs = lazyPart(() => import('../companies/CompanyDialogs.tsx'), 'CompanyDialogs', 'companies');
