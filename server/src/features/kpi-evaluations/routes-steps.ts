import { evaluationSteps as steps, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { stepHandlerWith } from '../../workflow/step.ts';
import { readEvaluation } from './queries.ts';
import { stepOf } from './step.ts';
import { resolveDispute } from './steps/dispute.ts';
import { saveDraft } from './steps/draft.ts';
import { cancel, forceClose, reopen, restore } from './steps/exceptions.ts';
import { extend } from './steps/extend.ts';
import { decideFormerDraft } from './steps/former-draft.ts';
import { close, decideExtension, deemAccepted, skipSelfAssessment, submitHrReview } from './steps/hr.ts';
import { recordAnswer } from './steps/record-answer.ts';
import { sendBack, submitManagerReview } from './steps/review.ts';
import { changeReviewer } from './steps/reviewer.ts';
import { accept, dispute, requestExtension, submitSelfAssessment } from './steps/subject.ts';

const stepHandler = stepHandlerWith(readEvaluation);

export const evaluationStepRoutes = [
  bind(steps.update, { ...stepOf(steps.update), handle: stepHandler(saveDraft, text('reviews.draft_saved')) }),
  bind(steps.selfAssessment, {
    ...stepOf(steps.selfAssessment),
    handle: stepHandler(submitSelfAssessment, text('evaluations.self_assessment_submitted')),
  }),
  bind(steps.requestExtension, {
    ...stepOf(steps.requestExtension),
    handle: stepHandler(requestExtension, text('evaluations.extension_requested')),
  }),
  bind(steps.accept, { ...stepOf(steps.accept), handle: stepHandler(accept, text('evaluations.accepted')) }),
  bind(steps.dispute, { ...stepOf(steps.dispute), handle: stepHandler(dispute, text('evaluations.disputed')) }),
  bind(steps.recordAnswer, {
    ...stepOf(steps.recordAnswer),
    handle: stepHandler(recordAnswer, text('evaluations.answer_recorded')),
  }),
  bind(steps.managerReview, {
    ...stepOf(steps.managerReview),
    handle: stepHandler(submitManagerReview, text('reviews.submitted')),
  }),
  bind(steps.formerDraft, {
    ...stepOf(steps.formerDraft),
    handle: stepHandler(decideFormerDraft, text('evaluations.former_draft_decided')),
  }),
  bind(steps.return, { ...stepOf(steps.return), handle: stepHandler(sendBack, text('evaluations.returned')) }),
  bind(steps.skipSelfAssessment, {
    ...stepOf(steps.skipSelfAssessment),
    handle: stepHandler(skipSelfAssessment, text('evaluations.self_skipped')),
  }),
  bind(steps.decideExtension, {
    ...stepOf(steps.decideExtension),
    handle: stepHandler(decideExtension, text('evaluations.extension_decided')),
  }),
  bind(steps.extend, { ...stepOf(steps.extend), handle: stepHandler(extend, text('evaluations.extended')) }),
  bind(steps.hrReview, {
    ...stepOf(steps.hrReview),
    handle: stepHandler(submitHrReview, text('evaluations.hr_review_submitted')),
  }),
  bind(steps.deemAccepted, {
    ...stepOf(steps.deemAccepted),
    handle: stepHandler(deemAccepted, text('evaluations.counts_as_accepted')),
  }),
  bind(steps.resolveDispute, {
    ...stepOf(steps.resolveDispute),
    handle: stepHandler(resolveDispute, text('evaluations.dispute_settled')),
  }),
  bind(steps.close, { ...stepOf(steps.close), handle: stepHandler(close, text('evaluations.completed')) }),
  bind(steps.forceClose, {
    ...stepOf(steps.forceClose),
    handle: stepHandler(forceClose, text('evaluations.completed_early')),
  }),
  bind(steps.cancel, { ...stepOf(steps.cancel), handle: stepHandler(cancel, text('evaluations.cancelled')) }),
  bind(steps.restore, { ...stepOf(steps.restore), handle: stepHandler(restore, text('evaluations.restored')) }),
  bind(steps.reopen, { ...stepOf(steps.reopen), handle: stepHandler(reopen, text('evaluations.reopened')) }),
  bind(steps.changeReviewer, {
    ...stepOf(steps.changeReviewer),
    handle: stepHandler(changeReviewer, text('reviews.reviewer_changed')),
  }),
];
