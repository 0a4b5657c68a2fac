import type { kpiEvaluations, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputisedBy, deputyOf } from '../../access/absences.ts';
import { isByCompany, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds, oneOfTexts } from '../../db/lists.ts';
import { evaluationsIn, ownIn } from '../../access/evaluation-scope.ts';
import { searched } from './search.ts';
import { resultSeen } from './visibility.ts';

export type ListQuery = QueryOut<typeof kpiEvaluations.list>;
type Condition = RawBuilder<SqlBool>;

const utcDay = sql`(now() at time zone 'UTC')::date`;

/**
 * True when the due day is over in the company. Companies are at most a day behind or ahead of UTC, so only a few days
 * need the company's day; completed and cancelled evaluations are never due.
 */
const isOverdue = sql<SqlBool>`(v.due_on <= ${utcDay} and (v.due_on < ${utcDay} - 1
  or v.due_on < (select (now() at time zone n.timezone)::date from entities n where n.id = v.entity_id)))`;

const isMine = (actor: Actor) => sql<SqlBool>`v.employee_id = ${actor.employee_id}::bigint`;
/** Tasks of the actor: as the reviewer, unless a deputy acts, or as the deputy. */
const isToReview = ({ employee_id: me }: Actor): Condition =>
  me === null
    ? sql<SqlBool>`false`
    : sql<SqlBool>`(v.status = 'manager_review'
        and (v.reviewer_id = ${me} and ${deputyOf('v', 'kpi_reviews')} is null or ${deputisedBy(me, 'v', 'kpi_reviews')}))`;

const missesReviewer = sql<SqlBool>`(v.status in ('self_assessment', 'manager_review')
  and v.reviewer_missing_since is not null)`;

/** A yes-or-no filter; no condition if it is not set. */
const answered = (condition: Condition, wanted: boolean | undefined): Condition[] =>
  wanted === undefined ? [] : [wanted ? condition : sql<SqlBool>`(${condition}) is not true`];

const byBand = (bands: ListQuery['band']): Condition[] =>
  bands
    ? [
        sql<SqlBool>`(v.status = 'completed' and exists (
          select from kpi_cycles b
          where b.id = v.cycle_id and kpi_band(b.bands, v.overall_percentage) = any(${bands}::text[])))`,
      ]
    : [];

/** Users must not find evaluations by flags that they may not see. */
const byFlag = (actor: Actor, flags: ListQuery['performance_flag']): Condition[] =>
  flags ? [...oneOfTexts(sql`v.performance_flag`, flags), resultSeen(actor)] : [];

const byFilters = (actor: Actor, query: ListQuery): Condition[] => [
  ...oneOfIds(sql`v.cycle_id`, query.cycle_id),
  ...oneOfIds(sql`v.department_id`, query.department_id),
  ...oneOfIds(sql`v.entity_id`, query.entity_id),
  ...oneOfIds(sql`v.reviewer_id`, query.reviewer_id, { orNone: true }),
  ...oneOfIds(sql`v.employee_id`, query.employee_id),
  ...(query.status?.length === 1
    ? [sql<SqlBool>`v.status = ${query.status[0]}`]
    : oneOfTexts(sql`v.status`, query.status)),
  ...byFlag(actor, query.performance_flag),
  ...byBand(query.band),
  ...answered(isMine(actor), query.mine),
  ...answered(isToReview(actor), query.to_review),
  ...answered(isOverdue, query.overdue),
  ...answered(missesReviewer, query.missing_reviewer),
  ...answered(sql<SqlBool>`v.part is not null`, query.in_parts),
];

/** The evaluations of a query in the actor's scope, and whether there can only be few. */
export async function evaluationsMatching(db: Db, actor: Actor, query: ListQuery) {
  const search = await searched(db, actor, query.search);
  return {
    asked: every([evaluationsIn(actor, 'kpi-evaluation.view'), ...byFilters(actor, query), ...search.conditions]),
    few: search.few || seesFew(actor) || narrow.some((name) => query[name]),
  };
}

const shape = new Set(['page', 'per_page', 'sort_by', 'sort_direction']);
const counted = new Set(['cycle_id', 'department_id', 'entity_id', 'status', 'band']);
const narrow = ['employee_id', 'reviewer_id', 'department_id', 'mine', 'to_review'] as const;

/** True for users whose scope is only a team, their own evaluations and those to review. */
export function seesFew(actor: Actor): boolean {
  const { everything, entity_ids } = reachOf(actor, 'kpi-evaluation.view');
  return !everything && entity_ids.length === 0;
}

/** The number of evaluations of a query from the stored counts; undefined if these do not suffice. */
export function countOf(actor: Actor, query: ListQuery): RawBuilder<unknown> | undefined {
  const reach = reachOf(actor, 'kpi-evaluation.view');
  const asked = Object.entries(query).filter(
    ([name, value]) => !shape.has(name) && value !== undefined && value !== null,
  );
  const byEntity = isByCompany(reach);
  if (!byEntity || !asked.every(([name]) => counted.has(name))) return undefined;
  const kept = query.department_id ? sql`kpi_evaluation_counts` : sql`kpi_company_counts`;
  const sum = sql`select coalesce(sum(evaluations), 0) from ${kept} v where ${every([
    ...(reach.everything ? [] : oneOfIds(sql`v.entity_id`, reach.entity_ids)),
    ...oneOfIds(sql`v.cycle_id`, query.cycle_id),
    ...oneOfIds(sql`v.department_id`, query.department_id),
    ...oneOfIds(sql`v.entity_id`, query.entity_id),
    ...oneOfTexts(sql`v.status`, query.status),
    ...oneOfTexts(sql`v.band`, query.band),
  ])}`;
  if (reach.everything || actor.employee_id === null || !reach.own) return sum;
  // the list also contains the reader's own evaluations and reviews in other companies
  return sql`(${sum}) + (select count(*) from kpi_evaluations v
    where ${ownIn(actor, 'kpi-evaluation.view')} and v.entity_id <> all(${reach.entity_ids}::bigint[]) and ${every(byFilters(actor, query))})`;
}
