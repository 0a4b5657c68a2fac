import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Holder } from './actor.ts';
import { managedDepartmentsOf, managedPeopleOf, treePeopleOf } from './scope.ts';

/** The position of a person or department of an account relative to the actor. */
export type RelativePosition = {
  entity_id: number;
  department_id: number;
  is_managed: boolean;
  is_in_tree: boolean;
  is_self: boolean;
};
/** A position that an account manages: with any role for managed people, or only with one for the whole tree. */
export type ManagedPosition = RelativePosition & { by_tree: boolean };

/**
 * Reads the positions of the people and departments that each account manages now, without duplicates. Those managed
 * only as part of a whole tree are read for accounts with such a role.
 */
export async function loadManaged(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
): Promise<Map<number, ManagedPosition[]>> {
  const { rows } = await sql<ManagedPosition & { user_id: number }>`
    with recursive heads as (
      select e.user_id, e.id from employees e where e.user_id = any(${userIds}::bigint[])
    ), below as (
      select h.user_id, d.id from heads h join departments d on d.manager_id = h.id
      union
      select b.user_id, d.id from below b join departments d on d.parent_id = b.id
    ), led as (
      select user_id, id from below
      union
      select h.user_id, d.id from heads h join departments d on d.team_lead_id = h.id
    ), people as (
      select h.user_id, p.id, false as by_tree from heads h join employees p on p.reporting_manager_id = h.id
      union
      select l.user_id, p.id, false from led l join employees p on p.department_id = l.id
      union
      select h.user_id, p.id, true from heads h cross join managers_below(h.id) as b
      join employees p on p.reporting_manager_id = b
      where exists (select from role_assignments a join roles r on r.id = a.role_id
                    where a.user_id = h.user_id and r.managed_depth = 'tree')
    )
    select m.user_id, e.entity_id, e.department_id, e.id = ${actor.employee_id}::bigint is true as is_self,
           (${managedPeopleOf(actor, 'e')}) is true as is_managed, (${treePeopleOf(actor, 'e')}) is true as is_in_tree,
           m.by_tree
    from people m join employees e on e.id = m.id
    where e.deleted_at is null and e.user_id is distinct from m.user_id
      and e.id not in (select superiors_of(h.id) from heads h where h.user_id = m.user_id)
    union
    select l.user_id, d.entity_id, d.id, false, ${managedDepartmentsOf(actor, 'd')}, false, false
    from led l join departments d on d.id = l.id`.execute(db);
  return Map.groupBy(rows, ({ user_id }) => user_id);
}
