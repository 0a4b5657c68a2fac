import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, instant, item, page, PersonRef, Ref, stamps } from './envelope.ts';
import { integer } from './fields.ts';
import { filters, listQuery, readableExportQuery } from './lists.ts';
import { ProbationSignature } from './probation-signatures.ts';
import { tables, uploadLimits } from './files.ts';
import { storedReason } from './message-field.ts';

/** The states of a review that is not decided yet. */
export const openProbationStatuses = ['pending', 'submitted', 'sent_back'] as const;
export const probationStatuses = [...openProbationStatuses, 'approved', 'cancelled', 'reverted'] as const;
export type ProbationStatus = (typeof probationStatuses)[number];
export const probationOutcomes = ['confirm', 'extend', 'terminate'] as const;
export type ProbationOutcome = (typeof probationOutcomes)[number];
/** Kinds of reviews: after 30 days and at the midpoint, which decide nothing, and the final one, which decides. */
export const probationMilestones = ['day_30', 'midpoint', 'final'] as const;
export type ProbationMilestone = (typeof probationMilestones)[number];
/** The longest extension that a review recommends or decides, in months. */
export const longestExtension = 6;
/** Possible problems of a probation that is about to end. */
export const probationProblems = ['no_end_date', 'no_reviewer', 'no_review', 'overdue'] as const;

const words = z.string().max(5_000).nullable().optional();
const reason = storedReason().nullable();
const months = z.int().min(1).max(longestExtension).nullable().optional();
const outcome = z.enum(probationOutcomes).nullable().optional();

/** Weights in percent that add up to exactly 100.00. */
export const ProbationCriterion = z.object({
  name: z.string().max(200),
  weight: z.number(),
  rating: z.int().nullable(),
  comment: z.string().max(5_000).nullable(),
  /** What HR asks reviewers to look at; absent if there is nothing. */
  guidance: z.string().max(1_000).optional(),
});
export type ProbationCriterion = z.output<typeof ProbationCriterion>;

/** The sheet signed by an employee without an account. */
export const SignedSheet = z.object({
  file_name: z.string().max(255),
  mime_type: z.string().max(100),
  size: z.int(),
  checksum: z.string().max(64),
  scan_status: z.enum(['not_scanned', 'pending', 'clean', 'infected', 'error']),
  download_url: z.string().max(255),
});
export type SignedSheet = z.output<typeof SignedSheet>;

/** Fields of a step are absent until the reader may see that step. */
export const ProbationReviewRow = z.object({
  id: z.int(),
  employee_id: z.int(),
  employee: PersonRef,
  entity_id: z.int(),
  entity: Ref,
  department_id: z.int(),
  department: Ref,
  probation_start_date: day.nullable(),
  probation_end_date: day,
  reviewer_id: z.int().nullable(),
  reviewer: PersonRef.nullable(),
  milestone: z.enum(probationMilestones),
  sequence: z.int(),
  previous_review_id: z.int().nullable(),
  review_date: day.nullable(),
  due_date: day,
  /** Today in the company of the review. */
  today: day,
  status: z.enum(probationStatuses),
  status_changed_at: instant,
  round: z.int(),
  revision: z.int(),
  performance_rating: z.int().nullable().optional(),
  criteria_score: z.number().nullable().optional(),
  recommendation: outcome,
  extension_months: months,
  outcome,
  outcome_extension_months: months,
  /** The last day of the probation after the extension. */
  extended_until: day.nullable().optional(),
  effective_date: day.nullable().optional(),
  submitted_at: instant.nullable(),
  decided_at: instant.nullable(),
  decided_by: ActorRef.nullable().optional(),
  employee_acknowledged_at: instant.nullable().optional(),
  reverted_at: instant.nullable(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ProbationReviewRow = z.output<typeof ProbationReviewRow>;

export const ProbationReview = ProbationReviewRow.extend({
  criteria: z.array(ProbationCriterion).nullable().optional(),
  /** The reviewer cannot change the criteria; names and weights came from HR. */
  criteria_fixed: z.boolean().optional(),
  strengths: words,
  improvements: words,
  comments: words,
  hr_comments: words,
  send_back_reason: reason.optional(),
  cancel_reason: reason.optional(),
  revert_reason: reason.optional(),
  /** False for employees without an account, whose acknowledgement the reviewer or HR records. */
  person_signs_in: z.boolean(),
  employee_comment: words,
  /** The day of the meeting about the result, and who recorded the acknowledgement; null if the employee did. */
  talked_on: day.nullable().optional(),
  acknowledgement_recorded_by: ActorRef.nullable().optional(),
  sheet: SignedSheet.nullable().optional(),
  signatures: z.array(ProbationSignature).optional(),
  /** First day of a pause of the probation, during which nothing can be submitted or decided. */
  paused_from: day.nullable().optional(),
  /** How often the probation was extended, and the most it may be; for those who may write or decide. */
  extensions: z.object({ count: z.int(), maximum: z.int() }).optional(),
});
export type ProbationReview = z.output<typeof ProbationReview>;

export const UpcomingProbation = z.object({
  employee: PersonRef,
  entity: Ref,
  department: Ref,
  probation_end_date: day.nullable(),
  /** If negative, that many days past the end. */
  days_left: z.int().nullable(),
  extension_count: z.int(),
  /** First day of a pause; nothing is due until the probation resumes. */
  paused_from: day.nullable(),
  review: z.object({ id: z.int(), status: z.enum(probationStatuses) }).nullable(),
  reviewer: PersonRef.nullable(),
  problems: z.array(z.enum(probationProblems)),
  /** `extend`: the reader may set the end of the probation. */
  allowed_actions: allowedActions,
});
export type UpcomingProbation = z.output<typeof UpcomingProbation>;

export const ProbationActivity = z.object({
  id: z.int(),
  at: instant,
  actor: ActorRef,
  /** The absent reviewer for whom the actor acted as deputy. */
  acting_for: z.string().max(255).nullable(),
  action: z.string().max(60),
  from: z.enum(probationStatuses).nullable(),
  to: z.enum(probationStatuses),
  reason,
  round: z.int(),
  /** The review before it was reopened, for readers who see it in full. */
  snapshot: z.record(z.string().max(60), z.unknown()).nullable(),
});
export type ProbationActivity = z.output<typeof ProbationActivity>;

const query = listQuery(['due_date', 'probation_end_date', 'employee_name', 'status', 'created_at', 'updated_at'], {
  status: filters.oneOf(probationStatuses),
  entity_id: filters.ids(),
  department_id: filters.ids(),
  employee_id: filters.ids(),
  /** 0: those without a reviewer. */
  reviewer_id: filters.ids(),
  recommendation: filters.oneOf(probationOutcomes),
  outcome: filters.oneOf(probationOutcomes),
  due_before: filters.day(),
  decided_from: filters.day(),
  decided_to: filters.day(),
  /** To be written by the user. */
  to_do: filters.flag(),
});

const path = '/probation-reviews/:id';
const read = { method: 'GET', permission: 'probation-review.view', scope: 'scoped', status: 200 } as const;

export const probationReviews = {
  list: endpoint({
    ...read,
    path: '/probation-reviews',
    summary: 'List probation reviews',
    query,
    reply: page(ProbationReviewRow),
  }),
  export: endpoint({
    ...read,
    path: '/probation-reviews/export',
    summary: 'Export probation reviews',
    permission: 'probation-review.export',
    query: readableExportQuery(query),
    file: tables,
    budget: 'export',
  }),
  get: endpoint({ ...read, path, summary: 'Read a probation review', reply: item(ProbationReview) }),
  sheet: endpoint({
    ...read,
    path: `${path}/sheet`,
    summary: 'Download the sheet that an employee without a sign-in signed',
    file: uploadLimits.attachment.types,
  }),
  activity: endpoint({
    ...read,
    path: `${path}/activity`,
    summary: 'List what happened to a probation review',
    query: listQuery(['at'], { action: filters.text(60) }),
    reply: page(ProbationActivity),
  }),
};

export const probationEndings = {
  upcoming: endpoint({
    ...read,
    path: '/probation-reviews/upcoming',
    summary: 'List people whose probation ends',
    query: listQuery(['probation_end_date', 'employee_name', 'days_left'], {
      /** How far ahead, 1 to 365; those past their end are always included. */
      days: integer(1, 365).nullish(),
      entity_id: filters.ids(),
      department_id: filters.ids(),
      problem: filters.oneOf(probationProblems),
    }),
    reply: page(UpcomingProbation),
  }),
};
