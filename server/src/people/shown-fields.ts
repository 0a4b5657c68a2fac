import { employeeFieldGroups } from '@tenure/contract';
import type { Employee, EmployeeRow } from '@tenure/contract';
import { reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { maskBank } from './bank.ts';
import { can, covers, fieldsFor, isSelf } from './policy.ts';
import type { EmployeeRecord, ListedEmployee, ListedOnDay } from './record.ts';
import { storedOf } from './stored-fields.ts';

const cardOf = (row: ListedOnDay) => ({
  id: row.id,
  ...storedOf('card', row),
  display_name: row.name,
  entity: { id: row.entity_id, name: row.entity_name },
  department: { id: row.department_id, name: row.department_name },
  reporting_manager: row.reporting_manager_id
    ? {
        id: row.reporting_manager_id,
        employee_number: row.manager_number as string,
        name: row.manager_name as string,
      }
    : null,
  profile_picture_url: row.picture_key ? `/api/employees/${row.id}/profile-picture` : null,
});

const workOf = (row: ListedOnDay) => ({
  ...storedOf('work', row),
  absence: row.absence,
  roles: row.roles,
  user:
    row.user_id === null
      ? null
      : {
          id: row.user_id,
          last_login_at: row.last_login_at,
          has_password: row.has_password,
          must_change_password: row.must_change_password,
          invitation: row.invitation,
        },
});

const privateOf = (row: EmployeeRecord, reveal: boolean) => ({
  ...storedOf('private', row),
  bank: reveal ? row.bank : maskBank(row.bank),
});

/** Converts list rows to what the actor sees, leaving out hidden fields. */
export function presentRows(actor: Actor): (row: ListedEmployee) => EmployeeRow {
  const [groups, allowed, leavers] = [fieldsFor(actor), can(actor), reachOf(actor, 'employees.deactivate')];
  return (row) => ({
    ...cardOf(row),
    ...(groups(row).work && workOf(row)),
    ...(covers(actor, leavers, row) && { deleted_at: row.deleted_at }),
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    allowed_actions: allowed(row),
  });
}

/** A row as of a day, for readers of the employment, without actions. */
export const presentOnDay = (row: ListedOnDay): EmployeeRow => ({
  ...cardOf(row),
  ...workOf(row),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
  allowed_actions: [],
});

const privateFields: readonly string[] = employeeFieldGroups.private;

export const isPrivate = (field: string): boolean => privateFields.includes(field);
/** True when a request sent a private field, so that its answer shows what was written. */
export const namesPrivate = (sent: object): boolean => Object.keys(sent).some(isPrivate);

export type Shown = {
  /** Private details of another person were requested or written. */
  private?: boolean;
  /** With full bank numbers. */
  bank?: boolean;
};

/** A record as the actor sees it. Includes private details of other people only on request. */
export function presentEmployee(actor: Actor, row: EmployeeRecord, shown: Shown = {}): Employee {
  const may = fieldsFor(actor)(row).private;
  const given = may && (isSelf(actor, row) || shown.private === true);
  const listed = presentRows(actor)(row);
  return {
    ...listed,
    today: row.today,
    ...(listed.user && { user: { ...listed.user, address_change: row.address_change } }),
    ...(may && { private_details: given ? ('included' as const) : ('on_request' as const) }),
    ...(given && privateOf(row, shown.bank === true)),
    ...(covers(actor, reachOf(actor, 'employees.deactivate'), row) && { responsibilities: row.responsibilities }),
  };
}
