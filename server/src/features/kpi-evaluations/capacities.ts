import type { EvaluationStatus, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, manages, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';

/** What somebody is to an evaluation. `impartial_hr` is HR that did not review it; `system` is no person. */
export const capacities = [
  'subject',
  'reviewer',
  'on_behalf',
  'hr',
  'impartial_hr',
  'force_close',
  'reopen',
  'assign_reviewer',
  'system',
] as const;
export type Capacity = (typeof capacities)[number];

/** What a person must hold to stand so. */
export const permissionOf = {
  subject: 'kpi-evaluation.view',
  reviewer: 'kpi-evaluation.review',
  on_behalf: 'kpi-evaluation.update',
  hr: 'kpi-evaluation.hr-review',
  impartial_hr: 'kpi-evaluation.hr-review',
  force_close: 'kpi-evaluation.force-close',
  reopen: 'kpi-evaluation.reopen',
  assign_reviewer: 'kpi-evaluation.assign-reviewer',
  system: null,
} as const satisfies Record<Capacity, Permission | null>;

/** What the rules look at. `person_…` is where the person is today, the others where the person was at the start. */
export type JudgedEvaluation = {
  id: number;
  employee_id: number;
  entity_id: number;
  department_id: number;
  reviewer_id: number | null;
  status: EvaluationStatus;
  revision: number;
  round: number;
  stage_open_until: string | null;
  acceptance_due_on: string | null;
  extension_status: 'pending' | 'approved' | 'rejected' | null;
  extension_requests: number;
  dispute_returned: boolean;
  manager_submitted_by: number | null;
  cancelled_from: EvaluationStatus | null;
  person_name: string;
  person_entity_id: number;
  person_department_id: number;
  person_manager_id: number | null;
  person_is_active: boolean;
  cycle_id: number;
  cycle_name: string;
  cycle_status: 'draft' | 'published' | 'closed';
  self_assessment_opens_on: string | null;
  self_assessment_closes_on: string | null;
  manager_review_opens_on: string | null;
  manager_review_closes_on: string | null;
  /** The day in the company of the evaluation. */
  today: string;
};

/** What `judgedColumns` reads from: v evaluation, c cycle, n company, p person. */
export const judgedTables = sql`kpi_evaluations v
  join kpi_cycles c on c.id = v.cycle_id
  join entities n on n.id = v.entity_id
  join employees p on p.id = v.employee_id`;

/** The columns of `JudgedEvaluation`. */
export const judgedColumns = sql`
  v.id, v.employee_id, v.entity_id, v.department_id, v.reviewer_id, v.status, v.revision, v.round, v.stage_open_until,
  v.acceptance_due_on, v.extension_status, v.extension_requests, v.dispute_returned, v.manager_submitted_by,
  v.cancelled_from, p.name as person_name, p.entity_id as person_entity_id, p.department_id as person_department_id,
  p.reporting_manager_id as person_manager_id, p.activity_status = 'active' and p.deleted_at is null as person_is_active,
  c.id as cycle_id, c.name as cycle_name, c.status as cycle_status, c.self_assessment_opens_on,
  c.self_assessment_closes_on, c.manager_review_opens_on, c.manager_review_closes_on,
  (now() at time zone n.timezone)::date as today`;

function isManaged(actor: Actor, { managed_entity_ids: within }: Reach, row: JudgedEvaluation): boolean {
  const near = (entityId: number) => within === null || within.includes(entityId);
  const { employee_id: id, person_manager_id: reporting_manager_id } = row;
  const today = manages(actor, { id, reporting_manager_id, department_id: row.person_department_id });
  const then = manages(actor, { id, reporting_manager_id: null, department_id: row.department_id });
  return (today && near(row.person_entity_id)) || (then && near(row.entity_id));
}

/** Whether a permission of the actor reaches the evaluation of somebody else. */
export function covers(actor: Actor, permission: Permission, row: JudgedEvaluation): boolean {
  const reach = reachOf(actor, permission);
  if (reach.everything || reach.entity_ids.includes(row.entity_id)) return true;
  return reach.managed && isManaged(actor, reach, row);
}

/** How the actor stands to the evaluation. To the own one nobody is anything but its subject. */
export function capacitiesOf(actor: Actor, row: JudgedEvaluation): ReadonlySet<Capacity> {
  const isMe = (id: number | null) => id !== null && id === actor.employee_id;
  if (isMe(row.employee_id)) return new Set(holds(actor, permissionOf.subject) ? ['subject'] : []);
  const reaches = (capacity: Exclude<Capacity, 'system'>) => covers(actor, permissionOf[capacity], row);
  const found = new Set<Capacity>();
  // whoever reviews keeps to the windows, also with the right to act for others
  if (isMe(row.reviewer_id) && holds(actor, permissionOf.reviewer)) found.add('reviewer');
  else if (reaches('on_behalf')) found.add('on_behalf');
  if (reaches('hr')) found.add('hr');
  if (found.has('hr') && !isMe(row.reviewer_id) && row.manager_submitted_by !== actor.user_id)
    found.add('impartial_hr');
  for (const capacity of ['force_close', 'reopen', 'assign_reviewer'] as const)
    if (reaches(capacity)) found.add(capacity);
  return found;
}
