import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../access/actor.ts';
import type { Actor, Grant, Reach } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';

/** The rights that an account gains over people whom it comes to manage. */

/** The grants of people with a role for managed people. */
export type Managers = ReadonlyMap<number, readonly Grant[]>;

const isWithin = ({ entity_ids }: Pick<Grant, 'entity_ids'>, entityId: number) =>
  entity_ids === null || entity_ids.includes(entityId);

export const present = (ids: readonly (number | null)[]) => [
  ...new Set(ids.filter((id): id is number => id !== null && id > 0)),
];

/** Reads the roles of the managers who have one for managed people. */
export async function managersAmong(db: Db, employeeIds: readonly (number | null)[]): Promise<Managers> {
  const ids = present(employeeIds);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; grants: (Omit<Grant, 'permissions'> & { permissions: Permission[] })[] }>`
    select e.id, json_agg(json_build_object(
             'role_id', r.id, 'role', r.name, 'scope', r.scope, 'managed_depth', r.managed_depth,
             'entity_ids', a.entity_ids,
             'permissions', array(select p.permission from role_permissions p where p.role_id = r.id))) as grants
    from employees e
    join role_assignments a on a.user_id = e.user_id
    join roles r on r.id = a.role_id
    where e.id = any(${ids}::bigint[])
    group by e.id having bool_or(r.scope = 'managed')`.execute(db);
  return new Map(
    rows.map(({ id, grants }) => [id, grants.map((grant) => ({ ...grant, permissions: new Set(grant.permissions) }))]),
  );
}

/**
 * Whether an account manages a person or department before and after a change, and in which company: with every role
 * for managed people, or only with roles for the whole tree, in the tree below it.
 */
export type Tie = {
  before: { entity_id: number; is_managed: boolean; in_tree?: boolean } | null;
  after: { entity_id: number; only_in_tree?: boolean };
};

/** The permissions an account gains over newly managed people. */
export function gained(grants: readonly Grant[], { before, after }: Tie): Permission[] {
  const managing = (entityId: number, { only_in_tree = false } = {}) =>
    grants.filter(
      (grant) =>
        grant.scope === 'managed' && isWithin(grant, entityId) && (!only_in_tree || grant.managed_depth === 'tree'),
    );
  const earlier =
    before?.is_managed || before?.in_tree ? managing(before.entity_id, { only_in_tree: !before.is_managed }) : [];
  const coversAll = (permission: Permission) =>
    grants.some(
      (grant) => grant.scope === 'all' && grant.permissions.has(permission) && isWithin(grant, after.entity_id),
    );
  const permissions = managing(after.entity_id, after).flatMap((grant) => [...grant.permissions]);
  return [...new Set(permissions)].filter(
    (permission) =>
      // it shows cards of whole companies and does not depend on managers
      permission !== 'employees.view_all' &&
      !earlier.some((grant) => grant.permissions.has(permission)) &&
      !coversAll(permission),
  );
}

/** The actor's reach by permission, computed once. */
export function reachesOf(actor: Actor): (permission: Permission) => Reach {
  const known = new Map<Permission, Reach>();
  return (permission) => {
    const reach = known.get(permission) ?? reachOf(actor, permission);
    known.set(permission, reach);
    return reach;
  };
}

/** The managers with a right over managed people that the actor lacks for some people. */
export function managersInDoubt(actor: Actor, managers: Managers): Managers {
  const reach = reachesOf(actor);
  const inDoubt = ({ scope, permissions }: Grant) =>
    scope === 'managed' && [...permissions].some((permission) => !reach(permission).everything);
  return new Map([...managers].filter(([, grants]) => grants.some(inDoubt)));
}
