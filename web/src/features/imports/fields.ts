/** What a column of a file of people can be. */
export const importFields = [
  'employee_number',
  'first_name',
  'last_name',
  'email',
  'entity',
  'department',
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

/** `entity_id` and `entity` are one column to people: an id, a name or a code. */
export const plainField = (field: string): string => field.replace(/^(entity|department|reporting_manager)_id$/, '$1');

/** The required fields that neither a column nor a value for all rows fills. */
export function missingFields(mapped: readonly (string | null)[], defaults: Record<string, unknown>): ImportField[] {
  const filled = new Set([...mapped.filter((field) => field !== null), ...Object.keys(defaults)].map(plainField));
  return required.filter((field) => !filled.has(field));
}
