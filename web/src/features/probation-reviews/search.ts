import { letterKinds, probationOutcomes, probationProblems, probationStatuses } from '@tenure/contract';
import { day, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The tabs: reviews to write, reviews about the user, all visible ones, and ending probations. */
export const probationTabs = ['todo', 'mine', 'all', 'ending'] as const;
export type ProbationTab = (typeof probationTabs)[number];

/** The state of the probation lists, all of it in the address. */
export const probationSearch = searchParams({
  tab: oneOf(probationTabs),
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  entity_id: wholeNumber(1),
  department_id: wholeNumber(1),
  employee_id: wholeNumber(1),
  reviewer_id: wholeNumber(0),
  status: oneOf(probationStatuses),
  recommendation: oneOf(probationOutcomes),
  outcome: oneOf(probationOutcomes),
  due_before: day,
  decided_from: day,
  decided_to: day,
  /** For ending probations: the number of days ahead, and the problem. */
  days: wholeNumber(1, 365),
  problem: oneOf(probationProblems),
  sort_by: oneOf([
    'due_date',
    'probation_end_date',
    'employee_name',
    'status',
    'created_at',
    'updated_at',
    'days_left',
  ]),
  sort_direction: oneOf(['asc', 'desc']),
});
export type ProbationSearch = ReturnType<typeof probationSearch>;
export type Change = { [K in keyof ProbationSearch]?: ProbationSearch[K] | undefined };
export type ListProps = {
  tab: ProbationTab;
  search: ProbationSearch;
  onChange: (change: Change) => void;
};

/** The filters of the review list and of the list of ending probations. */
export const reviewFilters = [
  'search',
  'entity_id',
  'department_id',
  'employee_id',
  'reviewer_id',
  'status',
  'recommendation',
  'outcome',
  'due_before',
  'decided_from',
  'decided_to',
] as const;
export const endingFilters = ['search', 'entity_id', 'department_id', 'days', 'problem'] as const;

/** The actions on a review by their API names; `dates` is its update by the organiser. */
export const probationActions = [
  'submit',
  'approve',
  'share',
  'acknowledge',
  'record-acknowledgement',
  'send-back',
  'recall',
  'signatures',
  'dates',
  'reviewer',
  'revert',
  'cancel',
  'delete',
] as const;
export type ProbationAction = (typeof probationActions)[number];

const reviewViews = ['form', 'activity'] as const;
export type ReviewView = (typeof reviewViews)[number];

/** The state of a review's page, with the open dialog. */
export const reviewSearch = searchParams({
  tab: oneOf(reviewViews),
  page: wholeNumber(1),
  do: oneOf(probationActions),
});
export type ReviewSearch = ReturnType<typeof reviewSearch>;

const criteriaDialogs = ['add', 'edit', 'delete'] as const;
export type CriteriaDialog = (typeof criteriaDialogs)[number];

/** The list of criteria sets, with the open dialog and its set. */
export const criteriaSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  entity_id: wholeNumber(1),
  sort_direction: oneOf(['asc', 'desc']),
  dialog: oneOf(criteriaDialogs),
  set: wholeNumber(1),
});
export type CriteriaSearch = ReturnType<typeof criteriaSearch>;

/** The template being edited. */
export const lettersSearch = searchParams({ kind: oneOf(letterKinds) });
