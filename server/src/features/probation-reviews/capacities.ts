import type { Permission, ProbationMilestone, ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { deputyWithName } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import { capacitiesWith, covers, isDeputy, isReviewer } from '../../workflow/capacities.ts';
import { workflowColumns, workflowTables } from '../../workflow/row.ts';
import type { WorkflowRow } from '../../workflow/row.ts';

/** The capacities of an actor in a review. `decider` is HR who neither reviews nor signed it; `system` is no person. */
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

/** The permission that a capacity requires. */
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

/** The columns of a review that its rules need. A decided review keeps its own department and company. */
export type ReviewFacts = WorkflowRow<ProbationStatus> & {
  /** The user whose signature on the assessment is valid; a reviewer who took over since has not signed it. */
  signed_by: number | null;
  probation_end_date: string;
  milestone: ProbationMilestone;
  submitted_at: string | null;
  employee_acknowledged_at: string | null;
  /** False for people without a sign-in: others record their acknowledgement. */
  person_signs_in: boolean;
  person_lifecycle: string;
  person_is_admin: boolean;
  /** The first day of a pause of the probation. */
  paused_from: string | null;
  extension_count: number;
  maximum_extensions: number;
  /** True if the person has no later review that decides. */
  is_latest: boolean;
  /** True if nothing was written in it since it was opened. */
  is_untouched: boolean;
  /** The day on which it was opened, in the company of the review. */
  opened_on: string;
};

/** The tables of `factColumns`: v review, n company, p person, u account. */
export const factTables = sql`${workflowTables('probation_reviews')}
  left join users u on u.id = p.user_id`;

/** The columns of `ReviewFacts`. */
export const factColumns = sql<ReviewFacts>`${workflowColumns},
  case when v.status in ('pending', 'sent_back', 'submitted') then ${deputyWithName('v', 'probation_reviews')} end as deputy,
  (select s.signer_id from probation_signatures s where s.review_id = v.id and s.role = 'manager' and s.valid) as signed_by,
  v.probation_end_date, v.milestone, v.submitted_at, v.employee_acknowledged_at, v.person_signs_in, p.employment_lifecycle as person_lifecycle,
  coalesce(u.is_admin, false) as person_is_admin, p.probation_paused_from as paused_from, p.extension_count, n.probation_max_extensions as maximum_extensions,
  not exists (select from probation_reviews x where x.employee_id = v.employee_id and x.sequence > v.sequence
               and x.milestone = 'final')
    as is_latest,
  v.status = 'pending' and v.revision = 1 and not exists (select from probation_signatures s where s.review_id = v.id)
    as is_untouched,
  (v.created_at at time zone n.timezone)::date as opened_on`;

/** The capacities of an actor in a review. */
export const capacitiesOf = capacitiesWith(permissionOf, (actor: Actor, row: ReviewFacts) => {
  const found = new Set<Capacity>();
  const reviews = isReviewer(actor, row) || isDeputy(actor, row);
  if (reviews && holds(actor, permissionOf.reviewer)) found.add('reviewer');
  for (const capacity of ['hr', 'organiser', 'canceller', 'reverter'] as const)
    if (covers(actor, permissionOf[capacity], row)) found.add(capacity);
  // a decision changes the person's record, and only administrators change that of an administrator
  const wrote = reviews || row.signed_by === actor.user_id;
  if (found.has('hr') && !wrote && (actor.is_admin || !row.person_is_admin)) found.add('decider');
  return found;
});
