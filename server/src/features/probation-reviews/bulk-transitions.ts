import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import { moveMany } from '../../workflow/bulk-transitions.ts';
import { ownReason } from '../../languages/answer.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyCancelled } from './notify.ts';
import { startsOf } from './transitions.ts';

/**
 * P8 for people who leave, without the reason for leaving, and for those whose probation was decided: cancels the open
 * reviews about them. The caller has locked the people.
 * @returns how many were cancelled
 */
export async function cancelOpenReviewsOf(
  acting: Acting,
  employeeIds: readonly number[],
  why: 'reasons.employment_ends' | 'reasons.probation_decided' = 'reasons.employment_ends',
): Promise<number> {
  const reason = ownReason(why);
  const moved = await moveMany<Moved>(acting.db, {
    table: 'probation_reviews',
    which: sql`employee_id = any(${employeeIds}::bigint[])`,
    from: startsOf('cancel'),
    to: 'cancelled',
    set: sql`cancel_reason = ${reason}`,
    columns: sql<{ probation_end_date: string }>`v.probation_end_date`,
  });
  await recordMoves(acting, 'cancel', moved, reason);
  await notifyCancelled(
    acting,
    moved.map(({ id }) => id),
  );
  return moved.length;
}
