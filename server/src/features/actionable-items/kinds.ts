import type { ActionableKind, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Place } from './pool.ts';

type Sql = RawBuilder<unknown>;

/** Whose it is: one person's, or that of HR, seen by who holds the permission for the place of the subject. */
type Assignee =
  | { person: Sql }
  | {
      pool: Permission;
      /** Where the pool only takes over what has nobody. */
      person?: Sql;
      /** Its rows are found company by company in the order of their days. */
      by_company?: true;
    };

/** A kind of things that wait: rows of a state, whose they are, and since and until when. */
export type Kind = {
  kind: ActionableKind;
  subject: 'kpi_evaluation' | 'kpi_cycle' | 'employee' | 'job_history';
  from: Sql;
  while: RawBuilder<SqlBool>;
  subject_id: Sql;
  place: Place;
  assignee: Assignee;
  due: Sql;
  /** When it began to wait. */
  since: Sql;
  /** Folded names of the people and things it is about. */
  names: Sql;
  /** What its assignee may do about it, as far as state and rights allow. */
  actions: readonly string[];
};

const evaluation = {
  subject: 'kpi_evaluation',
  from: sql`kpi_evaluations v`,
  subject_id: sql`v.id`,
  place: { entity: sql`v.entity_id`, department: sql`v.department_id`, employee: sql`v.employee_id` },
  due: sql`v.due_on`,
  since: sql`v.status_changed_at`,
  names: sql`(v.person_sort || ' ' || (select c.name_sort from kpi_cycles c where c.id = v.cycle_id))`,
} as const;
const byHr = { pool: 'kpi-evaluation.hr-review', by_company: true } as const;

const person = {
  subject: 'employee',
  from: sql`employees e`,
  subject_id: sql`e.id`,
  place: { entity: sql`e.entity_id`, department: sql`e.department_id`, employee: sql`e.id` },
  names: sql`fold(e.name)`,
} as const;

/** `n` is the company of the subject with its time zone and its day today. */
export const kinds: readonly Kind[] = [
  {
    ...evaluation,
    kind: 'kpi_self_assessment',
    actions: ['update', 'self-assessment', 'extension-request'],
    while: sql`v.status = 'self_assessment'`,
    assignee: { person: sql`v.employee_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_manager_review',
    actions: ['update', 'manager-review', 'return'],
    while: sql`v.status = 'manager_review'`,
    assignee: { person: sql`v.reviewer_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_hr_review',
    actions: ['update', 'hr-review', 'return'],
    while: sql`v.status = 'hr_review'`,
    assignee: byHr,
  },
  {
    ...evaluation,
    kind: 'kpi_acceptance',
    actions: ['accept', 'dispute'],
    while: sql`v.status = 'pending_acceptance'`,
    assignee: { person: sql`v.employee_id` },
  },
  {
    ...evaluation,
    kind: 'kpi_dispute',
    actions: ['resolve-dispute'],
    while: sql`v.status = 'disputed'`,
    assignee: byHr,
  },
  { ...evaluation, kind: 'kpi_close', actions: ['close'], while: sql`v.status = 'accepted'`, assignee: byHr },
  {
    ...evaluation,
    kind: 'kpi_extension_decision',
    actions: ['extension-decision'],
    while: sql`v.status = 'self_assessment' and v.extension_status = 'pending'`,
    assignee: { pool: 'kpi-evaluation.hr-review' },
    due: sql`(v.extension_requested_at at time zone n.timezone)::date + 2`,
    since: sql`v.extension_requested_at`,
  },
  {
    ...evaluation,
    kind: 'kpi_missing_reviewer',
    actions: ['reviewer'],
    while: sql`v.status in ('self_assessment', 'manager_review') and v.reviewer_missing_since is not null`,
    assignee: { pool: 'kpi-evaluation.assign-reviewer' },
    due: sql`(v.reviewer_missing_since at time zone n.timezone)::date`,
    since: sql`v.reviewer_missing_since`,
  },
  {
    kind: 'kpi_cycle_to_close',
    actions: ['close'],
    subject: 'kpi_cycle',
    from: sql`kpi_cycles c`,
    while: sql`c.status = 'published' and c.end_date < n.today and not exists (
      select from kpi_evaluations v where v.cycle_id = c.id and v.status not in ('completed', 'cancelled'))`,
    subject_id: sql`c.id`,
    place: { entity: sql`c.entity_id`, department: sql`null::bigint`, employee: sql`null::bigint` },
    assignee: {
      pool: 'kpi-cycle.update',
      person: sql`(select o.id from employees o
                   where o.id = c.owner_id and o.activity_status = 'active' and o.deleted_at is null)`,
    },
    due: sql`c.end_date + 14`,
    since: sql`greatest((select max(v.updated_at) from kpi_evaluations v where v.cycle_id = c.id),
                        (c.end_date + 1)::timestamp at time zone n.timezone)`,
    names: sql`c.name_sort`,
  },
  {
    ...person,
    kind: 'employee_offboarding',
    actions: ['update'],
    while: sql`e.employment_lifecycle in ('resigned', 'terminated') and e.deleted_at is null and (
      exists (select from departments d where d.manager_id = e.id)
      or exists (select from departments d where d.team_lead_id = e.id)
      or exists (select from employees r
                 where r.reporting_manager_id = e.id and r.activity_status = 'active' and r.deleted_at is null)
      or exists (select from kpi_evaluations v
                 where v.reviewer_id = e.id and v.status in ('self_assessment', 'manager_review'))
      or exists (select from kpi_cycles c where c.owner_id = e.id and c.status <> 'closed'))`,
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
