import type { conflictRules } from '@tenure/contract';

/** What a column of a file of people can be. */
export const importFields = [
  'employee_number',
  'first_name',
  'last_name',
  'email',
  'entity',
  'entity_id',
  'department',
  'department_id',
  'date_of_birth',
  'gender',
  'marital_status',
  'nationality',
  'job_title',
  'reporting_manager',
  'joining_date',
  'probation_start_date',
  'probation_end_date',
  'confirmation_date',
  'notice_date',
  'last_working_date',
  'activity_status',
  'employment_lifecycle',
  'middle_name',
  'display_name',
  'salutation',
  'employment_type',
  'grade',
  'phone',
  'mobile',
  'personal_email',
  'role',
] as const;
export type ImportField = (typeof importFields)[number];

const required: readonly ImportField[] = ['first_name', 'last_name', 'email', 'entity', 'department'];

export const isImportField = (field: string): field is ImportField =>
  (importFields as readonly string[]).includes(field);

/** A company, a department or a manager is one thing to people, whether a file gives its id or its name. */
export const plainField = (field: string): string => field.replace(/^(entity|department|reporting_manager)_id$/, '$1');

/**
 * The required fields that neither a column nor a value for all rows fills. A file that updates people by their numbers
 * may leave out what stays.
 */
export function missingFields(
  mapped: readonly (string | null)[],
  defaults: Record<string, unknown>,
  onConflict: (typeof conflictRules)[number],
): ImportField[] {
  const filled = new Set([...mapped.filter((field) => field !== null), ...Object.keys(defaults)].map(plainField));
  if (onConflict === 'update' && filled.has('employee_number')) return [];
  return required.filter((field) => !filled.has(field));
}
