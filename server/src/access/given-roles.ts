import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { reachesEntity } from './actor.ts';
import type { Actor, InDepartments, ManagedDepth, Reach, RoleScope } from './actor.ts';
import { everyRight, reachesLimits } from './cover.ts';

/** Roles with their limits, and who may give them. */

export type Role = {
  id: number;
  name: string;
  scope: RoleScope;
  managed_depth: ManagedDepth;
  is_system: boolean;
  permissions: ReadonlySet<Permission>;
};
export type Given = {
  role: Role;
  entity_ids: number[] | null;
  in_departments?: InDepartments | null | undefined;
  /** The name of the provider or connection whose rule gives it; null for a role that was assigned by hand. */
  provider?: string | null;
};

/** The person for whom a role is checked. */
type Placed = { id: number; entity_id: number; department_id?: number };

/** True for the role Admin. */
export const isAdmin = ({ role }: Given) => role.is_system && role.name === 'Admin';

export async function loadRoles(db: Db): Promise<Role[]> {
  const { rows } = await sql<Omit<Role, 'permissions'> & { permissions: Permission[] }>`
    select r.id, r.name, r.scope, r.managed_depth, r.is_system,
           coalesce((select array_agg(p.permission) from role_permissions p where p.role_id = r.id), '{}') as permissions
    from roles r order by r.name`.execute(db);
  return rows.map((row) => ({ ...row, permissions: new Set(row.permissions) }));
}

function covers(reach: Reach, scope: RoleScope, given: Omit<Given, 'role'>, person: Placed): boolean {
  // managed people change daily, so a role for them is checked by its companies
  if (reach.everything || scope !== 'own') return reachesLimits(reach, given);
  const { managed, managed_entity_ids, department_ids } = reach;
  return (
    reachesEntity(reach, person.entity_id) ||
    (person.department_id !== undefined && department_ids.includes(person.department_id)) ||
    (managed && (managed_entity_ids === null || managed_entity_ids.includes(person.entity_id)))
  );
}

/** True when the actor has all rights that the role would give the person. */
export const liesWithin = (actor: Pick<Actor, 'grants'>, { role, ...limits }: Given, person: Placed): boolean =>
  everyRight(actor, role, ({ reach, scope }) => covers(reach, scope, limits, person));

/** True when the actor can give or remove the role: Admin needs an Admin, others must lie within the actor's own. */
export const mayGive = (actor: Pick<Actor, 'grants' | 'is_admin'>, given: Given, person: Placed): boolean =>
  isAdmin(given) ? actor.is_admin : liesWithin(actor, given, person);
