import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { boolean, date, decimal, id, oneOf, reason, revision, text } from './fields.ts';
import { disputeResults, KpiEvaluation } from './kpi-evaluations.ts';
import { performanceFlags } from './score-explanation.ts';
import { messageField } from './message-field.ts';

/** The steps of an evaluation: drafts, and every transition. */

const answer = decimal(0, 10, 2);
const actual = decimal(-999_999_999_999, 999_999_999_999, 2);
const self = {
  self_comment: text(5_000).nullish(),
};
const manager = {
  manager_comment: text(5_000).nullish(),
  strengths: text(5_000).nullish(),
  improvements: text(5_000).nullish(),
};
const hr = {
  hr_comment: text(5_000).nullish(),
  performance_flag: oneOf(performanceFlags).nullish(),
  flag_reason: text(5_000).nullish(),
};
const selfItem = {
  id: id(),
  self_score: answer.nullish(),
  self_comment: text(5_000).nullish(),
  self_actual_value: actual.nullish(),
  not_applicable: boolean().optional(),
};
const managerItem = {
  id: id(),
  manager_score: answer.nullish(),
  manager_comment: text(5_000).nullish(),
  manager_actual_value: actual.nullish(),
  not_applicable: boolean().optional(),
};
const itemsOf = <T extends z.ZodRawShape>(shape: T) => z.array(z.object(shape)).max(50).optional();

const path = '/kpi-evaluations/:id';
const reply = item(KpiEvaluation);
const act = { method: 'POST', scope: 'relationship', reply, status: 200 } as const;
/** What a person declares or decides in their own name; programs cannot. */
const inPerson = { ...act, accepts: 'session' } as const;
const asSubject = { ...inPerson, permission: 'kpi-evaluation.view' } as const;
const asHr = { ...act, permission: 'kpi-evaluation.hr-review' } as const;
const reviewing = ['kpi-evaluation.review', 'kpi-evaluation.update'] as const;
const because = z.object({ reason: reason(), ...revision });

export const evaluationSteps = {
  update: endpoint({
    method: 'PUT',
    path,
    summary: 'Save the draft of the present step',
    permission: 'kpi-evaluation.view',
    scope: 'relationship',
    body: z.object({
      ...self,
      ...manager,
      ...hr,
      items: itemsOf({ ...selfItem, ...managerItem }),
      ...revision,
    }),
    reply,
    status: 200,
  }),
  selfAssessment: endpoint({
    ...asSubject,
    path: `${path}/self-assessment`,
    summary: 'Hand in the self-assessment',
    body: z.object({ ...self, items: itemsOf(selfItem), ...revision }),
  }),
  requestExtension: endpoint({
    ...act,
    path: `${path}/extension-request`,
    summary: 'Ask for more time',
    permission: ['kpi-evaluation.view', 'kpi-evaluation.review'],
    body: because,
  }),
  accept: endpoint({ ...asSubject, path: `${path}/accept`, summary: 'Accept the result', body: z.object(revision) }),
  dispute: endpoint({
    ...asSubject,
    path: `${path}/dispute`,
    summary: 'Dispute the result',
    body: z.object({ reason: text(5_000, 10), ...revision }),
  }),
  recordAnswer: endpoint({
    ...inPerson,
    path: `${path}/record-answer`,
    summary: 'Record the answer of an employee without a sign-in, with the signed sheet',
    permission: ['kpi-evaluation.review', 'kpi-evaluation.hr-review'],
    upload: 'evidence',
    body: z.object({
      outcome: oneOf(['accepted', 'disputed']),
      talked_on: date(),
      /** What the employee disputes; only for a dispute. */
      reason: text(5_000, 10).nullish(),
      ...revision,
    }),
  }),
  managerReview: endpoint({
    ...inPerson,
    path: `${path}/manager-review`,
    summary: 'Hand in the review of the manager',
    permission: reviewing,
    body: z.object({ ...manager, items: itemsOf(managerItem), ...revision }),
  }),
  formerDraft: endpoint({
    ...act,
    path: `${path}/former-draft`,
    summary: 'Take over or discard the draft of the former reviewer',
    permission: reviewing,
    body: z.object({ decision: oneOf(['take', 'discard']), ...revision }),
  }),
  return: endpoint({
    ...act,
    path: `${path}/return`,
    summary: 'Send an evaluation back to the step before',
    permission: [...reviewing, 'kpi-evaluation.hr-review'],
    body: z.object({ reason: reason(), until: date().nullish(), ...revision }),
  }),
  skipSelfAssessment: endpoint({
    ...asHr,
    path: `${path}/skip-self-assessment`,
    summary: 'Go on without self-assessment',
    body: because,
  }),
  decideExtension: endpoint({
    ...asHr,
    path: `${path}/extension-decision`,
    summary: 'Grant or refuse more time',
    body: z.object({
      decision: oneOf(['approved', 'rejected']),
      until: date().nullish(),
      note: text(5_000).nullish(),
      ...revision,
    }),
  }),
  extend: endpoint({
    ...asHr,
    path: `${path}/extend`,
    summary: 'Give the present step a later due day',
    body: z.object({ until: date(), reason: reason().nullish(), ...revision }),
  }),
  hrReview: endpoint({
    ...asHr,
    ...inPerson,
    path: `${path}/hr-review`,
    summary: 'Finish the review of HR',
    body: z.object({
      /** Required, unless the cycle allows results without a flag to go without. */
      hr_comment: text(5_000).nullish(),
      performance_flag: oneOf(performanceFlags),
      flag_reason: text(5_000).nullish(),
      ...revision,
    }),
  }),
  deemAccepted: endpoint({
    ...asHr,
    ...inPerson,
    path: `${path}/deem-accepted`,
    summary: 'Count a result as accepted that was not answered in time',
    body: because,
  }),
  resolveDispute: endpoint({
    ...asHr,
    ...inPerson,
    path: `${path}/resolve-dispute`,
    summary: 'Settle a dispute',
    body: z.object({
      result: oneOf(disputeResults),
      resolution: text(5_000, 10),
      until: date().nullish(),
      items: itemsOf({
        id: id(),
        /** Computed by the service for a corrected actual value. */
        final_score: answer.nullish(),
        /** Corrects the actual value of a measured item. */
        final_actual_value: managerItem.manager_actual_value,
        final_note: text(5_000).nullish(),
      }),
      ...revision,
    }),
  }),
  close: endpoint({ ...asHr, path: `${path}/close`, summary: 'Complete an evaluation', body: z.object(revision) }),
  bulkClose: endpoint({
    method: 'POST',
    path: '/kpi-evaluations/bulk-close',
    summary: 'Complete many accepted evaluations',
    permission: 'kpi-evaluation.hr-review',
    scope: 'relationship',
    body: z.object({ evaluation_ids: z.array(id()).min(1).max(500) }),
    reply: item(
      z.object({
        closed: z.array(z.int()),
        refused: z.array(z.object({ id: z.int(), reason: messageField() })),
      }),
    ),
    status: 200,
  }),
  forceClose: endpoint({
    ...act,
    path: `${path}/force-close`,
    summary: 'Complete an evaluation before its time',
    permission: 'kpi-evaluation.force-close',
    body: because,
  }),
  cancel: endpoint({
    ...act,
    path: `${path}/cancel`,
    summary: 'Cancel an evaluation',
    permission: 'kpi-evaluation.force-close',
    body: because,
  }),
  restore: endpoint({
    ...act,
    path: `${path}/restore`,
    summary: 'Bring a cancelled evaluation back',
    permission: 'kpi-evaluation.reopen',
    body: because,
  }),
  reopen: endpoint({
    ...act,
    path: `${path}/reopen`,
    summary: 'Open a completed evaluation again',
    permission: 'kpi-evaluation.reopen',
    body: because,
  }),
  changeReviewer: endpoint({
    method: 'PUT',
    path: `${path}/reviewer`,
    summary: 'Choose another reviewer',
    permission: 'kpi-evaluation.assign-reviewer',
    scope: 'relationship',
    body: z.object({ reviewer_id: id(), reason: reason().nullish(), ...revision }),
    reply,
    status: 200,
  }),
};
