import { messages } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { invalid } from '../../../http/errors.ts';
import { ownReason } from '../../../languages/answer.ts';
import { fourEyesOf } from '../capacities.ts';
import type { JudgedEvaluation } from '../capacities.ts';
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

/** What HR does on the usual way. */

/** E5: grants more time up to a day, or refuses it. */
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

/** E6: goes on without the self-assessment. */
export async function skipSelfAssessment(ctx: WriteCtx, row: EvaluationRecord, body: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'skip-self-assessment', body);
  const set = { self_skipped: true, skip_reason: body.reason };
  await move(ctx, row, { action: 'skip-self-assessment', to: 'manager_review', reason: body.reason, set });
  await notifySelfAssessmentSubmitted(ctx, [row.id]);
}

/** What the history says where the reviewer releases the own review, because no other HR user can. */
export const aloneReason = (actor: Actor, row: JudgedEvaluation): string | null =>
  fourEyesOf(actor, row) === 'no_other_hr' ? ownReason('reasons.no_other_hr') : null;

/** No answer was recorded for this result yet. */
export const unanswered = { talked_on: null, answer_recorded_by: null, answer_recorded_by_name: null };

/** A result without a comment of HR is for cycles that let one with the standard flag, as suggested, do without. */
export const needsComment = (row: JudgedEvaluation & Pick<EvaluationRecord, 'suggested_flag'>, flag: string | null) =>
  !(row.hr_comment_optional && flag === 'standard' && row.suggested_flag === 'standard');

/** E11: gives the result to the subject: the scores of the reviewer become final. */
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

/** E18: the end of the usual way. */
export async function close(ctx: WriteCtx, row: EvaluationRecord, body: { revision?: number | undefined }) {
  requireStep(ctx.actor, row, 'close', body);
  await move(ctx, row, { action: 'close', to: 'completed', set: { completed_at: sql`now()` } });
  await notifyCompleted(ctx, [row.id]);
}
