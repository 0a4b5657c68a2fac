import type { AbsenceDays, EvaluationStatus, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { absenceOf, deputyWithName } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import { capacitiesWith, covers, isDeputy, isReviewer } from '../../workflow/capacities.ts';
import { workflowColumns, workflowTables } from '../../workflow/row.ts';
import type { WorkflowRow } from '../../workflow/row.ts';

/**
 * What an actor is to an evaluation. `hr_reviewer` is HR that may do the HR review by the rule of four eyes,
 * `impartial_hr` is HR that did not review it; `system` is no person.
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

/** An evaluation as its rules look at it. */
export type JudgedEvaluation = WorkflowRow<EvaluationStatus> & {
  stage_open_until: string | null;
  acceptance_due_on: string | null;
  extension_status: 'pending' | 'approved' | 'rejected' | null;
  /** The step that the last request for more time is about, and how many there were in it. */
  extension_step: 'self_assessment' | 'manager_review';
  extension_requests: number;
  dispute_returned: boolean;
  /** A former reviewer left a draft. */
  has_former_draft: boolean;
  /** The absence of the person that holds today, and whether the person is suspended. */
  absence: AbsenceDays | null;
  is_suspended: boolean;
  manager_submitted_by: number | null;
  /** Whether another HR user reviews what an HR user submitted, or no other can; null where the rule asks nothing. */
  four_eyes: 'other_hr' | 'no_other_hr' | null;
  cancelled_from: EvaluationStatus | null;
  person_is_active: boolean;
  /** A cancelled one whose person has another one for the same days of the cycle. */
  has_other: boolean;
  /** False without a sign-in: others record what the person answers. */
  person_signs_in: boolean;
  /** The part of the cycle that it covers, of two; null for the whole. */
  part: number | null;
  cycle_id: number;
  cycle_name: string;
  cycle_status: 'draft' | 'published' | 'closed';
  self_assessment_opens_on: string | null;
  self_assessment_closes_on: string | null;
  manager_review_opens_on: string | null;
  manager_review_closes_on: string | null;
  hr_comment_optional: boolean;
  /** Days that a step leaves at least. */
  min_days: number;
};

/** What `judgedColumns` reads from: v evaluation, n company, p person, c cycle. */
export const judgedTables = sql`${workflowTables('kpi_evaluations')}
  join kpi_cycles c on c.id = v.cycle_id`;

/** The rule of four eyes asks nothing but for reviews that an HR user submitted: few, and the question takes long. */
const askedFourEyes = sql`v.status = 'hr_review' and c.four_eyes and exists (
  select from role_assignments a join role_permissions s on s.role_id = a.role_id
  where a.user_id = v.manager_submitted_by and s.permission = 'kpi-evaluation.hr-review')`;

/** The columns of `JudgedEvaluation`. */
export const judgedColumns = sql<JudgedEvaluation>`${workflowColumns},
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

/** What the rule of four eyes says to an HR user about what they submitted themselves; null for all others. */
export const fourEyesOf = ({ user_id }: Actor, row: JudgedEvaluation) =>
  row.manager_submitted_by === user_id ? row.four_eyes : null;

/** The capacities of an actor in an evaluation. */
export const capacitiesOf = capacitiesWith(permissionOf, (actor: Actor, row: JudgedEvaluation) => {
  const reaches = (capacity: Exclude<Capacity, 'system'>) => covers(actor, permissionOf[capacity], row);
  const found = new Set<Capacity>();
  // the reviewer keeps to the windows, also with the right to act for others
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
