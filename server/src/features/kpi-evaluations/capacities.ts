import type { AbsenceDays, EvaluationStatus, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { absenceOf, deputyWithName } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import { capacitiesWith, covers, isDeputy, isReviewer } from '../../workflow/capacities.ts';
import { workflowColumns, workflowTables } from '../../workflow/row.ts';
import type { WorkflowRow } from '../../workflow/row.ts';

/**
 * The capacities of an actor in an evaluation. `hr_reviewer` is HR who can do the HR review by the four-eyes rule,
 * `impartial_hr` is HR who did not review it; `system` is not a person.
 */
export const capacities = [
  'subject',
  'reviewer',
  'on_behalf',
  'hr',
  'hr_reviewer',
  'impartial_hr',
  'force_close',
  'reopen',
  'assign_reviewer',
  'system',
] as const;
export type Capacity = (typeof capacities)[number];

/** The permission that a capacity requires. */
export const permissionOf = {
  subject: 'kpi-evaluation.view',
  reviewer: 'kpi-evaluation.review',
  on_behalf: 'kpi-evaluation.update',
  hr: 'kpi-evaluation.hr-review',
  hr_reviewer: 'kpi-evaluation.hr-review',
  impartial_hr: 'kpi-evaluation.hr-review',
  force_close: 'kpi-evaluation.force-close',
  reopen: 'kpi-evaluation.reopen',
  assign_reviewer: 'kpi-evaluation.assign-reviewer',
  system: null,
} as const satisfies Record<Capacity, Permission | null>;

/** The columns of an evaluation that its rules need. */
export type EvaluationFacts = WorkflowRow<EvaluationStatus> & {
  stage_open_until: string | null;
  acceptance_due_on: string | null;
  extension_status: 'pending' | 'approved' | 'rejected' | null;
  /** The step of the latest extension request, and how many requests there were in it. */
  extension_step: 'self_assessment' | 'manager_review';
  extension_requests: number;
  dispute_returned: boolean;
  /** True if a former reviewer left a draft. */
  has_former_draft: boolean;
  /** The person's current absence, and whether the person is suspended. */
  absence: AbsenceDays | null;
  is_suspended: boolean;
  manager_submitted_by: number | null;
  /** Whether another HR user must review what an HR user submitted, or none can; null if the rule does not apply. */
  four_eyes: 'other_hr' | 'no_other_hr' | null;
  cancelled_from: EvaluationStatus | null;
  person_is_active: boolean;
  /** True for a cancelled evaluation whose person has another one for the same days of the cycle. */
  has_other: boolean;
  /** False for people without a sign-in: others record their answers. */
  person_signs_in: boolean;
  /** Which of two parts of the cycle it covers; null for the whole cycle. */
  part: number | null;
  cycle_id: number;
  cycle_name: string;
  cycle_status: 'draft' | 'published' | 'closed';
  self_assessment_opens_on: string | null;
  self_assessment_closes_on: string | null;
  manager_review_opens_on: string | null;
  manager_review_closes_on: string | null;
  hr_comment_optional: boolean;
  /** The minimum number of days for a step. */
  min_days: number;
};

/** The tables of `factColumns`: v evaluation, n company, p person, c cycle. */
export const factTables = sql`${workflowTables('kpi_evaluations')}
  join kpi_cycles c on c.id = v.cycle_id`;

/** The four-eyes rule only applies to reviews that an HR user submitted: these are few, and the check is slow. */
const askedFourEyes = sql`v.status = 'hr_review' and c.four_eyes and exists (
  select from role_assignments a join role_permissions s on s.role_id = a.role_id
  where a.user_id = v.manager_submitted_by and s.permission = 'kpi-evaluation.hr-review')`;

/** The columns of `EvaluationFacts`. */
export const factColumns = sql<EvaluationFacts>`${workflowColumns},
  v.stage_open_until, v.acceptance_due_on, v.former_draft is not null as has_former_draft, v.extension_status, v.extension_step,
  v.extension_requests, v.dispute_returned,
  ${absenceOf(sql`v.employee_id`)} as absence,
  case when v.status = 'manager_review' then ${deputyWithName('v', 'kpi_reviews')} end as deputy, is_suspended(p) as is_suspended, v.manager_submitted_by, v.cancelled_from, p.activity_status = 'active' and p.deleted_at is null as person_is_active,
  case when v.status = 'cancelled' then exists (
    select from kpi_evaluations x where x.cycle_id = v.cycle_id and x.employee_id = v.employee_id and x.status <> 'cancelled'
      and daterange(x.covers_from, x.covers_until, '[]') && daterange(v.covers_from, v.covers_until, '[]'))
    else false end as has_other,
  v.person_signs_in, v.part, case when ${askedFourEyes} then kpi_four_eyes(v) end as four_eyes, c.id as cycle_id, c.name as cycle_name, c.status as cycle_status, c.self_assessment_opens_on,
  c.self_assessment_closes_on, c.manager_review_opens_on, c.manager_review_closes_on, c.min_days,
  c.hr_comment_optional`;

/** The result of the four-eyes rule for an HR user who submitted the review themselves; null for all others. */
export const fourEyesOf = ({ user_id }: Actor, row: EvaluationFacts) =>
  row.manager_submitted_by === user_id ? row.four_eyes : null;

/** The capacities of an actor in an evaluation. */
export const capacitiesOf = capacitiesWith(permissionOf, (actor: Actor, row: EvaluationFacts) => {
  const reaches = (capacity: Exclude<Capacity, 'system'>) => covers(actor, permissionOf[capacity], row);
  const found = new Set<Capacity>();
  // the windows bind the reviewer, even with the permission to act for others
  if (isReviewer(actor, row) && holds(actor, permissionOf.reviewer)) found.add('reviewer');
  else if (reaches('on_behalf') || (isDeputy(actor, row) && holds(actor, permissionOf.reviewer)))
    found.add('on_behalf');
  if (reaches('hr')) found.add('hr');
  if (found.has('hr') && fourEyesOf(actor, row) !== 'other_hr') found.add('hr_reviewer');
  if (found.has('hr') && !isReviewer(actor, row) && row.manager_submitted_by !== actor.user_id)
    found.add('impartial_hr');
  for (const capacity of ['force_close', 'reopen', 'assign_reviewer'] as const)
    if (reaches(capacity)) found.add(capacity);
  return found;
});
