import type { kpiEvaluations, QueryOut, Reply } from '@tenure/contract';
import { evaluationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { byName, nameOrder } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { matchesReference } from '../../people/search-words.ts';
import { seesFew } from './filters.ts';

type Query = QueryOut<typeof kpiEvaluations.filterOptions>;
type Options = Reply<typeof kpiEvaluations.filterOptions>['data'];
type Found = Omit<Options, 'statuses'> & { statuses: string[] };

/** The maximum number of offered reviewers: a search finds the others. */
const offered = 100;
// up to this number, reading all evaluations is cheaper than checking people one by one
const manyEvaluations = 20_000;

const inCycles = (alias: string, { cycle_id }: Query): RawBuilder<SqlBool> =>
  every(oneOfIds(sql.ref(`${alias}.cycle_id`), cycle_id));

const searched = (actor: Actor, { reviewer_search }: Query): RawBuilder<SqlBool> =>
  reviewer_search ? matchesReference(actor, reviewer_search) : sql<SqlBool>`true`;

const reviewersOf = (evaluations: RawBuilder<unknown>, query: Query) => sql`
  select distinct v.reviewer_id from ${evaluations} v where v.reviewer_id is not null and ${inCycles('v', query)}`;

/** Places and reviewers of all evaluations in scope, for users with few evaluations: collected once. */
const gathered = (actor: Actor, query: Query) => sql`
  with gathered as materialized (
    select v.cycle_id, v.department_id, v.status, v.reviewer_id from kpi_evaluations v
    where ${evaluationsIn(actor, 'kpi-evaluation.view')}),
  places as (select distinct cycle_id, department_id, status from gathered),
  reviewers as (${reviewersOf(sql`gathered`, query)})`;

/**
 * Reviewers of all evaluations. If there are many, reads people in the order of the directory until enough of them are
 * reviewers, so that it reads neither all evaluations nor all reviewers.
 */
function everyReviewer(actor: Actor, query: Query) {
  const asked = sql`(select evaluations from asked)`;
  return sql`
    asked as (
      select coalesce(sum(p.evaluations), 0) as evaluations from places p
      where p.status is not null and ${inCycles('p', query)}),
    reviewers as (
      ${reviewersOf(sql`kpi_evaluations`, query)} and ${asked} <= ${sql.lit(manyEvaluations)}
      union all
      (select e.id from employees e
       where ${asked} > ${sql.lit(manyEvaluations)} and e.deleted_at is null and ${searched(actor, query)}
         and exists (select from kpi_evaluations v where v.reviewer_id = e.id and ${inCycles('v', query)})
       order by ${byName('e')} limit ${sql.lit(offered)}))`;
}

/** Departments and states of each cycle from the counts. Sums of `int` are fast; those of `bigint` are decimals. */
const countedPlaces = (within: RawBuilder<unknown>) => sql`
  select cycle_id, department_id, status, sum(evaluations::int) as evaluations from kpi_evaluation_counts v ${within}
  group by grouping sets ((cycle_id, department_id), (cycle_id, status)) having sum(evaluations::int) > 0`;

/** The same for many evaluations: places from the counts, plus the reader's own evaluations and reviews elsewhere. */
function counted(actor: Actor, query: Query) {
  const { everything, entity_ids } = reachOf(actor, 'kpi-evaluation.view');
  const inScope = evaluationsIn(actor, 'kpi-evaluation.view');
  const gatheredReviewers = sql`reviewers as (${reviewersOf(sql`kpi_evaluations`, query)} and ${inScope})`;
  if (everything) {
    // there is an index by name for all people, but not for those that a reader sees
    const seesNames = reachOf(actor, 'employees.view', 'employees.view_all').everything;
    return sql`
      with places as (${countedPlaces(sql``)}), ${seesNames ? everyReviewer(actor, query) : gatheredReviewers}`;
  }
  return sql`
    with places as (
      ${countedPlaces(sql`where ${every(oneOfIds(sql`v.entity_id`, entity_ids))}`)}
      union
      select v.cycle_id, v.department_id, v.status, 1 from kpi_evaluations v
      where ${inScope} and v.entity_id <> all(${entity_ids}::bigint[])),
    ${gatheredReviewers}`;
}

const named = (actor: Actor) =>
  sql`select e.id, e.employee_number, e.name, ${nameOrder(actor)} as place from employees e`;

/** The first reviewers by name of those found, and the selected ones in scope, whatever the search. */
function shownReviewers(actor: Actor, query: Query) {
  const { reviewer_id: chosen } = query;
  const found = sql`(
    ${named(actor)} where e.id in (select reviewer_id from reviewers) and ${searched(actor, query)}
    order by place, e.id limit ${sql.lit(offered)})`;
  return chosen
    ? sql`(${found} union ${named(actor)} where e.id = any(${chosen}::bigint[]) and exists (
        select from kpi_evaluations v where v.reviewer_id = e.id and ${evaluationsIn(actor, 'kpi-evaluation.view')}))`
    : found;
}

/**
 * The filter options of the list of evaluations; selected cycles restrict the other options. Reviewers are searched by
 * name, number or email.
 */
export async function readFilterOptions({ db, actor }: { db: Db; actor: Actor }, query: Query): Promise<Options> {
  const source = seesFew(actor) ? gathered(actor, query) : counted(actor, query);
  const { rows } = await sql<Found>`
    ${source}
    select coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.start_date desc, c.id desc)
                     from kpi_cycles c where c.id in (select cycle_id from places)), '[]') as cycles,
           coalesce((select json_agg(json_build_object('id', d.id, 'name', d.name) order by d.name_sort, d.id)
                     from departments d
                     where d.id in (select department_id from places p where ${inCycles('p', query)})), '[]')
             as departments,
           coalesce((select json_agg(json_build_object('id', r.id, 'employee_number', r.employee_number, 'name', r.name)
                                     order by r.place, r.id)
                     from ${shownReviewers(actor, query)} as r), '[]') as reviewers,
           array(select distinct status from places p where p.status is not null and ${inCycles('p', query)}) as statuses`.execute(
    db,
  );
  const found = rows[0] as Found;
  return { ...found, statuses: evaluationStatuses.filter((status) => found.statuses.includes(status)) };
}
