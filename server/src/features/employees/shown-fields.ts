import { employeeFieldGroups } from '@tenure/contract';
import type { Employee, EmployeeRow } from '@tenure/contract';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { can, covers, fieldsFor, isSelf } from './policy.ts';
import type { EmployeeRecord, ListedEmployee } from './queries.ts';
import { storedPrivate } from './stored-fields.ts';

type Bank = NonNullable<Employee['bank']>;
const maskedFields = ['account_number', 'iban'] as const;

/** The last 4 characters of a number, unless that were all of it. */
export const mask = (value: string) => `****${value.length > 4 ? value.slice(-4) : ''}`;

/** Bank details with the numbers masked. */
export function maskBank(bank: Bank | null): Bank | null {
  if (!bank) return null;
  const masked = { ...bank };
  for (const field of maskedFields) if (bank[field]) masked[field] = mask(bank[field]);
  return masked;
}

/** What was sent, with the stored numbers where it shows them masked: a form sends back what it was shown. */
export function unmaskBank(sent: Bank, stored: Bank | null): Bank {
  const bank = { ...sent };
  for (const field of maskedFields) {
    const known = stored?.[field];
    if (known && sent[field] === mask(known)) bank[field] = known;
  }
  return bank;
}

// written out, because a page of people is read more often than anything else; types tell of a field left out
const cardOf = (row: ListedEmployee) => ({
  id: row.id,
  employee_number: row.employee_number,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  salutation: row.salutation,
  middle_name: row.middle_name,
  display_name: row.name,
  entity_id: row.entity_id,
  entity: { id: row.entity_id, name: row.entity_name },
  department_id: row.department_id,
  department: { id: row.department_id, name: row.department_name },
  job_title: row.job_title,
  reporting_manager_id: row.reporting_manager_id,
  reporting_manager: row.reporting_manager_id
    ? {
        id: row.reporting_manager_id,
        employee_number: row.manager_number as string,
        name: row.manager_name as string,
      }
    : null,
  profile_picture_url: row.picture_key ? `/api/employees/${row.id}/profile-picture` : null,
  activity_status: row.activity_status as EmployeeRow['activity_status'],
});

const workOf = (row: ListedEmployee) => ({
  employment_lifecycle: row.employment_lifecycle as EmployeeRow['employment_lifecycle'],
  grade: row.grade,
  employment_type: row.employment_type as EmployeeRow['employment_type'],
  phone: row.phone,
  joining_date: row.joining_date,
  early_access: row.early_access,
  probation_start_date: row.probation_start_date,
  probation_end_date: row.probation_end_date,
  confirmation_date: row.confirmation_date,
  extension_count: row.extension_count,
  notice_date: row.notice_date,
  last_working_date: row.last_working_date,
  roles: row.roles,
  user: {
    id: row.user_id,
    last_login_at: row.last_login_at,
    has_password: row.has_password,
    must_change_password: row.must_change_password,
  },
});

const privateOf = (row: EmployeeRecord, reveal: boolean) => ({
  ...storedPrivate(row),
  bank: reveal ? row.bank : maskBank(row.bank),
});

/** Turns rows of a list into what the actor sees of them. What the actor may not see is absent. */
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

const privateFields: readonly string[] = employeeFieldGroups.private;

export const isPrivate = (field: string): boolean => privateFields.includes(field);
/** Is there a private field among those a request sent? Its answer shows what was written. */
export const namesPrivate = (sent: object): boolean => Object.keys(sent).some(isPrivate);

export type Shown = {
  /** The private details of somebody else were asked for, or written. */
  private?: boolean;
  /** With bank numbers in full. */
  bank?: boolean;
};

/** A single record as the actor sees it. What is private of somebody else is given to those who ask for it only. */
export function presentEmployee(actor: Actor, row: EmployeeRecord, shown: Shown = {}): Employee {
  const may = fieldsFor(actor)(row).private;
  const given = may && (isSelf(actor, row) || shown.private === true);
  return {
    ...presentRows(actor)(row),
    ...(may && { private_details: given ? ('included' as const) : ('on_request' as const) }),
    ...(given && privateOf(row, shown.bank === true)),
    ...(covers(actor, reachOf(actor, 'employees.deactivate'), row) && { responsibilities: row.responsibilities }),
  };
}
