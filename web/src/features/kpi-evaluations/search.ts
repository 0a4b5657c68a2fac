import { evaluationStatuses, performanceFlags } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The tabs: own evaluations, those assigned for review, and all visible ones. */
export const evaluationTabs = ['mine', 'review', 'all'] as const;
export type EvaluationTab = (typeof evaluationTabs)[number];

/** The filters and page of the evaluation list, all in the address. */
export const evaluationsSearch = searchParams({
  tab: oneOf(evaluationTabs),
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  cycle_id: wholeNumber(1),
  entity_id: wholeNumber(1),
  department_id: wholeNumber(1),
  reviewer_id: wholeNumber(0),
  status: oneOf(evaluationStatuses),
  performance_flag: oneOf(performanceFlags),
  band: oneOf(['A', 'B', 'C', 'D']),
  overdue: flag,
  missing_reviewer: flag,
  in_parts: flag,
  /** The user's bulk step that is shown. */
  bulk: wholeNumber(1),
  sort_by: oneOf([
    'updated_at',
    'employee_name',
    'department_name',
    'status',
    'due_on',
    'overall_score',
    'overall_percentage',
    'created_at',
  ]),
  sort_direction: oneOf(['asc', 'desc']),
});
export type EvaluationsSearch = ReturnType<typeof evaluationsSearch>;

export const evaluationFilters = [
  'search',
  'cycle_id',
  'entity_id',
  'department_id',
  'reviewer_id',
  'status',
  'performance_flag',
  'band',
  'overdue',
  'missing_reviewer',
  'in_parts',
] as const;
