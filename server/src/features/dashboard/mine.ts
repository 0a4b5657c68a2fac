import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { WriteCtx } from '../../http/context.ts';
import { countItems } from '../actionable-items/queries.ts';
import { countUnread } from '../notifications/queries.ts';
import { countedParts, personResult } from '../kpi-evaluations/parts.ts';
import type { CountedPart } from '../kpi-evaluations/parts.ts';
import type { Asked } from './scope.ts';

/** Counts the reader's tasks in the same way as their lists. */
export async function countMine(ctx: WriteCtx, as_of: string): Promise<Dashboard['my_work']> {
  const { by_kind, overdue } = await countItems(ctx);
  return { as_of, by_kind, overdue, unread_notifications: await countUnread(ctx) };
}

const results = 3;

/** The whole result of a cycle: an evaluation in parts is counted once, when all parts are completed. */
const isWholeResult = sql`(v.part is null or not exists (
  select from kpi_evaluations o
  where o.cycle_id = v.cycle_id and o.employee_id = v.employee_id and o.status <> 'cancelled'
    and (o.status <> 'completed' or o.part > v.part)))`;

type Me = NonNullable<Dashboard['me']>;
type LastResult = Me['last_results'][number] & { parts: CountedPart[] | null };
type Found = Omit<Me, 'as_of' | 'last_results'> & { last_results: LastResult[] };

const resultOf = ({ parts, overall_percentage, ...result }: LastResult) => ({
  ...result,
  overall_percentage: parts ? personResult(parts) : overall_percentage,
});

/** The state of the reader's own reviews. */
export async function aboutMe({ db, actor }: WriteCtx, cycleIds: Asked, as_of: string): Promise<Pick<Dashboard, 'me'>> {
  if (actor.employee_id === null) return {};
  const mine = sql`v.employee_id = ${actor.employee_id} and ${holds(actor, 'kpi-evaluation.view')}::boolean`;
  const chosen = cycleIds ? sql`v.cycle_id = any(${cycleIds}::bigint[])` : sql`v.status <> 'cancelled'`;
  const reviews = holds(actor, 'probation-review.view');
  const { rows } = await sql<Found>`
    select
      (select (now() at time zone n.timezone)::date from employees e join entities n on n.id = e.entity_id
       where e.id = ${actor.employee_id}) as today,
      (select json_build_object('id', v.id, 'status', v.status, 'due_on', v.due_on) from kpi_evaluations v
       where ${mine} and ${chosen} order by v.status = 'cancelled', v.created_at desc, v.id desc limit 1) as evaluation,
      (select coalesce(json_agg(l.result order by l.place), '[]') from (
         select row_number() over (order by c.end_date desc, v.id desc) as place,
                json_build_object('cycle', json_build_object('id', c.id, 'name', c.name),
                                  'overall_percentage', v.overall_percentage, 'parts', ${countedParts(actor)},
                                  'performance_flag', case when v.part is null then v.performance_flag end) as result
         from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id
         where ${mine} and v.status = 'completed' and ${isWholeResult} order by place limit ${results}) as l) as last_results,
      (select json_build_object('end_date', e.probation_end_date, 'status', (
           select r.status from probation_reviews r
           where r.employee_id = e.id and r.milestone = 'final' and r.status in ('approved', 'reverted') and ${reviews}::boolean
           order by r.id desc limit 1))
       from employees e where e.id = ${actor.employee_id} and e.employment_lifecycle = 'probationary') as probation
  `.execute(db);
  const { last_results, ...found } = rows[0] as Found;
  return { me: { as_of, ...found, last_results: last_results.map(resultOf) } };
}
