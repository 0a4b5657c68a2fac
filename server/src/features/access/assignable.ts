import { ownLimits } from '../../access/actor.ts';
import type { Actor, Grant, InDepartments, RoleScope } from '../../access/actor.ts';
import { mayGive } from '../../access/given-roles.ts';
import { isLimitable, isLimitableToDepartments } from '../../people/roles.ts';
import type { Role } from '../../access/given-roles.ts';

type Placed = { id: number; entity_id: number; department_id?: number };
type Assignable = {
  role_id: number;
  role: string;
  scope: RoleScope;
  limitable: boolean;
  in_departments: boolean;
  entity_ids: number[] | null;
  /** The departments that limit the actor's roles. */
  named: InDepartments['named'];
};

/** The roles the actor can give to the person; for a limited role, also the companies it can be limited to. */
export function assignableTo(actor: Actor, person: Placed, roles: readonly Role[]): Assignable[] {
  // the actor can limit other roles to the limits of the own roles only
  const own = ownLimits(actor);
  return roles.flatMap((role): Assignable[] => {
    const limitable = isLimitable(role);
    const in_departments = isLimitableToDepartments(role);
    const found = { role_id: role.id, role: role.name, scope: role.scope, limitable, in_departments, named: [] };
    if (mayGive(actor, { role, entity_ids: null }, person)) return [{ ...found, entity_ids: null }];
    // check each company separately, so that the actor can select any combination of allowed companies
    const within = limitable ? own.entity_ids.filter((id) => mayGive(actor, { role, entity_ids: [id] }, person)) : [];
    const gives = (place: InDepartments['named'][number]) =>
      mayGive(actor, { role, entity_ids: [], in_departments: { named: [place], below: [] } }, person);
    const named = in_departments ? own.named.filter(gives) : [];
    return within.length + named.length > 0 ? [{ ...found, entity_ids: within, named }] : [];
  });
}

/** True when the actor can remove this role from the person. */
export function isRemovable(actor: Actor, person: Placed, grant: Grant, roles: readonly Role[]): boolean {
  const role = roles.find(({ id }) => id === grant.role_id);
  const { entity_ids, in_departments } = grant;
  return role !== undefined && mayGive(actor, { role, entity_ids, in_departments }, person);
}
