import { employeeRows, inFileOrder, namesWhere } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ExportColumn } from '../../../http/downloads.ts';
import type { CellValue } from '../../../spreadsheets/sheet-write.ts';
import type { FieldGroups, ScopedPerson } from '../../../people/policy.ts';

type Rows = typeof employeeRows;
type Exported = { [K in keyof Rows]: Rows[K] extends { export: true } ? K : never }[keyof Rows];

/** Exported values that are no column of the person. */
const readers: Readonly<Record<string, RawBuilder<unknown>>> = {
  entity: sql`n.name`,
  department: sql`d.name`,
  reporting_manager: sql`m.employee_number`,
  role: sql`coalesce(u.roles, '[]')`,
};

type Column = Exported | 'role';
const groupOf = (name: Column) => (name === 'role' ? employeeRows.roles.group : employeeRows[name].group);

/** Export columns under the names that the import reads, in the order of its sample. */
const columnNames = inFileOrder([...namesWhere(employeeRows, 'export'), 'role']);

export type ExportedEmployee = ScopedPerson & Record<Column, CellValue> & { sees: FieldGroups };

/** The columns a user can export; cells with hidden values stay empty. */
export const exportColumns = (seesPrivate: boolean): ExportColumn<ExportedEmployee>[] =>
  columnNames
    .filter((name) => seesPrivate || groupOf(name) !== 'private')
    .map((name) => {
      const group = groupOf(name);
      return { header: name, value: (row) => (group === 'card' || row.sees[group] ? row[name] : null) };
    });

const placeColumns = ['id', 'entity_id', 'department_id', 'reporting_manager_id'].map((name) => sql.ref(`e.${name}`));

const columnsNamed = (names: readonly Column[]) =>
  sql.join([
    ...placeColumns,
    ...names.map((name) => sql`${readers[name] ?? sql.ref(`e.${name}`)} as ${sql.ref(name)}`),
  ]);

/** The source of the columns; `e`, `n`, `d`, `u`, `m` as in the tables of a record. */
export const exportedColumns = columnsNamed(columnNames);
/** The same as of a day, without private columns. */
export const exportedColumnsOnDay = columnsNamed(columnNames.filter((name) => groupOf(name) !== 'private'));
