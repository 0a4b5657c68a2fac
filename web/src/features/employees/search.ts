import { activity, lifecycles } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

export const directions = ['asc', 'desc'] as const;

/** The state of the directory, all of it in the address. */
export const employeesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  entity_id: wholeNumber(1),
  department_id: wholeNumber(1),
  activity_status: oneOf(activity),
  employment_lifecycle: oneOf(lifecycles),
  sort_by: oneOf([
    'last_name',
    'employee_number',
    'email',
    'department_name',
    'entity_name',
    'job_title',
    'activity_status',
    'joining_date',
  ]),
  sort_direction: oneOf(directions),
});
export type EmployeesSearch = ReturnType<typeof employeesSearch>;

export const profileTabs = ['overview', 'job', 'documents', 'history'] as const;
export type ProfileTab = (typeof profileTabs)[number];
export const profileSearch = searchParams({ tab: oneOf(profileTabs), page: wholeNumber(1) });

/** The steps of the form for a new person. */
export const steps = ['identity', 'job'] as const;
export type Step = (typeof steps)[number];
export const newEmployeeSearch = searchParams({ step: oneOf(steps) });
