import { text } from '@tenure/contract';
import type { BodyOut, probationSteps } from '@tenure/contract';
import { record } from '../../../audit.ts';
import { HttpError, blocked, invalid } from '../../../http/errors.ts';
import { criteriaForNext } from '../begun-criteria.ts';
import { mayReviewProbations } from '../reviewers.ts';
import { voidOf } from '../signatures.ts';
import { move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import { markReviewersMissing } from '../../../workflow/missing-reviewers.ts';
import { requireReviewer } from '../../../workflow/step.ts';
import type { WithReason } from '../../../workflow/step.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import type { ReviewRecord } from '../step.ts';
import { notifyCancelled, notifyReviewerChanged, notifySentBack } from '../notify.ts';
import { labelOf } from '../history.ts';

/** The steps of HR apart from deciding. */

/** What the reviewer wrote and HR saw, as the history stores it. */
export const snapshotOf = (row: ReviewRecord) => ({
  performance_rating: row.performance_rating,
  criteria: row.criteria,
  criteria_score: row.criteria_score,
  strengths: row.strengths,
  improvements: row.improvements,
  comments: row.comments,
  recommendation: row.recommendation,
  extension_months: row.extension_months,
});

/** P5: returns it to the reviewer, who must sign again; the submitted review stays in the history. */
export async function sendBack(ctx: ServiceCtx, row: ReviewRecord, { reason, revision }: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'send-back', { revision });
  await move(ctx, row, {
    action: 'send-back',
    to: 'sent_back',
    reason,
    snapshot: snapshotOf(row),
    set: { send_back_reason: reason, round: row.round + 1 },
  });
  await voidOf(ctx, row.id);
  await notifySentBack(ctx, [row.id]);
}

/** P8: cancels the review. */
export async function cancel(ctx: ServiceCtx, row: ReviewRecord, { reason, revision }: WithReason): Promise<void> {
  requireStep(ctx.actor, row, 'cancel', { revision });
  await move(ctx, row, { action: 'cancel', to: 'cancelled', reason, set: { cancel_reason: reason } });
  await notifyCancelled(ctx, [row.id]);
}

/** P8: deletes a review that was opened by mistake and is still empty. */
export async function remove(ctx: ServiceCtx, row: ReviewRecord): Promise<void> {
  try {
    requireStep(ctx.actor, row, 'delete', {});
  } catch (error) {
    throw error instanceof HttpError && error.status === 422 ? blocked('probation_review', error.body.message) : error;
  }
  await ctx.db.deleteFrom('probation_reviews').where('id', '=', row.id).execute();
  await record(ctx, {
    action: 'probation_review.delete',
    subject_id: row.id,
    subject_label: labelOf(row),
    entity_id: row.entity_id,
    about_employee_id: row.employee_id,
  });
}

/** The next reviewer does not see the former one's unsubmitted draft, and starts with HR’s criteria. */
export const noDraft = {
  performance_rating: null,
  criteria: criteriaForNext,
  criteria_score: null,
  strengths: null,
  improvements: null,
  comments: null,
  recommendation: null,
  extension_months: null,
  submitted_at: null,
};

/** P9: changes the reviewer, who starts with an empty form and the criteria that HR proposes. */
export async function changeReviewer(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { reviewer_id, revision }: BodyOut<typeof probationSteps.changeReviewer>,
): Promise<void> {
  await requireReviewer(ctx, { employee_id: row.employee_id, id: reviewer_id }, mayReviewProbations('e'));
  if (reviewer_id === row.reviewer_id) throw invalid('reviewer_id', text('reviews.is_reviewer_already'));
  requireStep(ctx.actor, row, 'reviewer', { revision });
  await move(ctx, row, {
    action: 'reviewer',
    changes: { reviewer_id: { from: row.reviewer_id, to: reviewer_id } },
    set: { ...noDraft, reviewer_id, reviewer_missing_since: null },
  });
  await markReviewersMissing(ctx.db, 'probation_reviews', [row.id]);
  await voidOf(ctx, row.id);
  await notifyReviewerChanged(ctx, [{ id: row.id, former_id: row.reviewer_id }]);
}
