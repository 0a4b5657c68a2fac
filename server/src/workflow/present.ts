import type { WorkflowNames, WorkflowRow } from './row.ts';

/** Records of a workflow in the form of answers. */

type Shown = WorkflowRow & WorkflowNames & { status_changed_at: string; created_at: string; updated_at: string };

/** The person who did something; null if it was not done. */
export const actorOf = (user_id: number | null, name: string | null) => (name === null ? null : { user_id, name });

/** The person concerned, their place, the reviewer and the state: visible to all readers in scope. */
export const frameOf = <Row extends Shown>(row: Row) => ({
  id: row.id,
  employee_id: row.employee_id,
  employee: { id: row.employee_id, employee_number: row.person_number, name: row.person_name },
  entity_id: row.entity_id,
  entity: { id: row.entity_id, name: row.entity_name },
  department_id: row.department_id,
  department: { id: row.department_id, name: row.department_name },
  reviewer_id: row.reviewer_id,
  reviewer:
    row.reviewer_id === null
      ? null
      : { id: row.reviewer_id, employee_number: row.reviewer_number ?? '', name: row.reviewer_name ?? '' },
  status: row.status as Row['status'],
  status_changed_at: row.status_changed_at,
  round: row.round,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
