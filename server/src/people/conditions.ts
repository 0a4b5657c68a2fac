import type { missingOfEmployees, Permission, signInStates } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { peopleFor } from '../access/scope.ts';
import { every } from '../db/lists.ts';
import { openReviewStates } from '../workflow/open.ts';

/** Conditions about `employees e` that the list of people and the dashboard share. */

type Condition = RawBuilder<SqlBool>;
type Day = string | null | undefined;

/** The employment has ended; people in their notice period have not left. */
const hasLeft = (alias = 'e') =>
  sql<SqlBool>`(${sql.ref(`${alias}.activity_status`)} = 'inactive'
    and ${sql.ref(`${alias}.employment_lifecycle`)} in ('resigned', 'terminated'))`;

/** Filters by whether people have left; no condition if undefined. */
export const byLeaving = (left: boolean | undefined, alias?: string): Condition[] =>
  left === undefined ? [] : [left ? hasLeft(alias) : sql<SqlBool>`not ${hasLeft(alias)}`];

/** The employment ended before the first day. */
export const neverStarted = (alias = 'e') =>
  sql<SqlBool>`(${sql.ref(`${alias}.employment_lifecycle`)} in ('resigned', 'terminated')
    and coalesce(${sql.ref(`${alias}.last_working_date`)} < ${sql.ref(`${alias}.joining_date`)}, false))`;

const within = (column: RawBuilder<unknown>, from: Day, to: Day): Condition =>
  every([
    ...(from ? [sql<SqlBool>`${column} >= ${from}::date`] : []),
    ...(to ? [sql<SqlBool>`${column} <= ${to}::date`] : []),
  ]);

/** The last working day lies between two days, inclusive; includes earlier employments. */
export const leftBetween = (from: Day, to: Day): Condition => sql<SqlBool>`e.id in (
  select l.id from employees l where l.employment_lifecycle in ('resigned', 'terminated') and l.deleted_at is null and not ${neverStarted('l')}
    and ${within(sql`l.last_working_date`, from, to)}
  union all
  select h.employee_id from job_history h where h.rehired_after is not null and ${within(sql`h.rehired_after`, from, to)})`;

/** The person was rehired between two days inclusive. */
export const rehiredBetween = (from: Day, to: Day): Condition => sql<SqlBool>`e.id in (
  select h.employee_id from job_history h
  where h.rehired_after is not null and ${within(sql`h.effective_from`, from, to)})`;

export const onProbation = sql<SqlBool>`(e.employment_lifecycle = 'probationary' and e.activity_status = 'active')`;

const isNot = ({ employee_id }: Actor): Condition[] =>
  employee_id === null ? [] : [sql<SqlBool>`e.id <> ${employee_id}`];

const account = (condition: Condition) =>
  sql<SqlBool>`exists (select from users w where w.id = e.user_id and ${condition})`;

const rolesWith = (permission: Permission) =>
  sql`any(array(select p.role_id from role_permissions p where p.permission = ${permission}))`;

/** Whether the person holds both permissions, through any roles: one index lookup per person. */
const holdsBoth = (one: Permission, other: Permission) => sql<SqlBool>`coalesce((
  select bool_or(a.role_id = ${rolesWith(one)}) and bool_or(a.role_id = ${rolesWith(other)})
  from role_assignments a where a.user_id = e.user_id), false)`;

/** People with missing data, as far as the actor may know. */
export const missingFor = (actor: Actor): Record<(typeof missingOfEmployees)[number], Condition> => ({
  probation_end: sql<SqlBool>`(${onProbation} and e.probation_end_date is null)`,
  // as early as the company opens reviews; a decided review counts for its end date; only readers of reviews learn
  // whether one was opened, and never of their own
  probation_review: sql<SqlBool>`(${every([onProbation, ...isNot(actor), peopleFor(actor, 'probation-review.view')])}
    and e.probation_paused_from is null
    and exists (select from entities n where n.id = e.entity_id
                and e.probation_end_date <= (now() at time zone n.timezone)::date + n.probation_lead_days)
    and not exists (select from probation_reviews r where r.employee_id = e.id and r.milestone = 'final'
                    and (r.status in ${openReviewStates}
                         or (r.status = 'approved' and r.probation_end_date = e.probation_end_date))))`,
  review_permission: sql<SqlBool>`(e.activity_status = 'active' and e.id in (
      select d.manager_id from departments d where d.status = 'active' and d.manager_id is not null
      union all
      select d.team_lead_id from departments d where d.status = 'active' and d.team_lead_id is not null)
    and not ${holdsBoth('kpi-evaluation.review', 'probation-review.submit')})`,
  sign_in: sql<SqlBool>`(e.activity_status <> 'inactive'
    and ${account(sql`(w.password_hash is null or w.last_login_at is null)`)})`,
});

/**
 * The account has no password that its user chose; also true after signing in with a one-time password, until the user
 * chooses one.
 */
export const lacksOwnPassword = (alias = 'u') =>
  sql<SqlBool>`(${sql.ref(`${alias}.password_hash`)} is null or ${sql.ref(`${alias}.must_change_password`)})`;

/** Whether the account `u` has signed in through one of these required providers. */
export const usesDemandedProvider = sql<SqlBool>`exists (
  select from user_identities i
  where i.user_id = u.id and i.provider_id = any(demanded_providers(u.id)) and i.last_used_at is not null)`;

/** An unused invitation for the account `w`, to its current address. */
const invitation = (state: RawBuilder<SqlBool>) => sql<SqlBool>`exists (
  select from account_links i where i.user_id = w.id and i.purpose = 'invitation' and i.used_at is null
    and i.revoked_at is null and i.email = w.email and ${state})`;
const hasOneTimePassword = sql<SqlBool>`coalesce(w.one_time_password and w.password_expires_at > now(), false)`;
const isNew = lacksOwnPassword('w');

/** How far people have come in choosing their own password. */
export const bySignIn: Record<(typeof signInStates)[number], Condition> = {
  not_invited: account(every([isNew, sql`not ${invitation(sql`true`)}`, sql`not ${hasOneTimePassword}`])),
  invited: account(every([isNew, invitation(sql`i.expires_at > now()`)])),
  expired: account(every([isNew, invitation(sql`i.expires_at <= now()`)])),
  password_issued: account(every([isNew, hasOneTimePassword])),
  active: account(sql`not ${isNew}`),
  none: sql<SqlBool>`e.user_id is null`,
};
