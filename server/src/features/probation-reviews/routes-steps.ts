import { probationSteps as steps, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done } from '../../http/replies.ts';
import { stepHandlerWith } from '../../workflow/step.ts';
import { readReview } from './queries.ts';
import { stepOf } from './step.ts';
import { create } from './steps/create.ts';
import { acknowledge, approve, revert, share } from './steps/decide.ts';
import { cancel, changeReviewer, remove, sendBack } from './steps/hr.ts';
import { recordAcknowledgement } from './steps/record-acknowledgement.ts';
import { recall, saveDraft, submit } from './steps/review.ts';

const stepHandler = stepHandlerWith(readReview);

export const reviewStepRoutes = [
  bind(steps.create, {
    handle: async (ctx) => done(await readReview(ctx, await create(ctx, ctx.body)), text('probation.created')),
  }),
  bind(steps.update, { ...stepOf(steps.update), handle: stepHandler(saveDraft, text('reviews.draft_saved')) }),
  bind(steps.submit, { ...stepOf(steps.submit), handle: stepHandler(submit, text('reviews.submitted')) }),
  bind(steps.recall, { ...stepOf(steps.recall), handle: stepHandler(recall, text('probation.recalled')) }),
  bind(steps.sendBack, { ...stepOf(steps.sendBack), handle: stepHandler(sendBack, text('probation.sent_back')) }),
  bind(steps.approve, { ...stepOf(steps.approve), handle: stepHandler(approve, text('probation.decided')) }),
  bind(steps.share, { ...stepOf(steps.share), handle: stepHandler(share, text('probation.shared')) }),
  bind(steps.acknowledge, {
    ...stepOf(steps.acknowledge),
    handle: stepHandler(acknowledge, text('probation.acknowledged')),
  }),
  bind(steps.recordAcknowledgement, {
    ...stepOf(steps.recordAcknowledgement),
    handle: stepHandler(recordAcknowledgement, text('probation.acknowledgement_recorded')),
  }),
  bind(steps.cancel, { ...stepOf(steps.cancel), handle: stepHandler(cancel, text('probation.cancelled')) }),
  bind(steps.revert, { ...stepOf(steps.revert), handle: stepHandler(revert, text('probation.reverted')) }),
  bind(steps.changeReviewer, {
    ...stepOf(steps.changeReviewer),
    handle: stepHandler(changeReviewer, text('reviews.reviewer_changed')),
  }),
  bind(steps.delete, { ...stepOf(steps.delete), handle: remove }),
];
