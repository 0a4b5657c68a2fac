import { activityStatuses, employmentTypes, lifecycles, missingOfEmployees, signInStates } from '@tenure/contract';
import { day, flag, oneOf, searchParams, severalOf, someText, wholeNumber } from '../../ui/search-params.ts';

export const directions = ['asc', 'desc'] as const;

export const groups = ['department', 'entity', 'title'] as const;
export type Group = (typeof groups)[number];

/** A yes/no filter in the address. */
export const yesOrNo = ['1', '0'] as const;

/** All people except those whose first day is in the future. */
export const startedStatuses = 'active,inactive';

/** The state of the directory, all of it in the address. */
export const employeesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  entity_id: severalOf(wholeNumber(1)),
  department_id: severalOf(wholeNumber(1)),
  activity_status: severalOf(oneOf(activityStatuses)),
  employment_lifecycle: severalOf(oneOf(lifecycles)),
  employment_type: severalOf(oneOf(employmentTypes)),
  reporting_manager_id: severalOf(wholeNumber(0)),
  /** 0 for people without a role; several values are separated by commas, as in most filters. */
  role_id: severalOf(wholeNumber(0)),
  joined_from: day,
  joined_to: day,
  probation_ends_from: day,
  probation_ends_to: day,
  left: oneOf(yesOrNo),
  left_from: day,
  left_to: day,
  absent: oneOf(yesOrNo),
  rehired_from: day,
  rehired_to: day,
  missing: severalOf(oneOf(missingOfEmployees)),
  sign_in: severalOf(oneOf(signInStates)),
  /** Only people added or changed by this import. */
  import_id: wholeNumber(1),
  deleted: flag,
  /** The day whose jobs are shown. */
  as_of: day,
  /** Grouping; the order follows it. */
  group: oneOf(groups),
  /** The saved view; 0 for none, although the user has a default one. */
  view: wholeNumber(0),
  sort_by: oneOf([
    'last_name',
    'employee_number',
    'email',
    'department_name',
    'entity_name',
    'job_title',
    'activity_status',
    'employment_lifecycle',
    'joining_date',
    'probation_end_date',
    'created_at',
    'updated_at',
  ]),
  sort_direction: oneOf(directions),
});
export type EmployeesSearch = ReturnType<typeof employeesSearch>;
export type Change = { [K in keyof EmployeesSearch]?: EmployeesSearch[K] | undefined };
export type FilterProps = { search: EmployeesSearch; onChange: (change: Change) => void };

const groupOrder = { department: 'department_name', entity: 'entity_name', title: 'job_title' } as const;

/** Filters that apply only to today. */
export const todayFilters = ['activity_status', 'left', 'absent', 'missing', 'sign_in', 'deleted'] as const;

const ofTheDay = (query: EmployeesSearch): EmployeesSearch =>
  query.as_of === undefined
    ? query
    : Object.fromEntries(Object.entries(query).filter(([name]) => !(todayFilters as readonly string[]).includes(name)));

/** The query of the list request, without parameters that only the application knows. */
export const listQueryOf = ({ view: _view, group, ...query }: EmployeesSearch) =>
  ofTheDay(group ? { ...query, sort_by: groupOrder[group] } : query);

export const profileTabs = ['overview', 'job', 'reviews', 'documents', 'access', 'history'] as const;
export type ProfileTab = (typeof profileTabs)[number];

/** Kinds of entries in a person's history. */
export const historyKinds = ['record', 'employment', 'access', 'viewed'] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** The sections of a person's fields, in the order of the page. */
export const sections = ['work', 'contact', 'employment', 'name', 'personal', 'address', 'emergency', 'bank'] as const;
export type Section = (typeof sections)[number];

/** The dialogs of the profile. */
export const dialogs = [
  'job',
  'absences',
  'confirm',
  'extend-probation',
  'correct-probation',
  'probation-pause',
  'probation-resume',
  'separate',
  'withdraw-separation',
  'rehire',
  'deactivate',
  'reactivate',
  'reset-password',
  'second-factor',
  'sign-in-block',
  'restore',
  'delete',
  'picture',
] as const;
export type DialogName = (typeof dialogs)[number];

/** The tab, the edited section and the open dialog are in the address, so they survive a new sign-in. */
export const profileSearch = searchParams({
  tab: oneOf(profileTabs),
  page: wholeNumber(1),
  /** The filters of the history. */
  kind: oneOf(historyKinds),
  from: day,
  to: day,
  as_of: day,
  edit: oneOf(sections),
  do: oneOf(dialogs),
  /** A role to assign, from its page. */
  role: wholeNumber(1),
});

/** The state of the list of planned changes. */
export const plannedSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  employee_id: wholeNumber(1),
  entity_id: wholeNumber(1),
  department_id: wholeNumber(1),
  from: day,
  to: day,
  sort_by: oneOf(['effective_from', 'name']),
  sort_direction: oneOf(directions),
});
export type PlannedSearch = ReturnType<typeof plannedSearch>;
export const plannedFilters = ['search', 'employee_id', 'entity_id', 'department_id', 'from', 'to'] as const;

/** The steps of the form for a new person. */
export const steps = ['identity', 'job'] as const;
export type Step = (typeof steps)[number];
export const newEmployeeSearch = searchParams({
  step: oneOf(steps),
  /** The connection and the user of an identity provider to begin with. */
  connection: wholeNumber(1),
  user: someText(36),
  /** The single sign-on provider, and the person who tried to sign in through it. */
  provider: wholeNumber(1),
  tried: wholeNumber(1),
});
