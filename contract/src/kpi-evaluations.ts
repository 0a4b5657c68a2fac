import * as z from 'zod';
import { AbsenceDays } from './absences.ts';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, instant, item, page, PersonRef, Ref, stamps } from './envelope.ts';
import { tables } from './files.ts';
import { EvaluationPart, WholeResult } from './evaluation-parts.ts';
import { ItemShape, scaleWords } from './kpi-templates.ts';
import { FormerDraft } from './former-draft.ts';
import { filters, listQuery, readableExportQuery } from './lists.ts';
import { performanceFlags, Proration, ScoreExplanation } from './score-explanation.ts';
import { storedReason } from './message-field.ts';

/** The states of an evaluation that is not finished, in the order of the work. */
export const openEvaluationStatuses = [
  'self_assessment',
  'manager_review',
  'hr_review',
  'pending_acceptance',
  'accepted',
  'disputed',
] as const;
export const endedEvaluationStatuses = ['completed', 'cancelled'] as const;
export const evaluationStatuses = [...openEvaluationStatuses, ...endedEvaluationStatuses] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];
export const disputeResults = ['maintained', 'modified', 'returned'] as const;

const words = z.string().max(5_000).nullable();
const reason = storedReason().nullable();
const score = z.number().nullable();

/** Fields of a step are absent until the reader may see that step. */
export const EvaluationItem = z.object({
  id: z.int(),
  template_item_id: z.int(),
  ...ItemShape,
  /** The target in proportion to the person's days in the cycle; null if the full target counts. */
  proration: Proration.nullable(),
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
  /** The actual value as corrected by HR when resolving a dispute. */
  final_actual_value: score.optional(),
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
  /** Null if the evaluation covers the whole cycle. */
  part: EvaluationPart.nullable(),
  status: z.enum(evaluationStatuses),
  status_changed_at: instant,
  due_on: day.nullable(),
  today: day, // in the company of the evaluation
  self_overall_score: score.optional(),
  overall_score: score.optional(),
  overall_percentage: score.optional(),
  /** The name of a completed evaluation's band. */
  band_name: z.string().max(40).nullable().optional(),
  overall_achievement_pct: score.optional(),
  suggested_flag: z.enum(performanceFlags).nullable().optional(),
  performance_flag: z.enum(performanceFlags).nullable().optional(),
  flag_reason: words.optional(),
  self_skipped: z.boolean(),
  dispute_returned: z.boolean(),
  /** The last day to answer; null before the result is released, and while an absent person's return is unknown. */
  acceptance_due_on: day.nullable(),
  /** The employee's current absence, for the employee and HR. */
  absence: AbsenceDays.nullable().optional(),
  /** `recorded`: by the reviewer or HR, for an employee without an account. */
  acceptance_mode: z.enum(['employee', 'recorded', 'deemed_hr', 'deemed_job']).nullable(),
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
  scale_words: scaleWords,
  /** The days of the cycle, and those on which the person is employed; null without a prorated item or parts. */
  cycle_days: z.int().nullable(),
  employed_days: z.int().nullable(),
  /** The person's parts of the cycle; null if a single evaluation covers the whole. */
  whole: WholeResult.nullable(),
  self_comment: words.optional(),
  manager_comment: words.optional(),
  strengths: words.optional(),
  improvements: words.optional(),
  hr_comment: words.optional(),
  skip_reason: reason,
  return_reason: reason,
  reopen_reason: reason,
  close_reason: reason,
  closed_by: ActorRef.nullable(),
  cancel_reason: reason,
  cancelled_from: z.enum(evaluationStatuses).nullable(),
  cancelled_at: instant.nullable(),
  /** False for employees without an account, whose answer the reviewer or HR records. */
  person_signs_in: z.boolean(),
  /** The day of the meeting about the result, and who recorded the answer. */
  talked_on: day.nullable(),
  answer_recorded_by: ActorRef.nullable(),
  dispute_reason: words,
  dispute_result: z.enum(disputeResults).nullable(),
  dispute_resolution: words,
  dispute_resolved_at: instant.nullable(),
  dispute_resolved_by: ActorRef.nullable(),
  /** The last request for more time; a reviewer's is visible to reviewer, deputies and HR. */
  extension: z
    .object({
      /** The step that the request concerns. */
      step: z.enum(['self_assessment', 'manager_review']),
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
  /** What a previous reviewer wrote but did not submit, for those who now write the review. */
  former_draft: FormerDraft.nullable(),
  /** Whether the window of the current step is open today for those it binds, and the days that limit it. */
  window: z.object({ opens_on: day.nullable(), closes_on: day.nullable(), is_open: z.boolean() }),
  /**
   * For an HR user who submitted the manager review, in a cycle that requires four eyes: whether another HR user does
   * the HR review, or no other has the employee in scope.
   */
  four_eyes: z.enum(['other_hr', 'no_other_hr']).nullable(),
  /** The cycle allows a result with the standard flag, as suggested, to go without an HR comment. */
  hr_comment_optional: z.boolean(),
  items: z.array(EvaluationItem),
  /** The figures of each side that the reader may see; for an unfinished side, those of the items scored so far. */
  explain: z.object({ self: ScoreExplanation.optional(), result: ScoreExplanation.optional() }),
  /** The result of the previous cycle, for readers of this person's results. */
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
  /** The absent reviewer for whom the actor acted as deputy. */
  acting_for: z.string().max(255).nullable(),
  action: z.string().max(60),
  from: z.enum(evaluationStatuses).nullable(),
  to: z.enum(evaluationStatuses),
  reason,
  round: z.int(),
  /** The result before the evaluation was reopened, for readers of results. */
  snapshot: z
    .object({
      self_overall_score: score,
      overall_score: score,
      overall_percentage: score,
      suggested_flag: z.string().max(20).nullable(),
      performance_flag: z.string().max(20).nullable(),
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string().max(200),
          final_score: score,
          manager_score: score,
          actual_value: score.optional(),
          achievement_pct: score.optional(),
        }),
      ),
    })
    .nullable(),
});
export type EvaluationActivity = z.output<typeof EvaluationActivity>;

const sorts = [
  'updated_at',
  'employee_name',
  'department_name',
  'status',
  'due_on',
  'overall_score',
  'overall_percentage',
  'created_at',
] as const;
const listFilters = {
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
  /** To be assessed or reviewed, but without a reviewer who can do it. */
  missing_reviewer: filters.flag(),
  /** Evaluations that cover part of their cycle. */
  in_parts: filters.flag(),
};
const query = listQuery(sorts, listFilters);
const exported = readableExportQuery(listQuery(['employee_name'], listFilters));

const path = '/kpi-evaluations/:id';
const reply = item(KpiEvaluation);
const read = { method: 'GET', permission: 'kpi-evaluation.view', scope: 'scoped', status: 200 } as const;

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
    query: z.object({
      cycle_id: filters.ids(),
      /** Words in a reviewer's name, number or email. */
      reviewer_search: filters.text(100),
      /** Selected reviewers, who are returned in addition to those found. */
      reviewer_id: filters.ids(),
    }),
    reply: item(
      z.object({
        cycles: z.array(Ref),
        departments: z.array(Ref),
        /** The first hundred by name. */
        reviewers: z.array(PersonRef),
        statuses: z.array(z.enum(evaluationStatuses)),
      }),
    ),
  }),
  export: endpoint({
    ...read,
    permission: 'kpi-cycle.export',
    path: '/kpi-evaluations/export',
    summary: 'Export the list of KPI evaluations',
    query: exported,
    file: tables,
    budget: 'export',
  }),
  get: endpoint({ ...read, path, summary: 'Read a KPI evaluation', reply }),
  pdf: endpoint({
    ...read,
    path: `${path}/pdf`,
    summary: 'A KPI evaluation as PDF, as far as its reader sees it',
    file: ['pdf'],
    budget: 'export',
  }),
  activity: endpoint({
    ...read,
    path: `${path}/activity`,
    summary: 'List what happened to a KPI evaluation',
    query: listQuery(['at'], { action: filters.text(60) }),
    reply: page(EvaluationActivity),
  }),
};
