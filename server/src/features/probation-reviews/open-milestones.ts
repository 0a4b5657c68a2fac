import { sql } from 'kysely';
import type { ProbationMilestone } from '@tenure/contract';
import type { Db } from '../../db/connect.ts';
import { inBatches, inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { openReviews } from './open.ts';

const batch = 500;
/**
 * An interim review opens on its day or in the two weeks after it; later it would say nothing about that time. Days of
 * a pause do not count.
 */
const days = 14;

type Due = { employee_id: number; milestone: ProbationMilestone };

/**
 * People whose current probation has reached a day on which their company wants a review, before the lead time of the
 * final one. Each interim review opens once in a probation, whatever happened to it. Locks the people, so that no one
 * leaves meanwhile.
 */
async function due(db: Db, { now }: JobContext): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with today as (
      select n.*, (${now.toString()}::timestamptz at time zone n.timezone)::date as day from entities n
      where n.probation_day_30_review or n.probation_midpoint_review)
    select e.id as employee_id, m.milestone
    from today n
    join employees e on e.entity_id = n.id and e.employment_lifecycle = 'probationary' and e.activity_status = 'active'
      and e.deleted_at is null and e.probation_paused_from is null and e.probation_start_date is not null
      and e.probation_end_date > n.day + n.probation_lead_days
    cross join lateral (values
      ('day_30', n.probation_day_30_review, probation_day(e.probation_start_date, e.probation_pauses, 30)),
      ('midpoint', n.probation_midpoint_review,
       probation_day(e.probation_start_date, e.probation_pauses,
         probation_days(e.probation_start_date, e.probation_pauses, e.probation_end_date) / 2)))
      as m (milestone, wanted, day)
    where m.wanted and n.day between m.day and m.day + ${days}::int
      and not exists (
        select from probation_reviews v
        where v.employee_id = e.id and v.milestone = m.milestone
          and v.probation_start_date = e.probation_start_date)
      and not exists (
        select from probation_reviews v
        where v.employee_id = e.id and v.milestone = 'final' and v.status = 'approved'
          and v.probation_end_date = e.probation_end_date)
    order by e.id limit ${batch} for no key update of e skip locked`.execute(db);
  return rows;
}

/** Opens the interim reviews of all people whose probation has reached their day. */
export const openMilestones = (ctx: JobContext): Promise<number> =>
  inBatches(batch, () =>
    inJobTransaction(ctx.deps.db, async (db) => {
      const opened = await openReviews({ db, actor: null }, await due(db, ctx), ctx.now);
      return opened.length;
    }),
  );
