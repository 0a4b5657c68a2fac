import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import { sentOf } from '../../../db/values.ts';
import { invalidFields } from '../../../http/errors.ts';
import { mergeAnswers, missingAnswers } from '../answers.ts';
import { selfScoreOf } from '../figures.ts';
import { requestsOf } from '../guards.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import { notifyAccepted, notifyDisputed, notifyExtensionRequested, notifySelfAssessmentSubmitted } from '../notify.ts';
import { storeAnswers } from './draft.ts';
import type { WithReason } from '../../../workflow/step.ts';
import type { WriteCtx } from '../../../http/context.ts';

/** The steps of the subject. */

/** E3: submits the self-assessment if nothing is missing. */
export async function submitSelfAssessment(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { items: sent, self_comment, ...body }: BodyOut<typeof evaluationSteps.selfAssessment>,
): Promise<void> {
  const stored = await itemsOfEvaluation(ctx.db, row.id);
  const { items, errors } = mergeAnswers(stored, sent, 'self', row);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  requireStep(ctx.actor, row, 'self-assessment', body);
  const gaps = missingAnswers(items, 'self', row);
  if (Object.keys(gaps).length > 0) throw invalidFields(gaps);
  await storeAnswers(ctx.db, 'self', stored, items);
  await move(ctx, row, {
    action: 'self-assessment',
    to: 'manager_review',
    set: { ...sentOf({ self_comment }), self_submitted_at: sql`now()`, self_overall_score: selfScoreOf(row, items) },
  });
  await notifySelfAssessmentSubmitted(ctx, [row.id]);
}

/** E4: the subject, or the reviewer in their step, requests an extension after the deadline. */
export async function requestExtension(ctx: WriteCtx, row: EvaluationRecord, body: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'extension-request', body);
  await move(ctx, row, {
    action: 'extension-request',
    reason: body.reason,
    set: {
      extension_requested_at: sql`now()`,
      extension_reason: body.reason,
      extension_status: 'pending',
      extension_until: null,
      extension_decided_at: null,
      extension_decided_by: null,
      extension_decided_by_name: null,
      extension_note: null,
      extension_step: row.status,
      extension_requests: requestsOf(row) + 1,
    },
  });
  await notifyExtensionRequested(ctx, row);
}

/** E12: accepts the result, in time or not. */
export async function accept(ctx: WriteCtx, row: EvaluationRecord, body: { revision?: number | undefined }) {
  requireStep(ctx.actor, row, 'accept', body);
  const set = { responded_at: sql`now()`, acceptance_mode: 'employee' };
  await move(ctx, row, { action: 'accept', to: 'accepted', set });
  await notifyAccepted(ctx, [row.id]);
}

/** E13: disputes the result while there is time. */
export async function dispute(ctx: WriteCtx, row: EvaluationRecord, body: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'dispute', body);
  await move(ctx, row, {
    action: 'dispute',
    to: 'disputed',
    reason: body.reason,
    set: {
      responded_at: sql`now()`,
      dispute_reason: body.reason,
      dispute_result: null,
      dispute_resolution: null,
      dispute_resolved_at: null,
      dispute_resolved_by: null,
      dispute_resolved_by_name: null,
    },
  });
  await notifyDisputed(ctx, [row.id]);
}
