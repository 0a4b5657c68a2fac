import { sql } from 'kysely';
import { lockReminders } from '../../../notifications/reminders.ts';
import type { NotifyContext } from '../../../notifications/notify.ts';
import { cancelThese, moveEvaluations } from '../bulk-transitions.ts';
import { recordMoves } from '../history.ts';
import {
  notifyCancelled,
  notifyCompleted,
  notifyExtended,
  notifyLapsed,
  notifyResult,
  notifyReviewerChanged,
} from '../notify.ts';
import { remindableOf, remindThese } from '../reminders.ts';
import { extendThese } from '../steps/extend.ts';
import { aloneReason } from '../steps/hr.ts';
import type { BulkActing, BulkRow, Checked } from './row.ts';
import type { BulkKind, BulkRequest } from './request.ts';
import { assignMany } from './reviewers.ts';

/** What each kind does with evaluations that are checked and locked, and whom it notifies at the end of the run. */

/** E11 for many evaluations: the reviewers' scores become final. */
async function releaseMany(acting: BulkActing, chosen: readonly BulkRow[], comment: string | null): Promise<void> {
  const ids = chosen.map(({ id }) => id);
  await sql`
    update kpi_evaluation_items
    set final_score = case when manager_not_applicable then null else manager_score end, final_note = null,
        final_actual_value = null
    where evaluation_id = any(${ids}::bigint[])`.execute(acting.db);
  const moved = await moveEvaluations(acting.db, {
    ids,
    from: ['hr_review'],
    to: 'pending_acceptance',
    set: sql`hr_comment = coalesce(v.hr_comment, ${comment}),
      performance_flag = coalesce(v.performance_flag, v.suggested_flag),
      acceptance_mode = null, talked_on = null, answer_recorded_by = null, answer_recorded_by_name = null,
      hr_submitted_at = now(), hr_submitted_by = ${acting.actor.user_id},
      hr_submitted_by_name = ${acting.actor.name}`,
  });
  const reasons = new Map(chosen.map((row) => [row.id, aloneReason(acting.actor, row)]));
  for (const [reason, some] of Map.groupBy(moved, ({ id }) => reasons.get(id) ?? null))
    await recordMoves(acting, 'hr-review', some, reason);
}

/** E18 for many evaluations. */
async function completeMany({ db, ...who }: BulkActing, ids: readonly number[]): Promise<void> {
  const set = sql`completed_at = now()`;
  const moved = await moveEvaluations(db, { ids, from: ['accepted'], to: 'completed', set });
  await recordMoves({ db, ...who }, 'close', moved);
}

/** E14 for many evaluations. */
async function deemMany(acting: BulkActing, ids: readonly number[], reason: string | null): Promise<void> {
  const set = sql`acceptance_mode = 'deemed_hr'`;
  const moved = await moveEvaluations(acting.db, { ids, from: ['pending_acceptance'], to: 'accepted', set });
  await recordMoves(acting, 'deem-accepted', moved, reason);
}

/** Takes the step with evaluations that are ready for it; people are notified at the end of the run. */
export async function takeSteps(acting: BulkActing, request: BulkRequest, ready: readonly Checked[]): Promise<void> {
  const { kind, hr_comment, until, reason } = request;
  const rows = ready.flatMap(({ row }) => row ?? []);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  if (kind === 'hr-review') await releaseMany(acting, rows, hr_comment);
  if (kind === 'close') await completeMany(acting, ids);
  if (kind === 'extend') await extendThese(acting, rows, { until: until as string, reason });
  if (kind === 'reviewer') await assignMany(acting, ready, reason);
  if (kind === 'deem-accepted') await deemMany(acting, ids, reason);
  if (kind === 'cancel') await cancelThese(acting, ids, reason as string);
}

/** The changed evaluations, and their former reviewers. */
export type Changed = { id: number; former_id: number | null };

async function remindAll(context: NotifyContext, ids: readonly number[]): Promise<void> {
  await lockReminders(context.db);
  await remindThese(context, await remindableOf(context, ids));
}

const idsOf = (changed: readonly Changed[]) => changed.map(({ id }) => id);

/** Notifies the people concerned, by kind. */
export const notifyOf: Readonly<
  Record<BulkKind, (context: NotifyContext, changed: readonly Changed[]) => Promise<void>>
> = {
  'hr-review': (context, changed) => notifyResult(context, idsOf(changed)),
  close: (context, changed) => notifyCompleted(context, idsOf(changed)),
  remind: (context, changed) => remindAll(context, idsOf(changed)),
  extend: (context, changed) => notifyExtended(context, idsOf(changed)),
  reviewer: notifyReviewerChanged,
  'deem-accepted': (context, changed) => notifyLapsed(context, idsOf(changed)),
  cancel: (context, changed) => notifyCancelled(context, idsOf(changed)),
};
