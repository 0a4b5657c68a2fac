import type { absences, CoveredAbsence, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import { personRefTo } from '../../../db/refs.ts';
import { every, holdsWords, selectPage } from '../../../db/lists.ts';
import type { ReadCtx } from '../../../http/context.ts';

/** The current and planned absences in which the actor is the deputy, by default the earliest first. */
export async function listCovered({ db, actor }: ReadCtx, query: QueryOut<typeof absences.covered>) {
  const direction = query.sort_direction === 'desc' ? sql`desc` : sql`asc`;
  const today = sql`(now() at time zone n.timezone)::date`;
  const from = sql`absences a join employees e on e.id = a.employee_id join entities n on n.id = e.entity_id`;
  const where = every([
    sql`a.deputy_id = ${actor.employee_id}::bigint`,
    sql`e.deleted_at is null and coalesce(a.last_day, 'infinity') >= ${today}`,
    ...holdsWords([sql`e.name`], query.search),
  ]);
  return selectPage(db, query, {
    rows: sql<CoveredAbsence>`
      select a.id, ${personRefTo('e')} as employee, a.first_day, a.last_day,
             case when a.first_day > ${today} then 'planned' else 'current' end as state, a.deputy_tasks
      from ${from} where ${where} order by a.first_day ${direction}, a.id`,
    total: sql`select count(*) from ${from} where ${where}`,
  });
}
