import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { date, decimal, id, integer, oneOf, reason, revision, text } from './fields.ts';
import { longestExtension, probationMilestones, probationOutcomes, ProbationReview } from './probation-reviews.ts';
import { SignatureInput } from './probation-signatures.ts';

/** The steps of a probation review: drafts, and every transition. */

const words = text(5_000).nullish();
const months = integer(1, longestExtension).nullish();
const criterion = z.object({
  name: text(200, 2),
  weight: decimal(0.01, 100, 2),
  rating: integer(1, 5).nullish(),
  comment: words,
});
/** What the reviewer writes. */
const assessment = {
  performance_rating: integer(1, 5).nullish(),
  criteria: z.array(criterion).max(20).nullish(),
  strengths: words,
  improvements: words,
  comments: words,
  recommendation: oneOf(probationOutcomes).nullish(),
  extension_months: months,
};
const dates = { review_date: date().nullish(), due_date: date().optional() };
const signature = SignatureInput.nullish();

const path = '/probation-reviews/:id';
const reply = item(ProbationReview);
const act = { method: 'POST', scope: 'relationship', reply, status: 200 } as const;
/** What a person declares or decides in their own name; programs cannot. */
const inPerson = { ...act, accepts: 'session' } as const;
const asReviewer = { ...inPerson, permission: 'probation-review.submit' } as const;
const asHr = { ...act, permission: 'probation-review.approve' } as const;

export const probationSteps = {
  create: endpoint({
    ...act,
    path: '/probation-reviews',
    summary: 'Open a probation review',
    permission: 'probation-review.create',
    body: z.object({
      employee_id: id(),
      milestone: oneOf(probationMilestones).optional(),
      reviewer_id: id().nullish(),
      ...dates,
    }),
    status: 201,
  }),
  update: endpoint({
    ...act,
    method: 'PUT',
    path,
    summary: 'Save the draft of a probation review, or its dates',
    permission: ['probation-review.submit', 'probation-review.create'],
    body: z.object({ ...assessment, ...dates, ...revision }),
  }),
  submit: endpoint({
    ...asReviewer,
    path: `${path}/submit`,
    summary: 'Hand in a probation review',
    body: z.object({ ...assessment, signature, ...revision }),
  }),
  recall: endpoint({
    ...asReviewer,
    path: `${path}/recall`,
    summary: 'Take a probation review back before it is decided',
    body: z.object({ reason: text(500).nullish(), ...revision }),
  }),
  sendBack: endpoint({
    ...asHr,
    path: `${path}/send-back`,
    summary: 'Send a probation review back to the reviewer',
    body: z.object({ reason: reason(), ...revision }),
  }),
  approve: endpoint({
    ...asHr,
    ...inPerson,
    path: `${path}/approve`,
    summary: 'Decide a probation',
    body: z.object({
      outcome: oneOf(probationOutcomes).optional(),
      outcome_extension_months: months,
      effective_date: date().nullish(),
      hr_comments: words,
      signature: SignatureInput,
      ...revision,
    }),
  }),
  share: endpoint({
    ...asHr,
    path: `${path}/share`,
    summary: 'Share a probation review on the way with the employee',
    body: z.object({ hr_comments: words, ...revision }),
  }),
  acknowledge: endpoint({
    ...inPerson,
    path: `${path}/acknowledge`,
    summary: 'Acknowledge the result of the own probation',
    permission: 'probation-review.view',
    body: z.object({ comment: words, signature, ...revision }),
  }),
  recordAcknowledgement: endpoint({
    ...inPerson,
    path: `${path}/record-acknowledgement`,
    summary: 'Record the acknowledgement of an employee without a sign-in, with the signed sheet',
    permission: ['probation-review.submit', 'probation-review.approve'],
    upload: 'sheet',
    body: z.object({
      talked_on: date(),
      /** What the employee wrote on the sheet. */
      comment: words,
      ...revision,
    }),
  }),
  cancel: endpoint({
    ...act,
    path: `${path}/cancel`,
    summary: 'Cancel a probation review',
    permission: 'probation-review.cancel',
    body: z.object({ reason: reason(), ...revision }),
  }),
  revert: endpoint({
    ...inPerson,
    path: `${path}/revert`,
    summary: 'Take the decision of a probation back',
    permission: 'probation-review.revert',
    body: z.object({ probation_end_date: date(), reason: reason(), ...revision }),
  }),
  changeReviewer: endpoint({
    ...act,
    method: 'PUT',
    path: `${path}/reviewer`,
    summary: 'Change the reviewer of a probation review',
    permission: 'probation-review.create',
    body: z.object({ reviewer_id: id(), ...revision }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Remove a probation review that is still empty',
    permission: 'probation-review.cancel',
    scope: 'relationship',
    status: 204,
  }),
};
