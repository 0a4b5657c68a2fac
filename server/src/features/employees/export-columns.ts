import { sql } from 'kysely';
import type { ExportColumn } from '../../http/downloads.ts';
import type { CellValue } from '../../spreadsheets/sheet-write.ts';
import type { FieldGroups, Place } from './policy.ts';

/** Columns of an export of people under the names that the import reads, in the order of its sample. */
const columns = {
  employee_number: 'card',
  first_name: 'card',
  last_name: 'card',
  email: 'card',
  entity: 'card',
  department: 'card',
  date_of_birth: 'private',
  gender: 'private',
  marital_status: 'private',
  nationality: 'private',
  job_title: 'card',
  activity_status: 'card',
  employment_lifecycle: 'work',
  reporting_manager: 'card',
  joining_date: 'work',
  probation_start_date: 'work',
  probation_end_date: 'work',
  confirmation_date: 'work',
  notice_date: 'work',
  last_working_date: 'work',
  middle_name: 'card',
  display_name: 'card',
  salutation: 'card',
  employment_type: 'work',
  grade: 'work',
  phone: 'work',
  mobile: 'private',
  personal_email: 'private',
  role: 'work',
  extension_count: 'work',
} as const satisfies Record<string, 'card' | keyof FieldGroups>;

type Column = keyof typeof columns;
export type ExportedEmployee = Place & Record<Column, CellValue> & { sees: FieldGroups };

const columnNames = Object.keys(columns) as Column[];

/** The columns somebody may export; where only some people's values are visible the cells of the others stay empty. */
export const exportColumns = (seesPrivate: boolean): ExportColumn<ExportedEmployee>[] =>
  columnNames
    .filter((name) => seesPrivate || columns[name] !== 'private')
    .map((name) => {
      const group = columns[name];
      return { header: name, value: (row) => (group === 'card' || row.sees[group] ? row[name] : null) };
    });

/** What the columns are filled from; `e`, `n`, `d`, `u`, `m` as in the tables of a record. */
export const exportedColumns = sql`
  e.id, e.entity_id, e.department_id, e.reporting_manager_id,
  e.employee_number, e.first_name, e.last_name, e.email, n.name as entity, d.name as department, e.date_of_birth,
  e.gender, e.marital_status, e.nationality, e.job_title, e.activity_status, e.employment_lifecycle,
  m.employee_number as reporting_manager, e.joining_date, e.probation_start_date, e.probation_end_date,
  e.confirmation_date, e.notice_date, e.last_working_date, e.middle_name, e.display_name, e.salutation,
  e.employment_type, e.grade, e.phone, e.mobile, e.personal_email, u.roles, e.extension_count`;
