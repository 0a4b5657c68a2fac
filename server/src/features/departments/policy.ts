import type { Permission } from '@tenure/contract';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { departmentsIn } from '../../access/scope.ts';
import { forbidden } from '../../http/errors.ts';

/** The place of a department in the tree; a new one has no id. */
export type ScopedDepartment = { id: number | null; entity_id: number };

/** The two head fields of a department, and the permissions to set them. */
export const headPermissions = {
  manager_id: 'departments.assign_managers',
  team_lead_id: 'departments.assign_team_leads',
} as const satisfies Record<string, Permission>;
export type HeadField = keyof typeof headPermissions;
export const headFields = Object.keys(headPermissions) as HeadField[];

/** Rows of `departments` that a permission of the actor covers. */
export const departmentsFor = (actor: Actor, permission: Permission) =>
  departmentsIn(actor, reachOf(actor, permission));

/** True when the scope covers the department: `departmentsIn` for a single row. */
export function covers(actor: Actor, reach: Reach, { id, entity_id }: ScopedDepartment): boolean {
  if (reachesEntity(reach, entity_id) || (id !== null && reach.department_ids.includes(id))) return true;
  if (!reach.managed || id === null || !actor.managed_departments.includes(id)) return false;
  return reach.managed_entity_ids === null || reach.managed_entity_ids.includes(entity_id);
}

/** The actor's current actions on departments. */
export function can(actor: Actor): (department: { id: number; entity_id: number; is_unused: boolean }) => string[] {
  const reaches = {
    update: reachOf(actor, 'departments.update'),
    delete: reachOf(actor, 'departments.delete'),
    manager: reachOf(actor, headPermissions.manager_id),
    'team-lead': reachOf(actor, headPermissions.team_lead_id),
  };
  const mayExport = holds(actor, 'departments.view');
  return (department) => [
    ...Object.entries(reaches)
      .filter(([action, reach]) => covers(actor, reach, department) && (action !== 'delete' || department.is_unused))
      .map(([action]) => action),
    ...(mayExport ? ['export'] : []),
  ];
}

/** Refuses a change of manager or team lead without the permission for the department in each of these places. */
export function refuseHeads(
  actor: Actor,
  changed: readonly HeadField[],
  departments: readonly ScopedDepartment[],
): void {
  for (const field of changed) {
    const reach = reachOf(actor, headPermissions[field]);
    if (!departments.every((department) => covers(actor, reach, department))) throw forbidden();
  }
}
