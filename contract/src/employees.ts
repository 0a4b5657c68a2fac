import * as z from 'zod';
import { Employee, employeeInput, EmployeeRow, roleAssignments } from './employee-fields.ts';
import { probationEnds } from './employee-probation.ts';
import { employeeRows } from './employee-rows.ts';
import { confirmed, confirmedChanges, endpoint } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { inOrder, namesWhere } from './field-kit.ts';
import { boolean, changes, date, id, oneOf, reason, revision } from './fields.ts';
import { exportQuery, filters, filtersOf, listQuery } from './lists.ts';
import { tables } from './files.ts';
import { HeadCountOnDay } from './head-count.ts';
import { OneTimePassword } from './one-time-passwords.ts';
import { messageField } from './message-field.ts';

const otherSorts = ['entity_name', 'department_name', 'created_at', 'updated_at'] as const;
export const sortedFields = namesWhere(employeeRows, 'sort');
type Sort = (typeof sortedFields)[number] | (typeof otherSorts)[number];

/** The sort fields of people; the first one is the default. */
export const employeeSorts = inOrder<Sort>(
  [...sortedFields, ...otherSorts],
  [
    'last_name',
    'first_name',
    'employee_number',
    'email',
    'entity_id',
    'department_id',
    'entity_name',
    'department_name',
  ],
);

/**
 * No probation end; no probation review; a department head without the permission to review; may sign in, but has no
 * password or never signed in.
 */
export const missingOfEmployees = ['probation_end', 'probation_review', 'review_permission', 'sign_in'] as const;

/**
 * How far people have come in choosing a password: with a valid invitation, with one that expired unused, with a valid
 * one-time password, with none of these, or `active` with their own password; `none` without an account.
 */
export const signInStates = ['not_invited', 'invited', 'expired', 'password_issued', 'active', 'none'] as const;

/** Data about other people that is sent on request and recorded: private details, and with `bank` full bank numbers. */
export const reveals = ['private', 'bank'] as const;

const { entity_id, department_id, activity_status, employment_lifecycle, reporting_manager_id, ...otherFilters } =
  filtersOf(employeeRows);

const query = listQuery(employeeSorts, {
  /** A selection, for lists and exports of certain people. */
  id: filters.ids(),
  entity_id,
  department_id,
  activity_status,
  employment_lifecycle,
  reporting_manager_id,
  /** 0: accounts without a role. */
  role_id: filters.ids(),
  ...otherFilters,
  joined_from: filters.day(),
  joined_to: filters.day(),
  probation_ends_from: filters.day(),
  probation_ends_to: filters.day(),
  /** The employment has ended: resigned or terminated, and inactive. */
  left: filters.flag(),
  /** The last working day, including that of an earlier employment of rehired people. */
  left_from: filters.day(),
  left_to: filters.day(),
  /** The day of a rehire. */
  rehired_from: filters.day(),
  rehired_to: filters.day(),
  /** People who lack something. */
  missing: filters.oneOf(missingOfEmployees),
  sign_in: filters.oneOf(signInStates),
  /** Absent today, by the calendar of their company. */
  absent: filters.flag(),
  /** Added or changed by an import that the reader sees. */
  import_id: filters.ids(),
  deleted: filters.flag(),
  /**
   * The job fields as of a day, for people employed on it whose employment the reader sees today. Cannot be combined
   * with `absent`, `deleted`, `left`, `missing` and `sign_in`.
   */
  as_of: filters.day(),
});

/** Warnings that block nothing. */
const warnings = { warnings: z.array(messageField()).optional() };
const reply = item(Employee);
const written = reply.extend(warnings);
const created = written.extend(OneTimePassword.partial().shape);
const employeePath = '/employees/:id';
const because = z.object({ reason: reason(), ...revision });
const handover = { reassign_to: id().nullish() };

const { employee_number, ...rehireFields } = employeeInput;
const ended = {
  method: 'POST',
  permission: 'employees.deactivate',
  scope: 'relationship',
  reply,
  status: 200,
} as const;

/** People: list, record, lifecycle steps, roles and passwords. Attachments and job history have their own files. */
export const employees = {
  list: endpoint({
    method: 'GET',
    path: '/employees',
    summary: 'List people',
    permission: 'employees.view',
    scope: 'scoped',
    query,
    reply: page(EmployeeRow),
    status: 200,
  }),
  export: endpoint({
    method: 'GET',
    path: '/employees/export',
    summary: 'Export people',
    step_up: true,
    permission: 'employees.export',
    scope: 'scoped',
    query: exportQuery(query).extend({ reveal: z.enum(reveals).nullish() }),
    file: tables,
    budget: 'export',
    status: 200,
  }),
  headCount: endpoint({
    method: 'GET',
    path: '/employees/head-count',
    summary: 'Count the people of the list as of a day',
    permission: 'employees.view',
    scope: 'scoped',
    query: query.omit({ page: true, per_page: true, sort_by: true, sort_direction: true }).extend({ as_of: date() }),
    reply: item(HeadCountOnDay),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: employeePath,
    summary: 'Read a person',
    permission: 'employees.view',
    scope: 'scoped',
    /** `as_of`: the job fields as of a day, without private details. */
    query: z.object({ reveal: z.enum(reveals).nullish(), as_of: filters.day() }),
    step_up: { query: 'reveal', except: ['private'] },
    reply,
    status: 200,
  }),
  pdf: endpoint({
    method: 'GET',
    path: `${employeePath}/pdf`,
    summary: 'A person as PDF without private details, as far as the reader sees them',
    permission: 'employees.view',
    scope: 'scoped',
    file: ['pdf'],
    budget: 'export',
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/employees',
    summary: 'Add a person',
    permission: 'employees.create',
    scope: 'scoped',
    // an account with roles and a password
    step_up: true,
    body: z.object({ ...employeeInput, issue_password: boolean().optional(), assignments: roleAssignments.optional() }),
    reply: created,
    secret: 'one_time_password',
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: employeePath,
    summary: 'Change a person',
    permission: 'employees.update',
    scope: 'scoped',
    ...confirmedChanges,
    body: changes(z.object(employeeInput), {
      ...revision,
      /** When a new sign-in address takes effect; without mail, and for people who never signed in, always now. */
      address_takes_effect: oneOf(['confirmed', 'now']).optional(),
    }),
    reply: written,
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: employeePath,
    summary: 'Delete a person created by mistake',
    permission: 'employees.deactivate',
    scope: 'relationship',
    status: 204,
  }),
  confirm: endpoint({
    method: 'POST',
    path: `${employeePath}/confirm`,
    summary: 'Confirm after probation',
    permission: 'employees.update',
    scope: 'relationship',
    body: z.object({ confirmation_date: date(), reason: reason(), ...revision }),
    reply,
    status: 200,
  }),
  ...probationEnds,
  deactivate: endpoint({
    ...ended,
    path: `${employeePath}/deactivate`,
    summary: 'Suspend: no work, no sign-in',
    body: z.object({ reason: reason(), ...handover, ...revision }),
  }),
  reactivate: endpoint({
    ...ended,
    path: `${employeePath}/reactivate`,
    summary: 'Bring a suspended person back',
    body: because,
  }),
  separate: endpoint({
    ...ended,
    path: `${employeePath}/separate`,
    summary: 'Record a resignation or termination',
    body: z.object({
      type: oneOf(['resigned', 'terminated']),
      notice_date: date().nullish(),
      last_working_date: date(),
      reason: reason(),
      evaluations: oneOf(['keep', 'cancel']).optional(),
      ...handover,
      ...revision,
    }),
  }),
  withdrawSeparation: endpoint({
    ...ended,
    body: because,
    path: `${employeePath}/withdraw-separation`,
    summary: 'Take a separation back before its last day',
  }),
  restore: endpoint({
    ...ended,
    body: because,
    path: `${employeePath}/restore`,
    summary: 'Bring a deleted person back',
  }),
  rehire: endpoint({
    method: 'POST',
    path: `${employeePath}/rehire`,
    summary: 'Hire a former employee again',
    permission: 'employees.create',
    scope: 'relationship',
    ...confirmedChanges,
    body: changes(z.object(rehireFields), { joining_date: date(), ...revision }),
    reply,
    status: 200,
  }),
  setRoles: endpoint({
    method: 'PUT',
    path: `${employeePath}/roles`,
    summary: 'Replace the roles of a person',
    permission: 'employees.assign_roles',
    scope: 'relationship',
    ...confirmed,
    body: z.object({ assignments: roleAssignments, ...revision }),
    reply,
    status: 200,
  }),
  picture: endpoint({
    method: 'GET',
    path: `${employeePath}/profile-picture`,
    summary: 'The picture of a person',
    permission: 'employees.view',
    scope: 'scoped',
    file: ['webp'],
    status: 200,
  }),
  setPicture: endpoint({
    method: 'POST',
    path: `${employeePath}/profile-picture`,
    summary: 'Set the picture of a person',
    permission: 'employees.update',
    scope: 'scoped',
    upload: 'picture',
    reply,
    status: 200,
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: `${employeePath}/profile-picture`,
    summary: 'Remove the picture of a person',
    permission: 'employees.update',
    scope: 'scoped',
    status: 204,
  }),
};
