import { probationSteps as steps, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done } from '../../http/replies.ts';
import { takingWith } from '../../workflow/step.ts';
import { readReview } from './queries.ts';
import { stepOf } from './step.ts';
import { create } from './steps/create.ts';
import { acknowledge, approve, revert, share } from './steps/decide.ts';
import { cancel, changeReviewer, remove, sendBack } from './steps/hr.ts';
import { recordAcknowledgement } from './steps/record-acknowledgement.ts';
import { recall, saveDraft, submit } from './steps/review.ts';

const taking = takingWith(readReview);

export const reviewStepRoutes = [
  bind(steps.create, {
    handle: async (ctx) => done(await readReview(ctx, await create(ctx, ctx.body)), text('probation.created')),
  }),
  bind(steps.update, { ...stepOf(steps.update), handle: taking(saveDraft, text('reviews.draft_saved')) }),
  bind(steps.submit, { ...stepOf(steps.submit), handle: taking(submit, text('reviews.submitted')) }),
  bind(steps.recall, { ...stepOf(steps.recall), handle: taking(recall, text('probation.recalled')) }),
  bind(steps.sendBack, { ...stepOf(steps.sendBack), handle: taking(sendBack, text('probation.sent_back')) }),
  bind(steps.approve, { ...stepOf(steps.approve), handle: taking(approve, text('probation.decided')) }),
  bind(steps.share, { ...stepOf(steps.share), handle: taking(share, text('probation.shared')) }),
  bind(steps.acknowledge, {
    ...stepOf(steps.acknowledge),
    handle: taking(acknowledge, text('probation.acknowledged')),
  }),
  bind(steps.recordAcknowledgement, {
    ...stepOf(steps.recordAcknowledgement),
    handle: taking(recordAcknowledgement, text('probation.acknowledgement_recorded')),
  }),
  bind(steps.cancel, { ...stepOf(steps.cancel), handle: taking(cancel, text('probation.cancelled')) }),
  bind(steps.revert, { ...stepOf(steps.revert), handle: taking(revert, text('probation.reverted')) }),
  bind(steps.changeReviewer, {
    ...stepOf(steps.changeReviewer),
    handle: taking(changeReviewer, text('reviews.reviewer_changed')),
  }),
  bind(steps.delete, { ...stepOf(steps.delete), handle: remove }),
];
