import type { Permission } from '@tenure/contract';
import { holds, manages, reachesDepartment, reachOf } from '../access/actor.ts';
import type { Actor, Reach } from '../access/actor.ts';
import type { WorkflowRow } from './row.ts';

/** What an actor is to a record of a workflow. Each workflow defines its capacities. */

function isManaged(actor: Actor, reach: Reach, row: WorkflowRow): boolean {
  const { employee_id: id, person_manager_id: reporting_manager_id, department_id, entity_id } = row;
  const today = { id, reporting_manager_id, department_id: row.person_department_id, entity_id: row.person_entity_id };
  const then = { id, reporting_manager_id: null, department_id, entity_id };
  return manages(actor, reach, today) || manages(actor, reach, then);
}

/** Whether a permission of the actor covers the record of another person. */
export function covers(actor: Actor, permission: Permission, row: WorkflowRow): boolean {
  const reach = reachOf(actor, permission);
  const { entity_id, department_id, person_department_id } = row;
  if (reachesDepartment(reach, { entity_id, department_id })) return true;
  // for departments, the person's current place counts too, as for managers
  if (reach.department_ids.includes(person_department_id)) return true;
  return isManaged(actor, reach, row);
}

export const isSubject = ({ employee_id }: Actor, row: WorkflowRow): boolean => row.employee_id === employee_id;

export const isReviewer = ({ employee_id }: Actor, row: WorkflowRow): boolean =>
  row.reviewer_id !== null && row.reviewer_id === employee_id;

/** The capacities of an actor, who is the subject of only their own record. */
export const capacitiesWith =
  <Row extends WorkflowRow, Capacity extends string>(
    permissionOf: Readonly<Record<'subject', Permission>>,
    ofOthers: (actor: Actor, row: Row) => ReadonlySet<Capacity>,
  ) =>
  (actor: Actor, row: Row): ReadonlySet<Capacity | 'subject'> => {
    if (!isSubject(actor, row)) return ofOthers(actor, row);
    return new Set(holds(actor, permissionOf.subject) ? ['subject'] : []);
  };

/** True for the deputy who currently acts for the absent reviewer. */
export const isDeputy = ({ employee_id }: Pick<Actor, 'employee_id'>, row: WorkflowRow): boolean =>
  employee_id !== null && row.deputy?.id === employee_id;
