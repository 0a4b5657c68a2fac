import { employeeRows, fieldsWithParts, inFileOrder, namesWhere } from '@tenure/contract';
import type { FieldGroup, PartColumn, reveals } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ExportColumn } from '../../../http/downloads.ts';
import type { CellValue } from '../../../spreadsheets/sheet-write.ts';
import type { FieldGroups, ScopedPerson } from '../../../people/policy.ts';

type Rows = typeof employeeRows;
export type Reveal = (typeof reveals)[number];
type Exported = { [K in keyof Rows]: Rows[K] extends { export: true } ? K : never }[keyof Rows];

/** Exported values that are not columns of the person. */
const readers: Readonly<Record<string, RawBuilder<unknown>>> = {
  entity: sql`n.name`,
  department: sql`d.name`,
  reporting_manager: sql`m.employee_number`,
  role: sql`coalesce(u.roles, '[]')`,
};

type Column = Exported | PartColumn | 'role';
type Parts = { field: keyof Rows; part: string };

/** The fields, and the columns of composite fields. */
const partsOf = new Map<string, Parts>(
  fieldsWithParts.flatMap(({ field, columns }) =>
    columns.map(({ column, part }) => [column, { field, part }] as const),
  ),
);

function groupOf(name: Column): FieldGroup {
  const field = name === 'role' ? 'roles' : (partsOf.get(name)?.field ?? (name as Exported));
  return employeeRows[field].group;
}

/** Export columns under the names that the import recognises, in the order of its sample. */
const columnNames = inFileOrder<Column>([
  ...namesWhere(employeeRows, 'export'),
  ...([...partsOf.keys()] as PartColumn[]),
  'role',
]);
const isBank = (name: Column) => partsOf.get(name)?.field === 'bank';

export type ExportedEmployee = ScopedPerson & { name: string } & Record<Column, CellValue> & { sees: FieldGroups };

/** The columns of an export: private ones and bank accounts only on request. Cells with hidden values stay empty. */
export const exportColumns = (reveal: Reveal | null): ExportColumn<ExportedEmployee>[] =>
  columnNames
    .filter((name) => groupOf(name) !== 'private' || (reveal !== null && (reveal === 'bank' || !isBank(name))))
    .map((name) => {
      const group = groupOf(name);
      return { header: name, value: (row) => (group === 'card' || row.sees[group] ? row[name] : null) };
    });

function sourceOf(name: Column): RawBuilder<unknown> {
  const parts = partsOf.get(name);
  if (parts) return sql`${sql.ref(`e.${parts.field}`)} ->> ${sql.lit(parts.part)}`;
  return readers[name] ?? sql.ref(`e.${name}`);
}

const placeColumns = ['id', 'name', 'entity_id', 'department_id', 'reporting_manager_id'].map((name) =>
  sql.ref(`e.${name}`),
);

const columnsFrom = (source: (name: Column) => RawBuilder<unknown>) =>
  sql.join([...placeColumns, ...columnNames.map((name) => sql`${source(name)} as ${sql.ref(name)}`)]);

/** The source of the columns; `e`, `n`, `d`, `u`, `m` as in the tables of a record. */
export const exportedColumns = columnsFrom(sourceOf);
/** The same for a list as of a day, with empty private columns. */
export const exportedColumnsOnDay = columnsFrom((name) =>
  groupOf(name) === 'private' ? sql`null::text` : sourceOf(name),
);
