import type { kpiEvaluations, Reply } from '@tenure/contract';
import { evaluationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { nameOrder } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { seesFew } from './filters.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';

type Options = Reply<typeof kpiEvaluations.filterOptions>['data'];
type Found = Omit<Options, 'statuses'> & { statuses: string[] };

/**
 * Places and reviewers of all evaluations in scope, for whom these are few: gathered once. The columns are cycle_id,
 * department_id, status and reviewer_id.
 */
const gathered = (actor: Actor) => sql`
  with gathered as materialized (
    select v.cycle_id, v.department_id, v.status, v.reviewer_id from kpi_evaluations v
    where ${evaluationsIn(actor, 'kpi-evaluation.view')}),
  places as (select distinct cycle_id, department_id, status from gathered),
  reviewers as (select distinct cycle_id, reviewer_id from gathered where reviewer_id is not null)`;

/** Reviewers one after the other out of the index, so that none of their evaluations but one is looked at. */
const everyReviewer = (cycleIds: readonly number[] | undefined) => sql`
  each_reviewer as (
    (select reviewer_id from kpi_evaluations where reviewer_id is not null order by reviewer_id limit 1)
    union all
    select (select v.reviewer_id from kpi_evaluations v where v.reviewer_id > e.reviewer_id
            order by v.reviewer_id limit 1)
    from each_reviewer e where e.reviewer_id is not null),
  reviewers as (
    select null::bigint as cycle_id, e.reviewer_id from each_reviewer e
    where exists (select from kpi_evaluations v
                  where v.reviewer_id = e.reviewer_id and ${every(oneOfIds(sql`v.cycle_id`, cycleIds))}))`;

/** The same where they are many: places out of the counts, beside what is mine or mine to review elsewhere. */
function counted(actor: Actor, cycleIds: readonly number[] | undefined) {
  const { everything, entity_ids } = reachOf(actor, 'kpi-evaluation.view');
  const places = sql`select cycle_id, department_id, status from kpi_evaluation_counts v`;
  if (everything)
    return sql`
      with recursive places as (${places} group by 1, 2, 3 having sum(evaluations) > 0), ${everyReviewer(cycleIds)}`;
  const inScope = evaluationsIn(actor, 'kpi-evaluation.view');
  return sql`
    with places as (
      ${places} where ${every(oneOfIds(sql`v.entity_id`, entity_ids))} group by 1, 2, 3 having sum(evaluations) > 0
      union
      select v.cycle_id, v.department_id, v.status from kpi_evaluations v
      where ${inScope} and v.entity_id <> all(${entity_ids}::bigint[])),
    reviewers as (
      select distinct v.cycle_id, v.reviewer_id from kpi_evaluations v where ${inScope} and v.reviewer_id is not null)`;
}

const inCycles = (alias: string, ids: readonly number[] | undefined): RawBuilder<SqlBool> =>
  ids
    ? sql<SqlBool>`(${sql.ref(`${alias}.cycle_id`)} is null or ${sql.ref(`${alias}.cycle_id`)} = any(${ids}::bigint[]))`
    : sql<SqlBool>`true`;

/** What the list of evaluations can be filtered by; a choice of cycles narrows the rest. */
export async function readFilterOptions(
  { db, actor }: { db: Db; actor: Actor },
  cycleIds: readonly number[] | undefined,
): Promise<Options> {
  const source = seesFew(actor) ? gathered(actor) : counted(actor, cycleIds);
  const { rows } = await sql<Found>`
    ${source}
    select coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.start_date desc, c.id desc)
                     from kpi_cycles c where c.id in (select cycle_id from places)), '[]') as cycles,
           coalesce((select json_agg(json_build_object('id', d.id, 'name', d.name) order by d.name_sort, d.id)
                     from departments d
                     where d.id in (select department_id from places p where ${inCycles('p', cycleIds)})), '[]')
             as departments,
           coalesce((select json_agg(json_build_object('id', e.id, 'employee_number', e.employee_number, 'name', e.name)
                                     order by ${nameOrder(actor)}, e.id)
                     from employees e
                     where e.id in (select reviewer_id from reviewers r where ${inCycles('r', cycleIds)})), '[]')
             as reviewers,
           array(select distinct status from places p where ${inCycles('p', cycleIds)}) as statuses`.execute(db);
  const found = rows[0] as Found;
  return { ...found, statuses: evaluationStatuses.filter((status) => found.statuses.includes(status)) };
}
