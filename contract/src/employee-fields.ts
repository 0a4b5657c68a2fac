import * as z from 'zod';
import { AbsenceDays } from './absences.ts';
import { employeeRows } from './employee-rows.ts';
import { day, allowedActions, instant, stamps } from './envelope.ts';
import { columnsOfParts, inOrder, inputOf, namesWhere, outputOf } from './field-kit.ts';
import { id } from './fields.ts';
import type { Permission } from './permissions.ts';

export const roleAssignments = z
  .array(
    z.object({
      role_id: id(),
      /** Whole companies. Without companies and departments, there is no limit. */
      entity_ids: z.array(id()).max(500).nullish(),
      /** Departments, with their descendants. A company with a department in this list counts as limited to these. */
      department_ids: z.array(id()).max(500).nullish(),
    }),
  )
  .max(50);

/** What a form may send. */
export const employeeInput = inputOf(employeeRows);

const [card, work, sensitive] = [
  outputOf(employeeRows, 'card'),
  outputOf(employeeRows, 'work'),
  outputOf(employeeRows, 'private'),
];

/** Fields that only holders of `employees.view_sensitive` and the person see. */
export type PrivateField = keyof typeof sensitive;

/** The fields of each group of readers. */
export const employeeFieldGroups = {
  card: Object.keys(card),
  work: Object.keys(work),
  private: Object.keys(sensitive),
} as const;

/** The parts of a field, as form labels name them: `bank_iban`. */
const partsOf = (name: string): string[] =>
  columnsOfParts(name, employeeRows[name as keyof typeof employeeRows]).map(({ column }) => column);

/** The fields of a person that a permission shows, with their parts, within the scope of the role. */
export const fieldsShownBy: Partial<Record<Permission, readonly string[]>> = {
  'employees.view': [...employeeFieldGroups.card, ...employeeFieldGroups.work],
  'employees.view_all': employeeFieldGroups.card,
  'employees.view_sensitive': employeeFieldGroups.private.flatMap((name) => [name, ...partsOf(name)]),
};

/** Fields whose changes the job history records. */
export const jobFields = [
  'entity_id',
  'department_id',
  'reporting_manager_id',
  'job_title',
  'grade',
  'employment_type',
] as const;

/** The fields in forms, with parts in the form `address.city`. */
const formFields = Object.entries(employeeRows).flatMap(([name, row]) => {
  if (!('section' in row)) return [];
  return 'parts' in row ? Object.keys(row.parts).map((part) => `${name}.${part}`) : [name];
});

/** The order of fields in their section of a form; fields not listed here follow in row order. */
export const employeeFormOrder: readonly string[] = inOrder(formFields, [
  'first_name',
  'last_name',
  'middle_name',
  'salutation',
  'display_name',
  'email',
  'phone',
  'mobile',
  'personal_email',
  'address.line1',
  'address.line2',
  'address.postal_code',
  'address.city',
  'address.state',
  'address.country',
  'entity_id',
  'department_id',
  'job_title',
  'reporting_manager_id',
  'employment_type',
  'joining_date',
  'early_access',
  'employee_number',
  'grade',
  'activity_status',
  'employment_lifecycle',
]);

/** Fields that lists offer as columns. */
export const listedFields = namesWhere(employeeRows, 'list');

export const EmployeeRow = z.object({
  id: z.int(),
  ...card,
  ...work,
  /** The current absence, without its reason; shown together with the employment. */
  absence: AbsenceDays.nullable().optional(),
  deleted_at: instant.nullable().optional(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
  /** The day whose job is shown, and its source in the job history; the other fields have today's values. */
  as_of: z
    .object({
      date: day,
      source: z.enum(['entered', 'imported', 'assumed']),
      effective_from: day,
      /** The job comes from a scheduled change. */
      planned: z.boolean(),
    })
    .optional(),
});
export type EmployeeRow = z.output<typeof EmployeeRow>;

export const Responsibilities = z.object({
  departments_managed: z.int(),
  departments_led: z.int(),
  direct_reports: z.int(),
  open_evaluations: z.int(),
  open_probation_reviews: z.int(),
  cycles_owned: z.int(),
});

/** Private fields of another person: sent on request, absent if the reader may not see them. */
export const privateDetails = ['included', 'on_request'] as const;

export const Employee = EmployeeRow.extend({
  /** The day in the company of the person. */
  today: day,
  ...sensitive,
  private_details: z.enum(privateDetails).optional(),
  responsibilities: Responsibilities.optional(),
});
export type Employee = z.output<typeof Employee>;
