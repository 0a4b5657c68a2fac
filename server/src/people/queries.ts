import type { Employee, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { accountOf, coverOfStored, noCover } from '../access/cover.ts';
import type { StoredAccount } from '../access/cover.ts';
import { knownReviews, peopleFor, visiblePeople } from '../access/scope.ts';
import type { Db } from '../db/connect.ts';
import type { ReadCtx } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { lacksOwnPassword } from './conditions.ts';
import { asksForCover } from './policy.ts';
import type { Subject } from './policy.ts';
import type { EmployeeRecord } from './record.ts';
import { presentEmployee } from './shown-fields.ts';
import type { Shown } from './shown-fields.ts';
import { columnsOf } from './stored-fields.ts';
import { endedEvaluations, openReviewStates } from '../workflow/open.ts';

/** The tables of the columns below for people `e` of a source. */
export const tablesOf = (people: RawBuilder<unknown>) => sql`${people}
  join entities n on n.id = e.entity_id
  join departments d on d.id = e.department_id
  left join users u on u.id = e.user_id
  left join employees m on m.id = e.reporting_manager_id`;
export const employeeTables = tablesOf(sql`employees e`);

// evaluated only for people who may be under review
export const isUnderReview = sql`(e.employment_lifecycle = 'probationary' and exists (
  select from probation_reviews v where v.employee_id = e.id and v.milestone = 'final'
    and v.status in ${openReviewStates}))`;
const onEnd = sql`n.probation_max_extensions as maximum_extensions,
  coalesce(e.probation_end_entered_at > now() - interval '14 days', false) as is_end_fresh`;
const byReview = sql`${isUnderReview} as is_under_review,
  (e.employment_lifecycle = 'probationary' and exists (
    select from probation_reviews v where v.employee_id = e.id and v.milestone = 'final' and v.status = 'submitted')) as is_submitted,
  e.employment_lifecycle = 'terminated' and exists (
    select from probation_reviews v where v.employee_id = e.id and v.status = 'approved' and v.outcome = 'terminate'
      and v.effective_date = e.last_working_date) as ended_by_review`;

/** Today's absence. */
const absence = sql`(
  select json_build_object('first_day', a.first_day, 'last_day', a.last_day) from absences a
  where a.employee_id = e.id
    and (now() at time zone n.timezone)::date between a.first_day and coalesce(a.last_day, 'infinity'))`;

const instant = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
// only read for people who may have one; as another join, it would cost every record planning time
const invitation = sql`case when ${lacksOwnPassword()} then (
  select json_build_object('sent_at', ${instant('i.created_at')}, 'expires_at', ${instant('i.expires_at')})
  from account_links i where i.user_id = u.id and i.purpose = 'invitation' and i.used_at is null
    and i.revoked_at is null and i.email = u.email) end`;

/** A new address that is not confirmed yet; lists do not show it. */
const addressChange = sql`(
  select json_build_object('email', o.email, 'sent_at', ${instant('o.created_at')}, 'expires_at', ${instant('o.expires_at')})
  from own_account_links o where o.user_id = u.id and o.purpose = 'address_change' and o.used_at is null
    and o.revoked_at is null and o.expires_at > now()) as address_change`;

// one row per person: no join may multiply them
export const listedColumns = sql`
  e.id, e.user_id, ${columnsOf('card', 'work')}, e.display_name, e.name, n.name as entity_name,
  d.name as department_name, d.status as department_status, m.employee_number as manager_number,
  m.name as manager_name, e.picture_key, e.deleted_at, e.created_at, e.updated_at, e.revision, u.last_login_at,
  ${invitation} as invitation, u.password_hash is not null as has_password,
  coalesce(u.must_change_password, false) as must_change_password,
  (now() at time zone n.timezone)::date as today,
  coalesce(u.roles, '[]') as roles, coalesce(u.is_admin, false) as is_admin, ${absence} as absence, ${byReview}, ${onEnd}`;

/** The decided reviews of the probation of `e`: the `DecidedReviews` besides an open review. */
export const decided = sql`
  e.employment_lifecycle = 'probationary' and exists (
    select from job_history h where h.employee_id = e.id and h.status = 'scheduled'
      and 'employment_lifecycle' = any(h.changed_fields)) as is_confirmed_ahead,
  case when e.employment_lifecycle <> 'confirmed' then array(
    select v.probation_end_date::text from probation_reviews v where v.employee_id = e.id and v.milestone = 'final'
      and v.status = 'approved')
    else '{}' end as decided_ends,
  e.probation_paused_from is not null as is_paused`;

export const leftBefore = sql`
  (select max(h.rehired_after) from job_history h
   where h.employee_id = e.id and h.rehired_after is not null) as left_before`;

// readers do not learn of their own review before it is decided
const responsibilitiesFor = ({ employee_id: me }: Actor) => sql`json_build_object(
  'departments_managed', (select count(*) from departments where manager_id = e.id),
  'departments_led', (select count(*) from departments where team_lead_id = e.id),
  'direct_reports', (select count(*) from employees r where r.reporting_manager_id = e.id
                     and r.activity_status <> 'inactive' and r.deleted_at is null),
  'open_evaluations', (select count(*) from kpi_evaluations v where v.reviewer_id = e.id
                       and v.status not in ${endedEvaluations}),
  'open_probation_reviews', (select count(*) from probation_reviews v where v.reviewer_id = e.id
                             and v.employee_id is distinct from ${me}::bigint
                             and v.status in ${openReviewStates}),
  'cycles_owned', (select count(*) from kpi_cycles c where c.owner_id = e.id and c.status <> 'closed'))
  as responsibilities`;

// only the record offers a delete: its checks would cost a list more than the rows
const tiesFor = (actor: Actor) => sql`
  exists (select from departments where manager_id = e.id or team_lead_id = e.id)
    or exists (select from employees r where r.reporting_manager_id = e.id and r.deleted_at is null)
    or exists (select from attachments where employee_id = e.id)
    or exists (select from kpi_evaluations v where v.employee_id = e.id or v.reviewer_id = e.id)
    or exists (select from probation_reviews v
               where (v.employee_id = e.id or v.reviewer_id = e.id) and ${knownReviews(actor)})
    or exists (select from kpi_cycles c where c.owner_id = e.id and c.status <> 'closed') as has_ties`;

const secondFactor = sql`
  exists (select from authenticators a where a.user_id = e.user_id and a.confirmed_at is not null) as has_second_factor`;

const recordColumnsFor = (actor: Actor) => sql`
  ${listedColumns}, ${decided}, ${leftBefore}, ${tiesFor(actor)}, ${addressChange}, ${secondFactor}, e.lifecycle_before_separation, ${columnsOf('private')}, e.bank, ${responsibilitiesFor(actor)}`;

/** The account of each person, if its rights matter to the actor. */
export const accountColumn = (actor: Actor) =>
  sql`${asksForCover(actor) ? accountOf(actor) : sql`null::json`} as account`;

/** Adds how far the actor covers the accounts of people read with `accountColumn`. */
export async function withCover<T extends { account: StoredAccount | null }>(
  { db, actor }: ReadCtx,
  people: readonly T[],
): Promise<(Omit<T, 'account'> & Pick<Subject, 'cover'>)[]> {
  const covers = await coverOfStored(
    db,
    actor,
    people.flatMap(({ account }) => account ?? []),
  );
  return people.map(({ account, ...person }) => ({ ...person, cover: covers.get(account?.user_id ?? 0) ?? noCover }));
}

type Read = Omit<EmployeeRecord, 'cover'> & { account: StoredAccount | null };

async function readRecords(ctx: ReadCtx, condition: RawBuilder<unknown>): Promise<EmployeeRecord[]> {
  const { rows } = await sql<Read>`
    select ${recordColumnsFor(ctx.actor)}, ${accountColumn(ctx.actor)}
    from ${employeeTables} where ${condition}`.execute(ctx.db);
  return withCover(ctx, rows);
}

type FindOptions = {
  /** Locks the row until the end of the transaction; `with team` also locks its departments and reports. */
  lock?: boolean | 'with team';
  /** Includes deleted people. */
  deleted?: boolean;
};

async function lockTeams(db: Db, ids: readonly number[]): Promise<void> {
  const these = sql`any(${ids}::bigint[])`;
  await sql`select from departments where manager_id = ${these} or team_lead_id = ${these} order by id for update`.execute(
    db,
  );
  await sql`
    select from employees where id = ${these} or (reporting_manager_id = ${these} and deleted_at is null)
    order by id for update`.execute(db);
}

/** Finds people by id whom the actor sees and the permission covers. Leaves out all others. */
export async function findEmployees(
  { db, actor }: ReadCtx,
  ids: readonly number[],
  permission: Permission,
  { lock = false, deleted = false }: FindOptions = {},
): Promise<Map<number, EmployeeRecord>> {
  // a row that had to wait for its lock is reread by the next statement
  if (lock === 'with team') await lockTeams(db, ids);
  else if (lock) await sql`select from employees where id = any(${ids}::bigint[]) order by id for update`.execute(db);
  const found = await readRecords(
    { db, actor },
    // seeing a person is enough for reading; actions also need the reach of their own permission
    sql`e.id = any(${ids}::bigint[]) and ${visiblePeople(actor)}
        ${permission === 'employees.view' ? sql`` : sql`and ${peopleFor(actor, permission)}`}
        ${deleted ? sql`` : sql`and e.deleted_at is null`}`,
  );
  return new Map(found.map((person) => [person.id, person]));
}

/** Finds the person in a path. Throws 404 for people whom the actor does not see or the permission does not cover. */
export async function findEmployee(
  ctx: ReadCtx,
  id: number,
  permission: Permission,
  options: FindOptions = {},
): Promise<EmployeeRecord> {
  const found = (await findEmployees(ctx, [id], permission, options)).get(id);
  if (!found) throw notFound();
  return found;
}

/** The current record with the fields that the actor sees: the answer to a change. */
export async function employeeReply({ db, actor }: ReadCtx, id: number, shown?: Shown): Promise<Employee> {
  const [found] = await readRecords({ db, actor }, sql`e.id = ${id}`);
  if (!found) throw notFound();
  return presentEmployee(actor, found, shown);
}
