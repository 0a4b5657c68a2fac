import { employeeRows } from './employee-rows.ts';
import { columnsOfParts, inOrder } from './field-kit.ts';

type Rows = typeof employeeRows;
type Imported = { [K in keyof Rows]: Rows[K] extends { importAs: readonly string[] } ? K : never }[keyof Rows];
type WithParts = { [K in keyof Rows]: Rows[K] extends { parts: object } ? K : never }[keyof Rows];
/** The columns of fields with parts, such as `bank_iban`. */
export type PartColumn = {
  [K in WithParts]: Rows[K] extends { parts: infer P } ? `${K}_${keyof P & string}` : never;
}[WithParts];

/** Fields with different content in files: names instead of ids, and roles. */
const byName = {
  entity: ['company', 'legal entity', 'employer', 'firma', 'gesellschaft', 'arbeitgeber'],
  department: ['dept', 'organisationseinheit'],
  reporting_manager: [
    'manager',
    'manager no',
    'reports to',
    'reporting to',
    'supervisor',
    'line manager',
    'vorgesetzter',
    'vorgesetzte',
    'vorgesetzte/r',
    'vorgesetzte:r',
    'führungskraft',
  ],
  role: [],
} as const;

export type ImportField = Imported | PartColumn | keyof typeof byName;

/** The order of columns in the sample file; fields not listed here follow in row order. */
const fileOrder: readonly string[] = [
  'employee_number',
  'first_name',
  'last_name',
  'email',
  'entity_id',
  'entity',
  'department_id',
  'department',
  'date_of_birth',
  'gender',
  'marital_status',
  'nationality',
  'job_title',
  'activity_status',
  'employment_lifecycle',
  'reporting_manager',
  'joining_date',
  'probation_start_date',
  'probation_end_date',
  'confirmation_date',
  'notice_date',
  'last_working_date',
  'middle_name',
  'display_name',
  'salutation',
  'employment_type',
  'grade',
  'phone',
  'mobile',
  'personal_email',
  'role',
] satisfies ImportField[];

/** Sorts names like the columns in a file of people. */
export const inFileOrder = <N extends string>(names: readonly N[]): N[] => inOrder(names, fileOrder);

/** Fields with parts, with the column of each part. */
export const fieldsWithParts = Object.entries(employeeRows).flatMap(([name, row]) => {
  const columns = columnsOfParts(name, row);
  return columns.length > 0 ? [{ field: name as WithParts, columns }] : [];
});

const headings: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(employeeRows).flatMap(([name, row]) => [
      ...('importAs' in row ? [[name, row.importAs]] : []),
      ...columnsOfParts(name, row).map(({ column, importAs }) => [column, importAs]),
    ]),
  ),
  ...byName,
};

/** The fields for columns in a file of people, with their alternative headings. */
export const importFields = Object.fromEntries(
  inFileOrder(Object.keys(headings)).map((name) => [name, headings[name]]),
) as Readonly<Record<ImportField, readonly string[]>>;

/** What a file of new people must contain; of alternatives, one is enough. */
export const requiredImportFields = [
  ['first_name'],
  ['last_name'],
  ['entity_id', 'entity'],
  ['department_id', 'department'],
] as const satisfies readonly (readonly ImportField[])[];
