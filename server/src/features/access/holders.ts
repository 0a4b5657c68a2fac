import { permissionCatalogue } from '@tenure/contract';
import type { access, PermissionHolder, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { limitsNamed, peopleFor, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';

type ListQuery = QueryOut<typeof access.holders>;

/** Finds the permission of a path by its position in the catalogue. */
export function findPermission(id: number) {
  const found = permissionCatalogue.find((one) => one.id === id);
  if (!found) throw notFound();
  return found;
}

/** Accounts of visible people to whom the actor can give roles; accounts without a person only with scope `all`. */
function within(actor: Actor): RawBuilder<SqlBool> {
  const seesAll = reachOf(actor, 'employees.view', 'employees.view_all').everything;
  const managesAll = ['rbac.manage', 'employees.assign_roles'] as const;
  if (seesAll && managesAll.some((name) => reachOf(actor, name).everything))
    return sql<SqlBool>`(e.id is null or e.deleted_at is null)`;
  return sql<SqlBool>`(e.deleted_at is null and ${visiblePeople(actor)} and ${peopleFor(actor, 'employees.assign_roles')})`;
}

const columns = sql`
  u.id as user_id, coalesce(e.name, s.name, u.email) as name, u.account_kind = 'service' as is_service,
  case when e.id is not null then json_build_object('id', e.id, 'employee_number', e.employee_number, 'name', e.name) end
    as employee,
  case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as entity,
  case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end as department,
  u.is_enabled and u.account_kind <> 'service' and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at)) as may_sign_in`;

/** Companies or departments with these ids, by name; those that the actor does not see come last, without one. */
const places = (table: 'entities' | 'departments', ids: RawBuilder<unknown>, isSeen: RawBuilder<SqlBool>) => sql`array(
  select jsonb_build_object('id', l.id, 'name', case when ${isSeen} then l.name end)
  from ${sql.table(table)} l where l.id = any(${ids}) order by case when ${isSeen} then l.name_sort end, l.id)`;

/** The roles through which an account holds a permission. */
function because(actor: Actor, permission: string) {
  const seen = limitsNamed(actor, { entity: 'l', department: 'l' });
  return sql`
  (select jsonb_agg(jsonb_build_object('role_id', r.id, 'role', r.name, 'scope', r.scope,
            'managed_depth', r.managed_depth, 'entities', case when a.entity_ids is not null
              then to_jsonb(${places('entities', sql`a.entity_ids`, seen.entity)}) end)
            || case when a.department_ids is null then '{}' else jsonb_build_object(
              'departments', ${places('departments', sql`a.department_ids`, seen.department)}) end order by r.name)
   from role_assignments a
   join roles r on r.id = a.role_id
   join role_permissions p on p.role_id = r.id and p.permission = ${permission}
   where a.user_id = u.id) as because`;
}

const tables = sql`
  users u
  left join employees e on e.user_id = u.id
  left join service_accounts s on s.user_id = u.id
  left join entities c on c.id = e.entity_id
  left join departments d on d.id = e.department_id`;

/** A page of the accounts with a permission, with the roles it comes from. */
export async function listHolders(
  db: Db,
  actor: Actor,
  permission: string,
  query: ListQuery,
): Promise<{ rows: PermissionHolder[]; total: number }> {
  const roles = every(oneOfIds(sql`a.role_id`, query.role_id));
  const where = every([
    sql<SqlBool>`u.id in (
      select a.user_id from role_assignments a join role_permissions p on p.role_id = a.role_id
      where p.permission = ${permission} and ${roles})`,
    within(actor),
    ...oneOfIds(sql`e.entity_id`, query.entity_id),
    ...holdsWords([sql`e.name`, sql`e.employee_number`, sql`s.name`, sql`u.email`], query.search),
  ]);
  const by =
    query.sort_by === 'entity_name' ? sql`c.name_sort` : sql`fold(coalesce(e.name, s.name, u.email)) collate "C"`;
  return selectPage<PermissionHolder>(db, query, {
    rows: sql`select ${columns}, ${because(actor, permission)} from ${tables} where ${where}
              ${orderedBy(by, query.sort_direction, sql`u.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
}
