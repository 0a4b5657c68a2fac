import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, instant, item, page, PersonRef, Ref, stamps } from './envelope.ts';
import { boolean, date, decimal, id, oneOf, reason, revision, text } from './fields.ts';
import { ItemShape } from './kpi-templates.ts';
import { filters, listQuery } from './lists.ts';

export const evaluationStatuses = [
  'self_assessment',
  'manager_review',
  'hr_review',
  'pending_acceptance',
  'accepted',
  'disputed',
  'completed',
  'cancelled',
] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];
export const performanceFlags = ['pip', 'standard', 'hipo'] as const;
export const disputeResults = ['maintained', 'modified', 'returned'] as const;

const words = z.string().max(5_000).nullable();
const score = z.number().nullable();

/** How a figure came about, step by step. Weights in percent; a contribution is weight × score / counted weight. */
export const ScoreExplanation = z.object({
  side: z.enum(['self', 'manager', 'final']),
  items: z.array(
    z.object({
      item_id: z.int(),
      name: z.string().max(200),
      weight: z.number(),
      score,
      not_applicable: z.boolean(),
      achievement_pct: z.number().nullable(),
      contribution: z.number().nullable(),
    }),
  ),
  /** The weight of the items that count. */
  weight_counted: z.number(),
  /** The sum of the contributions. */
  sum: score,
  score,
  percentage: score,
  /** Where the scores of both sides are mixed. */
  blend: z
    .object({
      manager_score: score,
      manager_weight_pct: z.int(),
      manager_contribution: z.number(),
      self_score: score,
      self_weight_pct: z.int(),
      self_contribution: z.number(),
      score,
    })
    .nullable(),
  band: z.enum(['A', 'B', 'C', 'D']).nullable(),
  suggested_flag: z.enum(performanceFlags).nullable(),
  /** Every item has a score or does not apply. */
  complete: z.boolean(),
});
export type ScoreExplanation = z.output<typeof ScoreExplanation>;

/** Fields that come with a step stay absent until the reader may see that step. */
export const EvaluationItem = z.object({
  id: z.int(),
  template_item_id: z.int(),
  ...ItemShape,
  evidence_count: z.int(),
  not_applicable: z.boolean(),
  self_score: score.optional(),
  self_comment: words.optional(),
  self_actual_value: score.optional(),
  manager_score: score.optional(),
  manager_comment: words.optional(),
  manager_actual_value: score.optional(),
  achievement_pct: score.optional(),
  final_score: score.optional(),
  final_note: words.optional(),
});
export type EvaluationItem = z.output<typeof EvaluationItem>;

export const KpiEvaluationRow = z.object({
  id: z.int(),
  cycle_id: z.int(),
  cycle: Ref,
  employee_id: z.int(),
  employee: PersonRef,
  entity_id: z.int(),
  entity: Ref,
  department_id: z.int(),
  department: Ref,
  job_title: z.string().max(150).nullable(),
  reviewer_id: z.int().nullable(),
  reviewer: PersonRef.nullable(),
  template_id: z.int(),
  template_name: z.string().max(150),
  template_version: z.int(),
  scale_min: z.int(),
  scale_max: z.int(),
  score_step: z.number(),
  status: z.enum(evaluationStatuses),
  status_changed_at: instant,
  due_on: day.nullable(),
  self_overall_score: score.optional(),
  overall_score: score.optional(),
  overall_percentage: score.optional(),
  overall_achievement_pct: score.optional(),
  suggested_flag: z.enum(performanceFlags).nullable().optional(),
  performance_flag: z.enum(performanceFlags).nullable().optional(),
  flag_reason: words.optional(),
  self_skipped: z.boolean(),
  dispute_returned: z.boolean(),
  acceptance_due_on: day.nullable(),
  acceptance_mode: z.enum(['employee', 'deemed_hr', 'deemed_job']).nullable(),
  self_submitted_at: instant.nullable(),
  manager_submitted_at: instant.nullable(),
  manager_submitted_by: ActorRef.nullable(),
  hr_submitted_at: instant.nullable(),
  hr_submitted_by: ActorRef.nullable(),
  responded_at: instant.nullable(),
  completed_at: instant.nullable(),
  stage_open_until: day.nullable(),
  round: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type KpiEvaluationRow = z.output<typeof KpiEvaluationRow>;

export const KpiEvaluation = KpiEvaluationRow.extend({
  self_comment: words.optional(),
  manager_comment: words.optional(),
  strengths: words.optional(),
  improvements: words.optional(),
  hr_comment: words.optional(),
  skip_reason: words,
  return_reason: words,
  reopen_reason: words,
  close_reason: words,
  closed_by: ActorRef.nullable(),
  cancel_reason: words,
  cancelled_from: z.enum(evaluationStatuses).nullable(),
  cancelled_at: instant.nullable(),
  dispute_reason: words,
  dispute_result: z.enum(disputeResults).nullable(),
  dispute_resolution: words,
  dispute_resolved_at: instant.nullable(),
  dispute_resolved_by: ActorRef.nullable(),
  extension: z
    .object({
      requested_at: instant,
      reason: z.string().max(5_000),
      status: z.enum(['pending', 'approved', 'rejected']),
      until: day.nullable(),
      decided_at: instant.nullable(),
      decided_by: ActorRef.nullable(),
      note: words,
      requests_count: z.int(),
    })
    .nullable(),
  /** Whether the window of the present step is open today for those it binds, and which days bound it. */
  window: z.object({ opens_on: day.nullable(), closes_on: day.nullable(), is_open: z.boolean() }),
  items: z.array(EvaluationItem),
  /** The figures of each side the reader may see; a side in work is explained over what is scored so far. */
  explain: z.object({ self: ScoreExplanation.optional(), result: ScoreExplanation.optional() }),
  /** The result of the cycle before, for whoever sees this person's results. */
  previous: z
    .object({ id: z.int(), cycle: Ref, overall_score: score, overall_percentage: score })
    .nullable()
    .optional(),
});
export type KpiEvaluation = z.output<typeof KpiEvaluation>;

export const EvaluationActivity = z.object({
  id: z.int(),
  at: instant,
  actor: ActorRef,
  action: z.string().max(60),
  from: z.enum(evaluationStatuses).nullable(),
  to: z.enum(evaluationStatuses),
  reason: words,
  round: z.int(),
  /** The result that was given up, for whoever may see results. */
  snapshot: z
    .object({
      self_overall_score: score,
      overall_score: score,
      overall_percentage: score,
      suggested_flag: z.string().max(20).nullable(),
      performance_flag: z.string().max(20).nullable(),
      items: z.array(z.object({ id: z.int(), name: z.string().max(200), final_score: score, manager_score: score })),
    })
    .nullable(),
});
export type EvaluationActivity = z.output<typeof EvaluationActivity>;

const query = listQuery(
  [
    'updated_at',
    'employee_name',
    'department_name',
    'status',
    'due_on',
    'overall_score',
    'overall_percentage',
    'created_at',
  ],
  {
    cycle_id: filters.ids(),
    department_id: filters.ids(),
    entity_id: filters.ids(),
    status: filters.oneOf(evaluationStatuses),
    reviewer_id: filters.ids(),
    employee_id: filters.ids(),
    performance_flag: filters.oneOf(performanceFlags),
    /** One of the bands of the distribution. */
    band: filters.oneOf(['A', 'B', 'C', 'D']),
    mine: filters.flag(),
    to_review: filters.flag(),
    overdue: filters.flag(),
  },
);

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
const read = { method: 'GET', permission: 'kpi-evaluation.view', scope: 'scoped', status: 200 } as const;
const act = { method: 'POST', scope: 'relationship', reply, status: 200 } as const;
const asSubject = { ...act, permission: 'kpi-evaluation.view' } as const;
const asHr = { ...act, permission: 'kpi-evaluation.hr-review' } as const;
const reviewing = ['kpi-evaluation.review', 'kpi-evaluation.update'] as const;
const because = z.object({ reason: reason(), ...revision });

export const kpiEvaluations = {
  list: endpoint({
    ...read,
    path: '/kpi-evaluations',
    summary: 'List KPI evaluations',
    query,
    reply: page(KpiEvaluationRow),
  }),
  filterOptions: endpoint({
    ...read,
    path: '/kpi-evaluations/filter-options',
    summary: 'What the list of KPI evaluations can be filtered by',
    query: z.object({ cycle_id: filters.ids() }),
    reply: item(
      z.object({
        cycles: z.array(Ref),
        departments: z.array(Ref),
        reviewers: z.array(PersonRef),
        statuses: z.array(z.enum(evaluationStatuses)),
      }),
    ),
  }),
  get: endpoint({ ...read, path, summary: 'Read a KPI evaluation', reply }),
  activity: endpoint({
    ...read,
    path: `${path}/activity`,
    summary: 'List what happened to a KPI evaluation',
    query: listQuery(['at'], { action: filters.text(60) }),
    reply: page(EvaluationActivity),
  }),
};

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
    ...asSubject,
    path: `${path}/extension-request`,
    summary: 'Ask for more time',
    body: because,
  }),
  accept: endpoint({ ...asSubject, path: `${path}/accept`, summary: 'Accept the result', body: z.object(revision) }),
  dispute: endpoint({
    ...asSubject,
    path: `${path}/dispute`,
    summary: 'Dispute the result',
    body: z.object({ reason: text(5_000, 10), ...revision }),
  }),
  managerReview: endpoint({
    ...act,
    path: `${path}/manager-review`,
    summary: 'Hand in the review of the manager',
    permission: reviewing,
    body: z.object({ ...manager, items: itemsOf(managerItem), ...revision }),
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
  hrReview: endpoint({
    ...asHr,
    path: `${path}/hr-review`,
    summary: 'Finish the review of HR',
    body: z.object({
      hr_comment: text(5_000),
      performance_flag: oneOf(performanceFlags),
      flag_reason: text(5_000).nullish(),
      ...revision,
    }),
  }),
  deemAccepted: endpoint({
    ...asHr,
    path: `${path}/deem-accepted`,
    summary: 'Count a result as accepted when nobody answered in time',
    body: because,
  }),
  resolveDispute: endpoint({
    ...asHr,
    path: `${path}/resolve-dispute`,
    summary: 'Settle a dispute',
    body: z.object({
      result: oneOf(disputeResults),
      resolution: text(5_000, 10),
      until: date().nullish(),
      items: itemsOf({ id: id(), final_score: answer, final_note: text(5_000).nullish() }),
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
        refused: z.array(z.object({ id: z.int(), reason: z.string().max(500) })),
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
