import { messages } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { invalid } from '../../../http/errors.ts';
import { ownReason } from '../../../languages/answer.ts';
import { fourEyesOf } from '../capacities.ts';
import type { EvaluationFacts } from '../capacities.ts';
import { move } from '../step.ts';
import { untilRefusal } from './extend.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import {
  notifyCompleted,
  notifyExtensionDecided,
  notifyLapsed,
  notifyResult,
  notifySelfAssessmentSubmitted,
} from '../notify.ts';
import type { WithReason } from '../../../workflow/step.ts';
import type { WriteCtx } from '../../../http/context.ts';

/** The HR steps of the usual workflow. */

/** E5: grants or refuses an extension up to a day. */
export async function decideExtension(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { decision, until = null, note = null, revision }: BodyOut<typeof evaluationSteps.decideExtension>,
): Promise<void> {
  const isApproved = decision === 'approved';
  if (isApproved && until === null) throw invalid('until', messages.required);
  const refusal = isApproved && until !== null ? untilRefusal(row, until) : undefined;
  if (refusal !== undefined) throw invalid('until', refusal);
  requireStep(ctx.actor, row, 'extension-decision', { revision });
  await move(ctx, row, {
    action: 'extension-decision',
    reason: note,
    changes: { extension_status: { from: 'pending', to: decision } },
    set: {
      extension_status: decision,
      extension_until: isApproved ? until : null,
      extension_note: note,
      extension_decided_at: sql`now()`,
      extension_decided_by: ctx.actor.user_id,
      extension_decided_by_name: ctx.actor.name,
      ...(isApproved && { stage_open_until: until }),
    },
  });
  await notifyExtensionDecided(ctx, row, decision);
}

/** E6: skips the self-assessment. */
export async function skipSelfAssessment(ctx: WriteCtx, row: EvaluationRecord, body: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'skip-self-assessment', body);
  const set = { self_skipped: true, skip_reason: body.reason };
  await move(ctx, row, { action: 'skip-self-assessment', to: 'manager_review', reason: body.reason, set });
  await notifySelfAssessmentSubmitted(ctx, [row.id]);
}

/** The note in the history if the reviewer releases their own review, because no other HR user can. */
export const aloneReason = (actor: Actor, row: EvaluationFacts): string | null =>
  fourEyesOf(actor, row) === 'no_other_hr' ? ownReason('reasons.no_other_hr') : null;

/** No answer to this result is recorded yet. */
export const unanswered = { talked_on: null, answer_recorded_by: null, answer_recorded_by_name: null };

/** Results need an HR comment, unless the cycle allows leaving it out for the suggested standard flag. */
export const needsComment = (row: EvaluationFacts & Pick<EvaluationRecord, 'suggested_flag'>, flag: string | null) =>
  !(row.hr_comment_optional && flag === 'standard' && row.suggested_flag === 'standard');

/** E11: releases the result to the subject: the reviewer's scores become final. */
export async function submitHrReview(
  ctx: WriteCtx,
  row: EvaluationRecord,
  body: BodyOut<typeof evaluationSteps.hrReview>,
): Promise<void> {
  const { revision, hr_comment = row.hr_comment, performance_flag, flag_reason = row.flag_reason } = body;
  requireStep(ctx.actor, row, 'hr-review', { revision });
  if (hr_comment === null && needsComment(row, performance_flag)) throw invalid('hr_comment', messages.required);
  if (performance_flag !== row.suggested_flag && flag_reason === null) throw invalid('flag_reason', messages.required);
  await sql`
    update kpi_evaluation_items
    set final_score = case when manager_not_applicable then null else manager_score end, final_note = null,
        final_actual_value = null
    where evaluation_id = ${row.id}`.execute(ctx.db);
  await move(ctx, row, {
    action: 'hr-review',
    to: 'pending_acceptance',
    reason: aloneReason(ctx.actor, row),
    set: {
      hr_comment,
      performance_flag,
      flag_reason,
      acceptance_mode: null,
      ...unanswered,
      hr_submitted_at: sql`now()`,
      hr_submitted_by: ctx.actor.user_id,
      hr_submitted_by_name: ctx.actor.name,
    },
  });
  await notifyResult(ctx, [row.id]);
}

/** E14: no answer came in time. */
export async function deemAccepted(ctx: WriteCtx, row: EvaluationRecord, body: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'deem-accepted', body);
  const set = { acceptance_mode: 'deemed_hr' };
  await move(ctx, row, { action: 'deem-accepted', to: 'accepted', reason: body.reason, set });
  await notifyLapsed(ctx, [row.id]);
}

/** E18: ends the usual workflow. */
export async function close(ctx: WriteCtx, row: EvaluationRecord, body: { revision?: number | undefined }) {
  requireStep(ctx.actor, row, 'close', body);
  await move(ctx, row, { action: 'close', to: 'completed', set: { completed_at: sql`now()` } });
  await notifyCompleted(ctx, [row.id]);
}
