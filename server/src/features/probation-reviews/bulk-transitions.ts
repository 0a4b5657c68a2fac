import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import { moveMany } from '../../workflow/bulk-transitions.ts';
import { ownReason } from '../../languages/answer.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyCancelled } from './notify.ts';
import { startsOf } from './transitions.ts';

/**
 * P8 for people who leave: cancels the open reviews about them, without saying why they leave. Called with the people
 * held.
 * @returns how many were cancelled
 */
export async function cancelOpenReviewsOf(acting: Acting, employeeIds: readonly number[]): Promise<number> {
  const reason = ownReason('reasons.employment_ends');
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
