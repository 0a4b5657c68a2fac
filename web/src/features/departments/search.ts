import { activity } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The dialogs of the page; `id` is the department, or the parent of a new one. */
export const dialogs = ['add', 'edit', 'move', 'manager', 'lead', 'delete'] as const;
export type DialogName = (typeof dialogs)[number];
export const companyDialogs = ['add-company', 'edit-company', 'delete-company'] as const;

export const departmentsSearch = searchParams({
  entity_id: wholeNumber(1),
  status: oneOf(activity),
  /** Only active departments without a manager. */
  headless: flag,
  search: someText(100),
  dialog: oneOf([...dialogs, ...companyDialogs]),
  id: wholeNumber(1),
});
export type DepartmentsSearch = ReturnType<typeof departmentsSearch>;

export const departmentSearch = searchParams({ dialog: oneOf(dialogs), id: wholeNumber(1) });
export const companySearch = searchParams({ dialog: oneOf(companyDialogs) });
