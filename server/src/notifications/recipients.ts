import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { openReviewStates } from '../workflow/open.ts';

/**
 * A set of accounts as SQL with one column, `user_id`. Accounts that cannot be notified are removed when it is used.
 */
export type Recipients = RawBuilder<unknown>;

/** Accounts by id; none for a null id. */
export const accounts = (ids: readonly (number | null)[]): Recipients =>
  sql`select unnest(${ids}::bigint[]) as user_id`;

/** The accounts of people; none for a null id. */
export const people = (ids: readonly (number | null)[]): Recipients =>
  sql`select user_id from employees where id = any(${ids.filter((id) => id !== null)}::bigint[])`;

/** Those with the role Admin without limits. */
export const administrators: Recipients = sql`select id as user_id from users where is_admin`;

/** Those who hold a permission without limits. */
export const holdersOf = (permission: Permission): Recipients => sql`
  select a.user_id from role_permissions g
  join roles r on r.id = g.role_id and r.scope = 'all'
  join role_assignments a on a.role_id = r.id and a.entity_ids is null and a.department_ids is null
  where g.permission = ${permission}`;

/**
 * Those responsible for a SCIM connection `c`: its owners who can be notified, or if there are none, those who may
 * manage connections.
 */
export const caretakersOf = (owners: 'c.owner_ids' | 'ended.connection_owner_ids'): Recipients => sql`
  select o.user_id from reachable_users o where o.user_id = any(${sql.ref(owners)})
  union
  select h.user_id from (${holdersOf('identity.manage')}) as h
  where not exists (select from reachable_users o where o.user_id = any(${sql.ref(owners)}))`;

/** The manager of a person. */
export const managerOf = (employeeId: number): Recipients => sql`
  select m.user_id from employees e join employees m on m.id = e.reporting_manager_id where e.id = ${employeeId}`;

/** The reviewer of the open probation review of a person. */
export const probationReviewerOf = (employeeId: number): Recipients => sql`
  select r.user_id from probation_reviews v join employees r on r.id = v.reviewer_id
  where v.employee_id = ${employeeId} and v.status in ${openReviewStates}`;

/** The union of sets of recipients. */
export const everyone = (...sets: readonly Recipients[]): Recipients =>
  sql.join(
    sets.map((set) => sql`select user_id from (${set}) as s`),
    sql` union `,
  );

/**
 * The HR pool for a person: people who hold the permission through a role other than Admin, with the person in scope;
 * the administrators if there are none. Never includes the person.
 */
export const hrFor = (permission: Permission, employeeId: number): Recipients => sql`
  with recursive subject as (
    select user_id, entity_id, department_id, reporting_manager_id from employees where id = ${employeeId}
  ), departments_above as (
    select d.id, d.parent_id, d.manager_id from departments d join subject s on s.department_id = d.id
    union
    select d.id, d.parent_id, d.manager_id from departments d join departments_above a on a.parent_id = d.id
  ), managers as (
    select reporting_manager_id as employee_id from subject
    union select manager_id from departments_above
    union select d.team_lead_id from departments d join subject s on s.department_id = d.id
  ), holders as (
    select distinct a.user_id, r.is_system and r.name = 'Admin' as is_admin
    from role_permissions p
    join roles r on r.id = p.role_id
    join role_assignments a on a.role_id = r.id
    join reachable_users u on u.user_id = a.user_id
    cross join subject s
    where p.permission = ${permission} and a.user_id is distinct from s.user_id
      and (a.entity_ids is null or s.entity_id = any(a.entity_ids)
           or r.scope = 'all' and exists (select from departments_above x where x.id = any(a.department_ids)))
      and (r.scope = 'all'
           or (r.managed_depth = 'tree' and u.employee_id in (select tree_managers_of(${employeeId})))
           or (r.scope = 'managed' and u.employee_id in (select employee_id from managers)
                               and ${employeeId} not in (select superiors_of(u.employee_id))))
  )
  select user_id from holders where is_admin <> exists (select from holders where not is_admin)`;

/**
 * Those (`h`) who may issue passwords in all companies of a provider `p` through a role other than Admin: they link the
 * people who tried to sign in there.
 */
const holdersFor = (provider: RawBuilder<unknown>) => sql`
  select h.user_id from role_permissions g
  join roles r on r.id = g.role_id and r.scope = 'all' and not (r.is_system and r.name = 'Admin')
  join role_assignments a on a.role_id = r.id and a.department_ids is null
  join reachable_users h on h.user_id = a.user_id
  where g.permission = 'employees.reset_password' and (a.entity_ids is null or ${provider} <@ a.entity_ids)`;

/** True if there is such a holder for the companies of a provider `p`. */
export const hasHrFor = (companies: RawBuilder<unknown>) => sql<SqlBool>`exists (${holdersFor(companies)})`;

/** The HR pool for unmatched people of a provider or SCIM connection; the administrators if there is none. */
export const hrOfPlace = (table: 'identity_providers' | 'scim_connections', id: number): Recipients => {
  const companies = sql`(select p.entity_ids from ${sql.table(table)} p where p.id = ${id})`;
  return sql`
    ${holdersFor(companies)}
    union select id from users where is_admin and not ${hasHrFor(companies)}`;
};
