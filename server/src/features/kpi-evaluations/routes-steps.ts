import { evaluationSteps as steps } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done } from '../../http/replies.ts';
import { takingWith } from '../../workflow/step.ts';
import { counted } from '../../wording.ts';
import { closeMany } from './bulk-close.ts';
import { readEvaluation } from './queries.ts';
import { stepOf } from './step.ts';
import { resolveDispute } from './steps/dispute.ts';
import { saveDraft } from './steps/draft.ts';
import { cancel, forceClose, reopen, restore } from './steps/exceptions.ts';
import { close, decideExtension, deemAccepted, skipSelfAssessment, submitHrReview } from './steps/hr.ts';
import { sendBack, submitManagerReview } from './steps/review.ts';
import { changeReviewer } from './steps/reviewer.ts';
import { accept, dispute, requestExtension, submitSelfAssessment } from './steps/subject.ts';

const taking = takingWith(readEvaluation);

export const evaluationStepRoutes = [
  bind(steps.update, { ...stepOf(steps.update), handle: taking(saveDraft, 'Draft saved successfully.') }),
  bind(steps.selfAssessment, {
    ...stepOf(steps.selfAssessment),
    handle: taking(submitSelfAssessment, 'Self-assessment submitted successfully.'),
  }),
  bind(steps.requestExtension, {
    ...stepOf(steps.requestExtension),
    handle: taking(requestExtension, 'More time requested successfully.'),
  }),
  bind(steps.accept, { ...stepOf(steps.accept), handle: taking(accept, 'Result accepted successfully.') }),
  bind(steps.dispute, { ...stepOf(steps.dispute), handle: taking(dispute, 'Result disputed successfully.') }),
  bind(steps.managerReview, {
    ...stepOf(steps.managerReview),
    handle: taking(submitManagerReview, 'Review submitted successfully.'),
  }),
  bind(steps.return, { ...stepOf(steps.return), handle: taking(sendBack, 'Evaluation returned successfully.') }),
  bind(steps.skipSelfAssessment, {
    ...stepOf(steps.skipSelfAssessment),
    handle: taking(skipSelfAssessment, 'Self-assessment skipped successfully.'),
  }),
  bind(steps.decideExtension, {
    ...stepOf(steps.decideExtension),
    handle: taking(decideExtension, 'Request for more time decided successfully.'),
  }),
  bind(steps.hrReview, {
    ...stepOf(steps.hrReview),
    handle: taking(submitHrReview, 'HR review submitted successfully.'),
  }),
  bind(steps.deemAccepted, {
    ...stepOf(steps.deemAccepted),
    handle: taking(deemAccepted, 'Result counts as accepted now.'),
  }),
  bind(steps.resolveDispute, {
    ...stepOf(steps.resolveDispute),
    handle: taking(resolveDispute, 'Dispute settled successfully.'),
  }),
  bind(steps.close, { ...stepOf(steps.close), handle: taking(close, 'Evaluation completed successfully.') }),
  bind(steps.bulkClose, {
    handle: async (ctx) => {
      const result = await closeMany(ctx, ctx.body.evaluation_ids);
      const rest = result.refused.length > 0 ? `, ${result.refused.length} refused` : '';
      return done(result, `${counted(result.closed.length, 'evaluation', 'evaluations')} completed${rest}.`);
    },
  }),
  bind(steps.forceClose, {
    ...stepOf(steps.forceClose),
    handle: taking(forceClose, 'Evaluation completed before its time.'),
  }),
  bind(steps.cancel, { ...stepOf(steps.cancel), handle: taking(cancel, 'Evaluation cancelled successfully.') }),
  bind(steps.restore, { ...stepOf(steps.restore), handle: taking(restore, 'Evaluation restored successfully.') }),
  bind(steps.reopen, { ...stepOf(steps.reopen), handle: taking(reopen, 'Evaluation reopened successfully.') }),
  bind(steps.changeReviewer, {
    ...stepOf(steps.changeReviewer),
    handle: taking(changeReviewer, 'Reviewer changed successfully.'),
  }),
];
