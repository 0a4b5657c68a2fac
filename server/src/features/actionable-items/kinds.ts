import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { awayCandidates, probationReviewCandidates } from '../../people/candidates.ts';
import { decidesMoves, undecided } from '../kpi-cycles/move-scope.ts';
import { decidesIn, firstFound } from '../kpi-cycles/newly-eligible.ts';
import { notReviewedBy, reviewersOf } from '../kpi-evaluations/hr-pool.ts';
import { authorsOf, isOfAdmin, notWrittenBy } from '../probation-reviews/hr-pool.ts';
import type { Kind } from './kind.ts';
import { isResponsible } from './responsible.ts';

const evaluation = {
  subject: 'kpi_evaluation',
  from: sql`kpi_evaluations v`,
  subject_id: sql`v.id`,
  columns: { entity: sql`v.entity_id`, department: sql`v.department_id`, employee: sql`v.employee_id` },
  due: sql`v.due_on`,
  since: sql`v.status_changed_at`,
  in_order: sql`due_date, created_at, subject_id`,
  isNamed: (word: string) => sql<SqlBool>`(position(${word}::text in v.person_sort) > 0
    or v.cycle_id = any(array(select c.id from kpi_cycles c where position(${word}::text in c.name_sort) > 0)))`,
} as const;
const ableReviewer = sql`(case when v.reviewer_missing_since is null then v.reviewer_id end)`;
/** More time for the step was refused as often as it can be requested. */
const isRefused = sql<SqlBool>`(v.status in ('self_assessment', 'manager_review') and v.extension_status = 'rejected'
  and v.extension_requests >= 3 and v.extension_step = v.status)`;
/** Once the time is over, nothing can be done while HR decides whether there is more, and after the last refusal. */
const isInTime = sql<SqlBool>`(
  v.extension_status is null or v.due_on >= n.today or v.extension_status <> 'pending' and not ${isRefused})`;
const byHr = { pool: 'kpi-evaluation.hr-review', by_company: true } as const;

const cycle = {
  subject: 'kpi_cycle',
  from: sql`kpi_cycles c`,
  subject_id: sql`c.id`,
  columns: { entity: sql`c.entity_id`, department: sql`null::bigint`, employee: sql`null::bigint` },
  isNamed: (word: string) => sql<SqlBool>`position(${word}::text in c.name_sort) > 0`,
} as const;

const person = {
  subject: 'employee',
  from: sql`employees e`,
  subject_id: sql`e.id`,
  columns: { entity: sql`e.entity_id`, department: sql`e.department_id`, employee: sql`e.id` },
  isNamed: (word: string) => sql<SqlBool>`position(${word}::text in fold(e.name)) > 0`,
} as const;

const review = {
  subject: 'probation_review',
  from: sql`probation_reviews v`,
  subject_id: sql`v.id`,
  columns: { entity: sql`v.entity_id`, department: sql`v.department_id`, employee: sql`v.employee_id` },
  since: sql`v.status_changed_at`,
  isNamed: (word: string) => sql<SqlBool>`position(${word}::text in v.person_sort) > 0`,
} as const;

// looked up for each of these few
const isRunning = sql<SqlBool>`(
  select s.probation_paused_from is null from employees s where s.id = v.employee_id)`;
/** An employee who was dismissed and rehired has nothing to acknowledge. */
const isUnread = sql`v.status = 'approved' and v.employee_acknowledged_at is null
  and (v.outcome is distinct from 'terminate'
       or exists (select from employees l where l.id = v.employee_id and l.employment_lifecycle = 'terminated'))`;
/** Starts the lead days of the company before the end. */
const isNear = sql<SqlBool>`e.probation_end_date <= n.today + n.probation_lead_days`;
const hasReview = sql<SqlBool>`exists (
  select from probation_reviews v
  where v.employee_id = e.id and v.milestone = 'final' and v.status in ('pending', 'submitted', 'sent_back', 'approved')
    and (v.status <> 'approved' or v.probation_end_date = e.probation_end_date))`;

/** `n` is the company of the subject with its time zone, its local day and its probation lead days. */
export const kinds: readonly Kind[] = [
  {
    ...evaluation,
    kind: 'kpi_self_assessment',
    actions: ['update', 'self-assessment', 'extension-request'],
    while: sql`v.status = 'self_assessment'`,
    while_own: isInTime,
    assignee: { person: sql`v.employee_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_manager_review',
    deputy: 'kpi_reviews',
    actions: ['update', 'manager-review', 'return', 'extension-request'],
    // a reviewer who cannot act has nothing to do
    while: sql`v.status = 'manager_review' and v.reviewer_missing_since is null`,
    while_own: isInTime,
    assignee: { person: sql`v.reviewer_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_hr_review',
    actions: ['update', 'hr-review', 'return'],
    while: sql`v.status = 'hr_review'`,
    status: 'hr_review',
    // four eyes: what an HR user submitted is for another one, where there is one
    not_by: ({ user_id }) => [
      sql`v.id <> all(array(
        select x.id from kpi_evaluations x
        where x.status = 'hr_review' and x.manager_submitted_by = ${user_id} and kpi_four_eyes(x) = 'other_hr'))`,
    ],
    assignee: byHr,
  },
  {
    ...evaluation,
    kind: 'kpi_acceptance',
    actions: ['accept', 'dispute'],
    while: sql`v.status = 'pending_acceptance' and v.person_signs_in`,
    assignee: { person: sql`v.employee_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_record_answer',
    actions: ['record-answer'],
    while: sql`v.status = 'pending_acceptance' and not v.person_signs_in`,
    assignee: { pool: 'kpi-evaluation.hr-review', person: ableReviewer },
  },
  {
    ...evaluation,
    kind: 'kpi_dispute',
    actions: ['resolve-dispute'],
    while: sql`v.status = 'disputed'`,
    // reviewers do not decide the dispute
    columns: { ...evaluation.columns, authors: reviewersOf },
    not_by: notReviewedBy,
    assignee: byHr,
  },
  {
    ...evaluation,
    kind: 'kpi_close',
    actions: ['close'],
    while: sql`v.status = 'accepted'`,
    status: 'accepted',
    assignee: byHr,
  },
  {
    ...evaluation,
    kind: 'kpi_extension_decision',
    actions: ['extension-decision'],
    while: sql`v.status in ('self_assessment', 'manager_review') and v.extension_status = 'pending'`,
    // a reviewer does not decide on their own request
    columns: {
      ...evaluation.columns,
      authors: [sql`case when v.extension_step = 'manager_review' then v.reviewer_id end`],
    },
    not_by: ({ employee_id: me }) => [
      sql`(v.extension_step = 'self_assessment' or v.reviewer_id is distinct from ${me}::bigint)`,
    ],
    assignee: byHr,
    in_order: sql`created_at, subject_id`,
    due: sql`(v.extension_requested_at at time zone n.timezone)::date + 2`,
    since: sql`v.extension_requested_at`,
  },
  {
    ...evaluation,
    kind: 'kpi_time_over',
    actions: ['skip-self-assessment', 'reviewer', 'manager-review'],
    while: sql`${isRefused} and v.due_on < n.today and v.reviewer_missing_since is null`,
    columns: {
      ...evaluation.columns,
      authors: [sql`case when v.extension_step = 'manager_review' then v.reviewer_id end`],
    },
    not_by: ({ employee_id: me }) => [
      sql`(v.extension_step = 'self_assessment' or v.reviewer_id is distinct from ${me}::bigint)`,
    ],
    assignee: { pool: 'kpi-evaluation.hr-review' },
    since: sql`v.extension_decided_at`,
  },
  {
    ...evaluation,
    kind: 'kpi_missing_reviewer',
    actions: ['reviewer'],
    while: sql`v.status in ('self_assessment', 'manager_review') and v.reviewer_missing_since is not null`,
    assignee: { pool: 'kpi-evaluation.assign-reviewer', by_company: true },
    in_order: sql`created_at, subject_id`,
    due: sql`(v.reviewer_missing_since at time zone n.timezone)::date`,
    since: sql`v.reviewer_missing_since`,
  },
  {
    ...evaluation,
    kind: 'kpi_move',
    page: 'moves',
    actions: ['decide'],
    from: sql`kpi_evaluations v join employees e on e.id = v.employee_id join departments d on d.id = e.department_id`,
    while: sql`v.moved_since is not null and ${undecided}
      and exists (select from kpi_cycles c where c.id = v.cycle_id and c.status = 'published')`,
    while_for: decidesMoves,
    assignee: { pool: 'kpi-evaluation.force-close' },
    due: sql`(v.moved_since at time zone n.timezone)::date + 7`,
    since: sql`v.moved_since`,
  },
  {
    ...cycle,
    kind: 'kpi_newly_eligible',
    actions: ['people', 'left-out'],
    page: 'eligible',
    while: sql`c.status = 'published'`,
    assignee: { pool: 'kpi-cycle.publish', of: decidesIn },
    due: sql`(${firstFound} at time zone n.timezone)::date + 7`,
    since: firstFound,
  },
  {
    ...cycle,
    kind: 'kpi_cycle_to_close',
    actions: ['close'],
    while: sql`c.status = 'published' and c.end_date < n.today and not exists (
      select from kpi_evaluations v where v.cycle_id = c.id and v.status not in ('completed', 'cancelled'))`,
    assignee: {
      pool: 'kpi-cycle.update',
      person: sql`(select o.id from employees o
                   where o.id = c.owner_id and o.activity_status = 'active' and o.deleted_at is null)`,
    },
    due: sql`c.end_date + 14`,
    since: sql`greatest((select max(v.updated_at) from kpi_evaluations v where v.cycle_id = c.id),
                        (c.end_date + 1)::timestamp at time zone n.timezone)`,
  },
  {
    ...review,
    kind: 'probation_review_assigned',
    deputy: 'probation_reviews',
    actions: ['update', 'submit'],
    while: sql`v.status = 'pending' and v.reviewer_missing_since is null and ${isRunning}`,
    assignee: { person: sql`v.reviewer_id` },
    due: sql`v.due_date`,
  },
  {
    ...review,
    kind: 'probation_review_action_required',
    deputy: 'probation_reviews',
    actions: ['update', 'submit'],
    while: sql`v.status = 'sent_back' and v.reviewer_missing_since is null and ${isRunning}`,
    assignee: { person: sql`v.reviewer_id` },
    due: sql`(v.status_changed_at at time zone n.timezone)::date + 3`,
  },
  {
    ...review,
    kind: 'probation_review_approval',
    actions: ['approve', 'share', 'send-back'],
    while: sql`v.status = 'submitted'`,
    // authors do not decide on it
    columns: { ...review.columns, authors: authorsOf },
    not_by: notWrittenBy,
    assignee: { pool: 'probation-review.approve', by_company: true, by_admins: isOfAdmin(sql`v.employee_id`) },
    due: sql`case when v.milestone = 'final' then v.probation_end_date else v.due_date end`,
    in_order: sql`due_date, created_at, subject_id`,
  },
  {
    ...review,
    kind: 'probation_acknowledge',
    actions: ['acknowledge'],
    while: sql`${isUnread} and v.person_signs_in`,
    assignee: { person: sql`v.employee_id` },
    due: sql`(v.decided_at at time zone n.timezone)::date + 7`,
    since: sql`v.decided_at`,
  },
  {
    ...review,
    kind: 'probation_record_acknowledgement',
    actions: ['record-acknowledgement'],
    // no one talks with an employee who has left
    while: sql`${isUnread} and not v.person_signs_in and (
      select l.activity_status <> 'inactive' and l.deleted_at is null from employees l where l.id = v.employee_id)`,
    assignee: { pool: 'probation-review.approve', person: ableReviewer },
    due: sql`(v.decided_at at time zone n.timezone)::date + 7`,
    since: sql`v.decided_at`,
  },
  {
    ...person,
    kind: 'probation_review_missing',
    actions: ['create'],
    while: sql`e.id = any(${probationReviewCandidates})
      and e.employment_lifecycle = 'probationary' and e.activity_status = 'active' and e.deleted_at is null
      and e.probation_paused_from is null and (e.probation_end_date is null or (${isNear} and not ${hasReview}))`,
    assignee: { pool: 'probation-review.create' },
    due: sql`coalesce(e.probation_end_date, e.joining_date)`,
    since: sql`greatest(e.created_at,
                        (e.probation_end_date - n.probation_lead_days)::timestamp at time zone n.timezone)`,
  },
  {
    ...review,
    kind: 'probation_missing_reviewer',
    actions: ['reviewer'],
    while: sql`v.status in ('pending', 'sent_back') and v.reviewer_missing_since is not null`,
    assignee: { pool: 'probation-review.create', by_company: true },
    in_order: sql`created_at, subject_id`,
    due: sql`(v.reviewer_missing_since at time zone n.timezone)::date`,
    since: sql`v.reviewer_missing_since`,
  },
  {
    ...person,
    kind: 'employee_offboarding',
    page: 'offboarding',
    actions: ['reassign'],
    while: sql`e.id = any(${awayCandidates})
      and e.employment_lifecycle in ('resigned', 'terminated') and e.deleted_at is null`,
    while_for: isResponsible,
    assignee: { pool: 'employees.deactivate' },
    due: sql`e.last_working_date`,
    since: sql`coalesce(
      (select h.created_at from job_history h
       where h.employee_id = e.id and h.status = 'current' and 'employment_lifecycle' = any(h.changed_fields)),
      e.updated_at)`,
  },
  {
    ...person,
    kind: 'job_change_failed',
    actions: ['delete'],
    subject: 'job_history',
    from: sql`job_history h join employees e on e.id = h.employee_id and e.deleted_at is null`,
    while: sql`h.status = 'failed'`,
    subject_id: sql`h.id`,
    assignee: { pool: 'employees.update' },
    due: sql`h.effective_from`,
    since: sql`h.updated_at`,
  },
];

export const poolPermissions: readonly Permission[] = [
  ...new Set(kinds.flatMap(({ assignee }) => ('pool' in assignee ? [assignee.pool] : []))),
];
