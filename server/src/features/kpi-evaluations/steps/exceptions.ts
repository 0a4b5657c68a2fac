import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { conflict } from '../../../http/errors.ts';
import { figuresOf, snapshotOf } from '../figures.ts';
import { closedCycle, isOver, windowOf } from '../guards.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import { notifyCancelled, notifyCompleted, notifyReopened } from '../notify.ts';
import { unanswered } from './dispute.ts';
import type { WithReason } from '../../../workflow/step.ts';
import type { WriteCtx } from '../../../http/context.ts';

/** The steps outside the usual workflow. */

/** E19: completes it early. */
export async function forceClose(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { reason, revision }: WithReason,
): Promise<void> {
  requireStep(ctx.actor, row, 'force-close', { revision });
  await move(ctx, row, {
    action: 'force-close',
    to: 'completed',
    reason,
    set: {
      close_reason: reason,
      closed_by: ctx.actor.user_id,
      closed_by_name: ctx.actor.name,
      completed_at: sql`now()`,
    },
  });
  await notifyCompleted(ctx, [row.id]);
}

/** E20: cancels it. */
export async function cancel(ctx: WriteCtx, row: EvaluationRecord, { reason, revision }: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'cancel', { revision });
  const set = { cancel_reason: reason, cancelled_from: row.status, cancelled_at: sql`now()` };
  await move(ctx, row, { action: 'cancel', to: 'cancelled', reason, set });
  await notifyCancelled(ctx, [row.id]);
}

/** Sees a cycle that is being closed as closed: closing searches for open evaluations, and this step reopens one. */
async function lockOpenCycle({ db }: WriteCtx, row: EvaluationRecord): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    select status from kpi_cycles where id = ${row.cycle_id} for share`.execute(db);
  if (rows[0]?.status !== 'published') throw conflict(closedCycle, row);
}

/** How many days a step with an expired window stays open for its assignee. */
const daysToGoOn = 7;

/** The time while it was cancelled does not count as a delay. */
function timeAgain(row: EvaluationRecord, status: EvaluationStatus) {
  // the response period restarts automatically
  if (status === 'pending_acceptance') return {};
  if (!isOver(windowOf(row, status), row.today)) return {};
  return { stage_open_until: sql`${row.today}::date + ${daysToGoOn}::integer` };
}

/** E21: continues where it was cancelled, with enough time. */
export async function restore(ctx: WriteCtx, row: EvaluationRecord, { reason, revision }: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'restore', { revision });
  await lockOpenCycle(ctx, row);
  const to = row.cancelled_from as EvaluationStatus;
  const set = { reopen_reason: reason, ...timeAgain(row, to) };
  await move(ctx, row, { action: 'restore', to, reason, set });
  await notifyReopened(ctx, { id: row.id, to });
}

/** E22: HR reviews it again; the result stays in the history and must be accepted again. */
export async function reopen(ctx: WriteCtx, row: EvaluationRecord, { reason, revision }: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'reopen', { revision });
  await lockOpenCycle(ctx, row);
  const items = await itemsOfEvaluation(ctx.db, row.id);
  await sql`update kpi_evaluation_items set final_score = null, final_note = null, final_actual_value = null where evaluation_id = ${row.id}`.execute(
    ctx.db,
  );
  const reviewed = items.map((item) => ({ ...item, final_score: null, final_actual_value: null }));
  await move(ctx, row, {
    action: 'reopen',
    to: 'hr_review',
    reason,
    snapshot: snapshotOf(row, items),
    set: {
      ...figuresOf(row, reviewed),
      ...unanswered,
      completed_at: null,
      reopen_reason: reason,
      round: row.round + 1,
    },
  });
  await notifyReopened(ctx, { id: row.id, to: 'hr_review' });
}
