import type { probationReviews, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputisedBy, deputyOf } from '../../access/absences.ts';
import { isByCompany, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { every, oneOfIds, oneOfTexts } from '../../db/lists.ts';
import { matchesName } from '../../people/search-words.ts';
import { ownIn, reviewsIn, shownStates } from '../../access/review-scope.ts';
import { decidedOn } from '../../workflow/decided.ts';
import { assessmentSeen } from './visibility.ts';

export type ListQuery = Omit<QueryOut<typeof probationReviews.list>, 'page' | 'per_page'>;
type Condition = RawBuilder<SqlBool>;

/** Users must not find reviews that they may not read by their recommendation. */
const byRecommendation = (actor: Actor, wanted: ListQuery['recommendation']): Condition[] =>
  wanted ? [...oneOfTexts(sql`v.recommendation`, wanted), assessmentSeen(actor)] : [];

/** Both ends included, as days in the company. */
const byDecision = ({ decided_from, decided_to }: ListQuery): Condition[] => [
  ...decidedOn('v', { from: decided_from, to: decided_to }),
  // the index on decisions only contains those in effect
  ...((decided_from ?? decided_to) ? [sql<SqlBool>`v.status = 'approved'`] : []),
];

/** Tasks of the actor: as the reviewer, unless a deputy acts, or as the deputy. */
const isToDo = ({ employee_id: me }: Actor): Condition =>
  me === null
    ? sql<SqlBool>`false`
    : sql<SqlBool>`(v.status in ('pending', 'sent_back') and (v.reviewer_id = ${me}
        and ${deputyOf('v', 'probation_reviews')} is null or ${deputisedBy(me, 'v', 'probation_reviews')}))`;

// literals in the statement, so that a prepared plan knows that the indexes of open reviews suffice
const byStatus = (statuses: ListQuery['status']): Condition[] =>
  statuses ? [sql<SqlBool>`v.status in (${sql.join([...new Set(statuses)].sort().map((one) => sql.lit(one)))})`] : [];

const bySearch = (actor: Actor, search: ListQuery['search']): Condition[] =>
  search ? [sql<SqlBool>`v.employee_id in (select e.id from employees e where ${matchesName(actor, search)})`] : [];

const byFilters = (actor: Actor, query: ListQuery): Condition[] => [
  ...byStatus(query.status),
  ...oneOfIds(sql`v.entity_id`, query.entity_id),
  ...oneOfIds(sql`v.department_id`, query.department_id),
  ...oneOfIds(sql`v.employee_id`, query.employee_id),
  ...oneOfIds(sql`v.reviewer_id`, query.reviewer_id, { orNone: true }),
  ...byRecommendation(actor, query.recommendation),
  ...oneOfTexts(sql`v.outcome`, query.outcome),
  ...(query.due_before ? [sql<SqlBool>`v.due_date < ${query.due_before}::date`] : []),
  ...byDecision(query),
  ...(query.to_do === undefined ? [] : [query.to_do ? isToDo(actor) : sql<SqlBool>`${isToDo(actor)} is not true`]),
  ...bySearch(actor, query.search),
];

type ReviewPermission = 'probation-review.view' | 'probation-review.export';

/** The reviews of a query, among those in the actor's scope by a permission. */
export const reviewsMatching = (
  actor: Actor,
  query: ListQuery,
  permission: ReviewPermission = 'probation-review.view',
): Condition => every([reviewsIn(actor, permission), ...byFilters(actor, query)]);

const narrow = ['search', 'employee_id', 'reviewer_id', 'department_id', 'due_before', 'to_do'] as const;

/** True if there can only be few: of a team, one's own, or found by a narrow filter. */
export function findsFew(actor: Actor, query: ListQuery): boolean {
  const { everything, entity_ids } = reachOf(actor, 'probation-review.view');
  return (!everything && entity_ids.length === 0) || narrow.some((name) => query[name]);
}

const shape = new Set(['page', 'per_page', 'sort_by', 'sort_direction']);
const counted = new Set(['entity_id', 'status']);

const seesOwnOnly = ({ entity_ids, department_ids, managed }: Reach) =>
  entity_ids.length === 0 && department_ids.length === 0 && !managed;

/** The number of reviews of a query from the stored counts; undefined if these do not suffice. */
export function countOf(actor: Actor, query: ListQuery): RawBuilder<unknown> | undefined {
  const reach = reachOf(actor, 'probation-review.view');
  const asked = Object.entries(query).filter(
    ([name, value]) => !shape.has(name) && value !== undefined && value !== null,
  );
  if (!asked.every(([name]) => counted.has(name)) || !(isByCompany(reach) || seesOwnOnly(reach))) return undefined;
  const filters = byFilters(actor, query);
  const sum = sql`select coalesce(sum(reviews), 0) from probation_review_counts v where ${every([
    ...(reach.everything ? [] : oneOfIds(sql`v.entity_id`, reach.entity_ids)),
    ...filters,
  ])}`;
  if (actor.employee_id === null) return sum;
  const within = reach.everything ? sql`true` : sql`v.entity_id = any(${reach.entity_ids}::bigint[])`;
  // one's own reviews are not visible before they are decided
  const known = sql`(${sum})
    - (select count(*) from probation_reviews v where v.employee_id = ${actor.employee_id} and ${within}
         and v.status <> all(${shownStates}::text[]) and ${every(filters)})`;
  if (!reach.own) return known;
  // the list also contains the reader's own reviews and those to do in other companies
  return sql`${known}
    + (select count(*) from probation_reviews v where ${every(filters)} and not ${within} and ${ownIn(actor)})`;
}
