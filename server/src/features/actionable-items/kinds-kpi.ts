import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { decidesMoves, undecided } from '../kpi-cycles/move-scope.ts';
import { decidesIn, firstFound } from '../kpi-cycles/newly-eligible.ts';
import { notReviewedBy, reviewersOf } from '../kpi-evaluations/hr-pool.ts';
import type { Kind } from './kind.ts';
import { endedEvaluations } from '../../workflow/open.ts';

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
/** The reviewer of an evaluation or a review, if they can act. */
export const ableReviewer = sql`(case when v.reviewer_missing_since is null then v.reviewer_id end)`;
/** True when the maximum number of extension requests for the step is used up and each one is decided. */
const noRequestLeft = sql<SqlBool>`(v.status in ('self_assessment', 'manager_review') and v.extension_status <> 'pending'
  and v.extension_requests >= 3 and v.extension_step = v.status)`;
/** After the deadline, the step is blocked while HR decides on a request, and after the last request. */
const isInTime = sql<SqlBool>`(
  v.extension_status is null or v.due_on >= n.today or v.extension_status <> 'pending' and not ${noRequestLeft})`;
/** Reviewers decide neither on their own request nor after the last one. */
const notByReviewer: Pick<Kind, 'columns' | 'not_by'> = {
  columns: {
    ...evaluation.columns,
    authors: [sql`case when v.extension_step = 'manager_review' then v.reviewer_id end`],
  },
  not_by: ({ employee_id: me }) => [
    sql`(v.extension_step = 'self_assessment' or v.reviewer_id is distinct from ${me}::bigint)`,
  ],
};
const byHr = { pool: 'kpi-evaluation.hr-review', by_company: true } as const;

const cycle = {
  subject: 'kpi_cycle',
  from: sql`kpi_cycles c`,
  subject_id: sql`c.id`,
  columns: { entity: sql`c.entity_id`, department: sql`null::bigint`, employee: sql`null::bigint` },
  isNamed: (word: string) => sql<SqlBool>`position(${word}::text in c.name_sort) > 0`,
} as const;

/** Tasks of evaluations and cycles; `n` as in kinds.ts. */
export const kpiKinds: readonly Kind[] = [
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
    // four eyes: another HR user, if there is one, decides on what an HR user submitted
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
    // reviewers do not decide on the dispute
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
    ...notByReviewer,
    assignee: byHr,
    in_order: sql`created_at, subject_id`,
    due: sql`(v.extension_requested_at at time zone n.timezone)::date + 2`,
    since: sql`v.extension_requested_at`,
  },
  {
    ...evaluation,
    kind: 'kpi_time_over',
    actions: ['skip-self-assessment', 'reviewer', 'manager-review'],
    while: sql`${noRequestLeft} and v.due_on < n.today and v.reviewer_missing_since is null`,
    ...notByReviewer,
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
      select from kpi_evaluations v where v.cycle_id = c.id and v.status not in ${endedEvaluations})`,
    assignee: {
      pool: 'kpi-cycle.update',
      person: sql`(select o.id from employees o
                   where o.id = c.owner_id and o.activity_status = 'active' and o.deleted_at is null)`,
    },
    due: sql`c.end_date + 14`,
    since: sql`greatest((select max(v.updated_at) from kpi_evaluations v where v.cycle_id = c.id),
                        (c.end_date + 1)::timestamp at time zone n.timezone)`,
  },
];
