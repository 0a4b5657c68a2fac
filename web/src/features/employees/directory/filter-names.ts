import { todayFilters, type EmployeesSearch } from '../search.ts';

/** The filters behind the button "more"; the others are always visible. */
export const moreFilters = [
  'activity_status',
  'employment_lifecycle',
  'employment_type',
  'reporting_manager_id',
  'role_id',
  'joined_from',
  'joined_to',
  'probation_ends_from',
  'probation_ends_to',
  'absent',
  'left',
  'left_from',
  'left_to',
  'rehired_from',
  'rehired_to',
  'missing',
  'sign_in',
  'deleted',
] as const satisfies readonly (keyof EmployeesSearch)[];

/** The filters that apply to a list of today, or as of a day. */
export const filtersOf = ({ as_of }: EmployeesSearch): readonly (typeof moreFilters)[number][] =>
  as_of === undefined ? moreFilters : moreFilters.filter((name) => !(todayFilters as readonly string[]).includes(name));

export const allFilters = ['search', 'entity_id', 'department_id', 'import_id', ...moreFilters] as const;
