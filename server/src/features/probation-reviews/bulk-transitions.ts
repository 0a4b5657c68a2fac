import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import { ownReasons } from '../../wording.ts';
import { rules } from './transitions.ts';
import { notifyCancelled } from './notify.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';

const cancellable = [...new Set(rules.filter(({ action }) => action === 'cancel').flatMap(({ from }) => from))];

/**
 * P8 for people who leave: cancels the open reviews about them, without saying why they leave. Called with the people
 * held.
 * @returns how many were cancelled
 */
export async function cancelOpenReviewsOf(acting: Acting, employeeIds: readonly number[]): Promise<number> {
  const reason = ownReasons.employmentEnds;
  const { rows } = await sql<Moved>`
    with before as materialized (
      select id, status from probation_reviews
      where employee_id = any(${employeeIds}::bigint[]) and status = any(${cancellable}::text[]) order by id for update
    )
    update probation_reviews v set status = 'cancelled', status_changed_at = now(), cancel_reason = ${reason}
    from before b, employees p
    where v.id = b.id and p.id = v.employee_id
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, v.probation_end_date, b.status as "from", v.status as "to",
              v.round`.execute(acting.db);
  const moved = rows.toSorted((a, b) => a.id - b.id);
  await recordMoves(acting, 'cancel', moved, reason);
  await notifyCancelled(
    acting,
    moved.map(({ id }) => id),
  );
  return moved.length;
}
