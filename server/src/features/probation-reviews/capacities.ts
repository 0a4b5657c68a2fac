import type { Permission, ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, manages, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';

/** What somebody is to a review. `decider` is HR that neither reviews nor has signed it; `system` is no person. */
export const capacities = [
  'subject',
  'reviewer',
  'hr',
  'decider',
  'organiser',
  'canceller',
  'reverter',
  'system',
] as const;
export type Capacity = (typeof capacities)[number];

/** What a person must hold to stand so. */
export const permissionOf = {
  subject: 'probation-review.view',
  reviewer: 'probation-review.submit',
  hr: 'probation-review.approve',
  decider: 'probation-review.approve',
  organiser: 'probation-review.create',
  canceller: 'probation-review.cancel',
  reverter: 'probation-review.revert',
  system: null,
} as const satisfies Record<Capacity, Permission | null>;

/** What the rules look at. `person_…` is how and where the person is today; a decided review keeps its own place. */
export type JudgedReview = {
  id: number;
  employee_id: number;
  entity_id: number;
  department_id: number;
  reviewer_id: number | null;
  /** Whose signature counts for what the reviewer wrote; whoever took over since has not signed it. */
  signed_by: number | null;
  status: ProbationStatus;
  revision: number;
  round: number;
  probation_end_date: string;
  submitted_at: string | null;
  employee_acknowledged_at: string | null;
  person_name: string;
  person_entity_id: number;
  person_department_id: number;
  person_manager_id: number | null;
  person_lifecycle: string;
  person_is_admin: boolean;
  extension_count: number;
  maximum_extensions: number;
  /** No later review of the person exists. */
  is_latest: boolean;
  /** Nobody has written in it since it was opened. */
  is_untouched: boolean;
  /** The day it was opened, and the one it is, in the company of the review. */
  opened_on: string;
  today: string;
};

/** What `judgedColumns` reads from: v review, n company, p person, u account. */
export const judgedTables = sql`probation_reviews v
  join entities n on n.id = v.entity_id
  join employees p on p.id = v.employee_id
  join users u on u.id = p.user_id`;

/** The columns of `JudgedReview`. */
export const judgedColumns = sql`
  v.id, v.employee_id, v.entity_id, v.department_id, v.reviewer_id,
  (select s.signer_id from probation_signatures s where s.review_id = v.id and s.role = 'manager' and s.valid) as signed_by,
  v.status, v.revision, v.round,
  v.probation_end_date, v.submitted_at, v.employee_acknowledged_at, p.name as person_name,
  p.entity_id as person_entity_id, p.department_id as person_department_id,
  p.reporting_manager_id as person_manager_id, p.employment_lifecycle as person_lifecycle,
  u.is_admin as person_is_admin, p.extension_count, n.probation_max_extensions as maximum_extensions,
  not exists (select from probation_reviews x where x.employee_id = v.employee_id and x.sequence > v.sequence)
    as is_latest,
  v.status = 'pending' and v.revision = 1 and not exists (select from probation_signatures s where s.review_id = v.id)
    as is_untouched,
  (v.created_at at time zone n.timezone)::date as opened_on, (now() at time zone n.timezone)::date as today`;

function isManaged(actor: Actor, { managed_entity_ids: within }: Reach, row: JudgedReview): boolean {
  const near = (entityId: number) => within === null || within.includes(entityId);
  const { employee_id: id, person_manager_id: reporting_manager_id } = row;
  const today = manages(actor, { id, reporting_manager_id, department_id: row.person_department_id });
  const then = manages(actor, { id, reporting_manager_id: null, department_id: row.department_id });
  return (today && near(row.person_entity_id)) || (then && near(row.entity_id));
}

/** Whether a permission of the actor reaches the review of somebody else. */
function covers(actor: Actor, permission: Permission, row: JudgedReview): boolean {
  const reach = reachOf(actor, permission);
  if (reach.everything || reach.entity_ids.includes(row.entity_id)) return true;
  return reach.managed && isManaged(actor, reach, row);
}

/** How the actor stands to the review. To the own one nobody is anything but its subject. */
export function capacitiesOf(actor: Actor, row: JudgedReview): ReadonlySet<Capacity> {
  const isMe = (id: number | null) => id !== null && id === actor.employee_id;
  if (isMe(row.employee_id)) return new Set(holds(actor, permissionOf.subject) ? ['subject'] : []);
  const found = new Set<Capacity>();
  if (isMe(row.reviewer_id) && holds(actor, permissionOf.reviewer)) found.add('reviewer');
  for (const capacity of ['hr', 'organiser', 'canceller', 'reverter'] as const)
    if (covers(actor, permissionOf[capacity], row)) found.add(capacity);
  // what is decided changes the person's record, and that of an administrator only an administrator changes
  const wrote = isMe(row.reviewer_id) || row.signed_by === actor.user_id;
  if (found.has('hr') && !wrote && (actor.is_admin || !row.person_is_admin)) found.add('decider');
  return found;
}
