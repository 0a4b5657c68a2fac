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

/** Reviewers that are offered at once: a search finds the others. */
const offered = 100;
// up to so many evaluations, reading them all is cheaper than to ask people one after the other whether they review any
const manyEvaluations = 20_000;

const inCycles = (alias: string, { cycle_id }: Query): RawBuilder<SqlBool> =>
  every(oneOfIds(sql.ref(`${alias}.cycle_id`), cycle_id));

const searched = (actor: Actor, { reviewer_search }: Query): RawBuilder<SqlBool> =>
  reviewer_search ? matchesReference(actor, reviewer_search) : sql<SqlBool>`true`;

const reviewersOf = (evaluations: RawBuilder<unknown>, query: Query) => sql`
  select distinct v.reviewer_id from ${evaluations} v where v.reviewer_id is not null and ${inCycles('v', query)}`;

/** Places and reviewers of all evaluations in scope, for whom these are few: gathered once. */
const gathered = (actor: Actor, query: Query) => sql`
  with gathered as materialized (
    select v.cycle_id, v.department_id, v.status, v.reviewer_id from kpi_evaluations v
    where ${evaluationsIn(actor, 'kpi-evaluation.view')}),
  places as (select distinct cycle_id, department_id, status from gathered),
  reviewers as (${reviewersOf(sql`gathered`, query)})`;

/**
 * Reviewers of all evaluations: of many, people in the order of the directory until enough of them review any, so that
 * neither all evaluations nor all reviewers are looked at.
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

/** Departments and states of each cycle out of the counts. Sums of `int` are fast, those of `bigint` are decimals. */
const countedPlaces = (within: RawBuilder<unknown>) => sql`
  select cycle_id, department_id, status, sum(evaluations::int) as evaluations from kpi_evaluation_counts v ${within}
  group by grouping sets ((cycle_id, department_id), (cycle_id, status)) having sum(evaluations::int) > 0`;

/** The same where they are many: places out of the counts, beside what is mine or mine to review elsewhere. */
function counted(actor: Actor, query: Query) {
  const { everything, entity_ids } = reachOf(actor, 'kpi-evaluation.view');
  const inScope = evaluationsIn(actor, 'kpi-evaluation.view');
  const gatheredReviewers = sql`reviewers as (${reviewersOf(sql`kpi_evaluations`, query)} and ${inScope})`;
  if (everything) {
    // by the names of all people there is an index, by those that a reader sees there is none
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

/** The first reviewers by name of those found, and the chosen ones in scope, whatever was searched for. */
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
 * What the list of evaluations can be filtered by; a choice of cycles narrows the rest. Reviewers are searched by name,
 * number or e-mail.
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
