import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { hasHrFor } from '../../notifications/recipients.ts';
import { awayCandidates, probationReviewCandidates } from '../../people/candidates.ts';
import { authorsOf, isOfAdmin, notWrittenBy } from '../probation-reviews/hr-pool.ts';
import type { Kind } from './kind.ts';
import { identityKinds } from './kinds-identity.ts';
import { ableReviewer, kpiKinds } from './kinds-kpi.ts';
import { isResponsible } from './responsible.ts';

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
/** True from the company's lead days before the end. */
const isNear = sql<SqlBool>`e.probation_end_date <= n.today + n.probation_lead_days`;
const hasReview = sql<SqlBool>`exists (
  select from probation_reviews v
  where v.employee_id = e.id and v.milestone = 'final' and v.status in ('pending', 'submitted', 'sent_back', 'approved')
    and (v.status <> 'approved' or v.probation_end_date = e.probation_end_date))`;

/** People with a current or planned absence whose deputy can no longer review, and since when. */
const missingDeputies = sql`(
  select distinct on (a.employee_id) a.employee_id, a.first_day, a.deputy_missing_since as since
  from absences a join employees p on p.id = a.employee_id join entities c on c.id = p.entity_id
  where a.deputy_missing_since is not null
    and coalesce(a.last_day, 'infinity') >= (now() at time zone c.timezone)::date
  order by a.employee_id, a.first_day)`;

/**
 * Identity providers and SCIM connections with unlinked people, and since when. They share one kind of task, so the ids
 * of connections are negative.
 */
const waitingPlaces = sql`(
  select p.id, p.name, p.entity_ids, min(t.created_at) as since
  from identity_providers p join sso_unmatched t on t.provider_id = p.id group by p.id
  union all
  select -c.id, c.name, c.entity_ids, min(s.created_at)
  from scim_connections c
  join scim_users s on s.connection_id = c.id and s.user_id is null and s.dismissed_at is null
  where c.is_enabled and not c.is_dry_run group by c.id) p`;

/** True when the actor can link the people of `p`: HR of all its companies, or administrators if it has no such HR. */
function linksPeople(actor: Actor): RawBuilder<SqlBool> {
  const grants = actor.grants.filter(({ role }) => role !== 'Admin');
  const { everything, entity_ids } = reachOf({ grants }, 'employees.reset_password');
  if (everything) return sql<SqlBool>`true`;
  const covered = sql<SqlBool>`(p.entity_ids <@ ${entity_ids}::bigint[]) is true`;
  return actor.is_admin ? sql<SqlBool>`(${covered} or not ${hasHrFor(sql`p.entity_ids`)})` : covered;
}

/** `n` is the company of the subject with its time zone, its local day and its probation lead days. */
export const kinds: readonly Kind[] = [
  ...kpiKinds,
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
    // there is no conversation with an employee who has left
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
    kind: 'absence_missing_deputy',
    page: 'absences',
    actions: ['absences'],
    from: sql`${missingDeputies} y join employees e on e.id = y.employee_id`,
    while: sql`e.activity_status = 'active' and e.deleted_at is null`,
    assignee: { pool: 'employees.update' },
    due: sql`greatest(y.first_day, (y.since at time zone n.timezone)::date)`,
    since: sql`y.since`,
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
  {
    kind: 'people_waiting',
    subject: 'identity_provider',
    from: waitingPlaces,
    while: sql`true`,
    subject_id: sql`p.id`,
    columns: { entity: sql`null::bigint`, department: sql`null::bigint`, employee: sql`null::bigint` },
    assignee: { pool: 'employees.reset_password', of: linksPeople },
    due: sql`(p.since at time zone 'UTC')::date + 7`,
    since: sql`p.since`,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(p.name)) > 0`,
    actions: ['link'],
  },
  ...identityKinds,
];

export const poolPermissions: readonly Permission[] = [
  ...new Set(kinds.flatMap(({ assignee }) => ('pool' in assignee ? [assignee.pool] : []))),
];
