import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { moveMany } from '../../workflow/bulk-transitions.ts';
import type { MoveOfMany } from '../../workflow/bulk-transitions.ts';
import { ownReason } from '../../languages/answer.ts';
import { startsOf } from './transitions.ts';
import {
  notifyCancelled,
  notifyCancelledToReviewers,
  notifyCompleted,
  notifySelfAssessmentSubmitted,
} from './notify.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { endedEvaluations } from '../../workflow/open.ts';

/** Transitions of many evaluations at once, with one statement for each effect. */

const together = 5_000;

/** Moves the evaluations that are in one of the states `from`, and returns them. */
export const moveEvaluations = (
  db: Db,
  { ids, set, ...step }: Pick<MoveOfMany<Moved>, 'from' | 'to' | 'set'> & { ids: readonly number[] },
): Promise<Moved[]> =>
  moveMany<Moved>(db, {
    ...step,
    table: 'kpi_evaluations',
    which: sql`id = any(${ids}::bigint[])`,
    // an undecided extension request ends with the step
    set: sql`stage_open_until = null, ${set},
      extension_requested_at = case when v.extension_status is distinct from 'pending' then v.extension_requested_at end,
      extension_reason = case when v.extension_status is distinct from 'pending' then v.extension_reason end,
      extension_status = nullif(v.extension_status, 'pending')`,
    columns: sql<{ cycle_name: string }>`(select c.name from kpi_cycles c where c.id = v.cycle_id) as cycle_name`,
  });

/** The reason why the service skips the self-assessment of people without a sign-in. */
export const withoutSignIn = ownReason('reasons.no_sign_in');

/** E6 for many evaluations, by the service. */
export async function skipMany(acting: Acting, ids: readonly number[], reason: string): Promise<void> {
  const set = sql`self_skipped = true, skip_reason = ${reason}`;
  const moved = await moveEvaluations(acting.db, { ids, from: ['self_assessment'], to: 'manager_review', set });
  await recordMoves(acting, 'skip-self-assessment', moved, reason);
  await notifySelfAssessmentSubmitted(acting, ids);
}

const idsOf = (moved: readonly Moved[]) => moved.map(({ id }) => id);

/**
 * E19 for many evaluations: completes those with a known result. Others keep their state.
 * @returns how many were completed
 */
export async function forceCloseMany(acting: Acting, ids: readonly number[], reason: string): Promise<number> {
  const moved = await moveEvaluations(acting.db, {
    ids,
    from: startsOf('force-close'),
    to: 'completed',
    set: sql`close_reason = ${reason}, closed_by = ${acting.actor?.user_id ?? null}::bigint,
             closed_by_name = ${acting.actor?.name ?? 'System'}, completed_at = now()`,
  });
  await recordMoves(acting, 'force-close', moved, reason);
  await notifyCompleted(acting, idsOf(moved));
  return moved.length;
}

/** E20 for many evaluations, without notifications: completed and cancelled ones keep their state. */
export async function cancelThese(acting: Acting, ids: readonly number[], reason: string): Promise<Moved[]> {
  const moved = await moveEvaluations(acting.db, {
    ids,
    from: startsOf('cancel'),
    to: 'cancelled',
    set: sql`cancel_reason = ${reason}, cancelled_from = b.status, cancelled_at = now()`,
  });
  await recordMoves(acting, 'cancel', moved, reason);
  return moved;
}

/**
 * E20 for many evaluations: cancels open ones and notifies.
 * @returns how many were cancelled
 */
export async function cancelMany(acting: Acting, ids: readonly number[], reason: string): Promise<number> {
  const moved = await cancelThese(acting, ids, reason);
  await notifyCancelled(acting, idsOf(moved));
  return moved.length;
}

/**
 * E20 for evaluations that are replaced: the notification about the new one informs the subject.
 * @returns the ids of the cancelled evaluations
 */
export async function cancelReplaced(acting: Acting, ids: readonly number[], reason: string | null): Promise<number[]> {
  const moved = await moveEvaluations(acting.db, {
    ids,
    from: startsOf('cancel'),
    to: 'cancelled',
    set: sql`cancel_reason = ${reason}, cancelled_from = b.status, cancelled_at = now()`,
  });
  await recordMoves(acting, 'cancel', moved, reason);
  await notifyCancelledToReviewers(acting, idsOf(moved.filter(({ from }) => from !== 'self_assessment')));
  return idsOf(moved);
}

export type Exchanged = Moved & { former: string };

/** Records that evaluations now have another template; `former` is the name of the earlier one. */
export const recordReplaced = (
  acting: Acting,
  exchanged: readonly Exchanged[],
  { template, reason }: { template: string; reason: string | null },
): Promise<void> =>
  recordMoves(
    acting,
    'replace-template',
    exchanged.map((one) => ({ ...one, changes: { template_name: { from: one.former, to: template } } })),
    reason,
  );

/** Batches that keep each statement well below its timeout, however large the cycle is. */
async function someAtATime(ids: readonly number[], step: (ids: readonly number[]) => Promise<number>): Promise<number> {
  let moved = 0;
  for (let start = 0; start < ids.length; start += together) moved += await step(ids.slice(start, start + together));
  return moved;
}

/** E19 and E20 for a cycle closed by force: completes evaluations with a result and cancels those without. */
export async function finishCycle(
  acting: Acting,
  cycleId: number,
  reason: string,
): Promise<{ completed: number; cancelled: number }> {
  const { rows } = await sql<{ id: number; has_result: boolean }>`
    select id, status = any(${startsOf('force-close')}::text[]) as has_result from kpi_evaluations
    where cycle_id = ${cycleId} and status not in ${endedEvaluations} order by id for update`.execute(acting.db);
  const of = (hasResult: boolean) => rows.filter((row) => row.has_result === hasResult).map(({ id }) => id);
  const completed = await someAtATime(of(true), (ids) => forceCloseMany(acting, ids, reason));
  const cancelled = await someAtATime(of(false), (ids) => cancelMany(acting, ids, reason));
  return { completed, cancelled };
}

/** E20 for a leaver: cancels open evaluations about the person, without giving the reason for leaving. */
export async function cancelOpenOf(acting: Acting, employeeId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select v.id from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
    where v.employee_id = ${employeeId} and v.status not in ${endedEvaluations}
    order by v.id for update of v`.execute(acting.db);
  return cancelMany(
    acting,
    rows.map(({ id }) => id),
    ownReason('reasons.employment_ends'),
  );
}

/** E20 for a replaced evaluation: notifies the reviewer if it had reached them; the subject learns of the new one. */
export async function cancelForAnother(acting: Acting, id: number, reason: string): Promise<void> {
  const moved = await moveEvaluations(acting.db, {
    ids: [id],
    from: startsOf('cancel'),
    to: 'cancelled',
    set: sql`cancel_reason = ${reason}, cancelled_from = b.status, cancelled_at = now()`,
  });
  await recordMoves(acting, 'cancel', moved, reason);
  await notifyCancelledToReviewers(acting, idsOf(moved.filter(({ from }) => from !== 'self_assessment')));
}

/** Records that the evaluation stays in its department, although the person is now in this one. */
export async function stayAfterMove(acting: Acting, id: number, departmentId: number, reason: string): Promise<void> {
  const { rows } = await sql<Moved>`
    update kpi_evaluations v set kept_department_id = ${departmentId}, moved_since = null
    from employees p
    where v.id = ${id} and p.id = v.employee_id
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, v.status as "from", v.status as "to", v.round,
              (select c.name from kpi_cycles c where c.id = v.cycle_id) as cycle_name`.execute(acting.db);
  await recordMoves(acting, 'stay', rows, reason);
}
