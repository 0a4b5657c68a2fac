import { probationSteps as steps } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done } from '../../http/replies.ts';
import { takingWith } from '../../workflow/step.ts';
import { readReview } from './queries.ts';
import { stepOf } from './step.ts';
import { create } from './steps/create.ts';
import { acknowledge, approve, revert } from './steps/decide.ts';
import { cancel, changeReviewer, remove, sendBack } from './steps/hr.ts';
import { recall, saveDraft, submit } from './steps/review.ts';

const taking = takingWith(readReview);

export const reviewStepRoutes = [
  bind(steps.create, {
    handle: async (ctx) =>
      done(await readReview(ctx, await create(ctx, ctx.body)), 'Probation review created successfully.'),
  }),
  bind(steps.update, { ...stepOf(steps.update), handle: taking(saveDraft, 'Draft saved successfully.') }),
  bind(steps.submit, { ...stepOf(steps.submit), handle: taking(submit, 'Review submitted successfully.') }),
  bind(steps.recall, { ...stepOf(steps.recall), handle: taking(recall, 'Review recalled successfully.') }),
  bind(steps.sendBack, { ...stepOf(steps.sendBack), handle: taking(sendBack, 'Review sent back successfully.') }),
  bind(steps.approve, { ...stepOf(steps.approve), handle: taking(approve, 'Probation decided successfully.') }),
  bind(steps.acknowledge, {
    ...stepOf(steps.acknowledge),
    handle: taking(acknowledge, 'Result acknowledged successfully.'),
  }),
  bind(steps.cancel, { ...stepOf(steps.cancel), handle: taking(cancel, 'Review cancelled successfully.') }),
  bind(steps.revert, { ...stepOf(steps.revert), handle: taking(revert, 'Decision taken back successfully.') }),
  bind(steps.changeReviewer, {
    ...stepOf(steps.changeReviewer),
    handle: taking(changeReviewer, 'Reviewer changed successfully.'),
  }),
  bind(steps.delete, { ...stepOf(steps.delete), handle: remove }),
];
