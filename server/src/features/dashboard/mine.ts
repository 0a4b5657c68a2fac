import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { WriteCtx } from '../../http/context.ts';
import { countItems } from '../actionable-items/queries.ts';
import { countUnread } from '../notifications/queries.ts';
import type { Asked } from './scope.ts';

/** Counts the reader's tasks like their lists do. */
export async function countMine(ctx: WriteCtx, as_of: string): Promise<Dashboard['my_work']> {
  const { by_kind, overdue } = await countItems(ctx);
  return { as_of, by_kind, overdue, unread_notifications: await countUnread(ctx) };
}

const results = 3;

/** The state of the reader's own reviews. */
export async function aboutMe({ db, actor }: WriteCtx, cycleIds: Asked, as_of: string): Promise<Pick<Dashboard, 'me'>> {
  if (actor.employee_id === null) return {};
  const mine = sql`v.employee_id = ${actor.employee_id} and ${holds(actor, 'kpi-evaluation.view')}::boolean`;
  const chosen = cycleIds ? sql`v.cycle_id = any(${cycleIds}::bigint[])` : sql`v.status <> 'cancelled'`;
  const reviews = holds(actor, 'probation-review.view');
  const { rows } = await sql<Omit<NonNullable<Dashboard['me']>, 'as_of'>>`
    select
      (select (now() at time zone n.timezone)::date from employees e join entities n on n.id = e.entity_id
       where e.id = ${actor.employee_id}) as today,
      (select json_build_object('id', v.id, 'status', v.status, 'due_on', v.due_on) from kpi_evaluations v
       where ${mine} and ${chosen} order by v.status = 'cancelled', v.created_at desc, v.id desc limit 1) as evaluation,
      (select coalesce(json_agg(l.result order by l.place), '[]') from (
         select row_number() over (order by c.end_date desc, v.id desc) as place,
                json_build_object('cycle', json_build_object('id', c.id, 'name', c.name),
                                  'overall_percentage', v.overall_percentage,
                                  'performance_flag', v.performance_flag) as result
         from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id
         where ${mine} and v.status = 'completed' order by place limit ${results}) as l) as last_results,
      (select json_build_object('end_date', e.probation_end_date, 'status', (
           select r.status from probation_reviews r
           where r.employee_id = e.id and r.milestone = 'final' and r.status in ('approved', 'reverted') and ${reviews}::boolean
           order by r.id desc limit 1))
       from employees e where e.id = ${actor.employee_id} and e.employment_lifecycle = 'probationary') as probation
  `.execute(db);
  return { me: { as_of, ...(rows[0] as Omit<NonNullable<Dashboard['me']>, 'as_of'>) } };
}
