import { lazyPart } from '../../ui/lazy-part.ts';

/** The dialogs load lazily and mount closed, so that closing one returns the focus to its opener. */
export const DepartmentDialogs = lazyPart(() => import('./DepartmentDialogs.tsx'), 'DepartmentDialogs');
export const CompanyDialogs = lazyPart(() => import('../companies/CompanyDialogs.tsx'), 'CompanyDialogs', 'companies');
