import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { inBatches, inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { openReviews } from './open.ts';
import { openReviewStates } from '../../workflow/open.ts';

const batch = 500;

/**
 * People whose probation is not paused, ends within the lead days of their company, and who have no review for this end
 * except reverted ones. Locks them, so that no one leaves meanwhile; the next round takes people whose record is locked
 * now.
 */
async function due(db: Db, { now }: JobContext): Promise<{ employee_id: number }[]> {
  const { rows } = await sql<{ employee_id: number }>`
    select e.id as employee_id
    from entities n
    join employees e on e.entity_id = n.id and e.employment_lifecycle = 'probationary' and e.activity_status = 'active'
      and e.deleted_at is null and e.probation_paused_from is null
      and e.probation_end_date
          <= (${now.toString()}::timestamptz at time zone n.timezone)::date + n.probation_lead_days
    where not exists (
      select from probation_reviews v where v.employee_id = e.id
        and v.milestone = 'final'
        and (v.status in ${openReviewStates}
             or (v.probation_end_date = e.probation_end_date and v.status <> 'reverted')))
    order by e.id limit ${batch} for no key update of e skip locked`.execute(db);
  return rows;
}

/** Opens the reviews of all people whose probation ends soon, or has ended, by the day in their company. */
export const openDueReviews = (ctx: JobContext): Promise<number> =>
  inBatches(batch, () =>
    inJobTransaction(ctx.deps.db, async (db) => {
      const people = await due(db, ctx);
      const opened = await openReviews({ db, actor: null }, people, ctx.now);
      return opened.length;
    }),
  );
