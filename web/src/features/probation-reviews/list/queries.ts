import type { probationEndings, probationReviews, QueryIn } from '@tenure/contract';
import type { ProbationSearch, ProbationTab } from '../search.ts';

/** The list query of a review tab. A user without wider permissions only sees their own reviews anyway. */
export function reviewQuery(tab: ProbationTab, search: ProbationSearch): QueryIn<typeof probationReviews.list> {
  const { tab: _tab, days: _days, problem: _problem, sort_by, ...query } = search;
  return {
    ...query,
    ...(sort_by !== undefined && sort_by !== 'days_left' && { sort_by }),
    ...(tab === 'todo' && { to_do: '1' }),
  };
}

const endingOrder = ['probation_end_date', 'employee_name', 'days_left'] as const;

/** The query for people whose probation ends. */
export function endingQuery(search: ProbationSearch): QueryIn<typeof probationEndings.upcoming> {
  const { page, per_page, search: text, entity_id, department_id, days, problem, sort_direction } = search;
  const by = endingOrder.find((one) => one === search.sort_by);
  const given = { page, per_page, search: text, entity_id, department_id, days, problem, sort_by: by, sort_direction };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
