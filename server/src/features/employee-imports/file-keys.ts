import { foldEmail } from '@tenure/contract';
import type { ImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Meaning } from '../../imports/cells.ts';
import { layoutOf } from '../../imports/columns.ts';
import type { Layout } from '../../imports/columns.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { valueReader } from '../../imports/values.ts';
import { choices } from './choices.ts';

/** Rows by key; a list only for duplicate keys, to save memory. */
export type RowsByKey = ReadonlyMap<string, number | readonly number[]>;

/** A row with its name, its number and address as keys, and the text that distinguishes it from others. */
type NamedRow = { row: number; number: string | undefined; email: string | undefined; label: string };

/** The keys that connect the rows of a file. Numbers are folded, addresses are in lower case. */
export type FileKeys = {
  rows: readonly number[];
  numbers: RowsByKey;
  emails: RowsByKey;
  /** The rows of people whom the file names as managers. */
  names: ReadonlyMap<string, readonly NamedRow[]>;
  /** The manager of each row: a number, an address or a name. */
  managers: ReadonlyMap<number, string>;
  /** The first row with a department of a company, by both texts. */
  departments: ReadonlyMap<string, number>;
};

type KeyCells = {
  row: number;
  left_out: boolean;
  number: string;
  email: string;
  manager: string;
  name: string;
  entity: string;
  department: string;
};

const batch = 10_000;

/** SQL of the cells of a field; empty without a column. */
const cellOf = (layout: Layout<ImportField>, ...fields: ImportField[]) => {
  const columns = fields.flatMap((field) => layout.get(field) ?? []);
  return columns.length === 0
    ? sql`''`
    : sql`coalesce(${sql.join(columns.map((column) => sql`nullif(cells ->> ${column}::int, '')`))}, '')`;
};

async function* keyCells(db: Db, record: ImportRecord): AsyncGenerator<KeyCells[], void> {
  const { id, columns } = record;
  const layout = layoutOf<ImportField>(columns);
  for (let after = 0; ;) {
    const { rows } = await sql<KeyCells>`
      select "row", coalesce((flaws ->> 'left_out')::boolean, false) as left_out, ${cellOf(layout, 'employee_number')} as number, ${cellOf(layout, 'email')} as email,
             ${cellOf(layout, 'reporting_manager')} as manager,
             btrim(${cellOf(layout, 'first_name')}) || ' ' || btrim(${cellOf(layout, 'last_name')}) as name, ${cellOf(layout, 'entity_id', 'entity')} as entity,
             ${cellOf(layout, 'department_id', 'department')} as department
      from import_rows where import_id = ${id} and "row" > ${after} order by "row" limit ${batch}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.row;
  }
}

function add(map: Map<string, number | number[]>, key: string, row: number) {
  const known = map.get(key);
  if (known === undefined) map.set(key, row);
  else if (typeof known === 'number') map.set(key, [known, row]);
  else known.push(row);
}

/** All rows with a key. */
export function rowsWith(rows: RowsByKey, key: string): readonly number[] {
  const found = rows.get(key);
  return typeof found === 'number' ? [found] : (found ?? []);
}

/** The rows that a manager reference can mean, by number, address or name. */
export function rowsNamedBy({ numbers, emails, names }: FileKeys, key: string): readonly number[] {
  if (isName(key)) return (names.get(key) ?? []).map(({ row }) => row);
  return rowsWith(key.includes('@') ? emails : numbers, key);
}

/** The row of a manager reference; undefined for a name that several rows have. */
export function managerRow(keys: FileKeys, key: string): number | undefined {
  const rows = rowsNamedBy(keys, key);
  return isName(key) && rows.length > 1 ? undefined : rows[0];
}

export const numberKey = (text: string) => fold(text);
export const emailKey = (text: string) => foldEmail(text);
const nameKey = (text: string) => fold(text.trim()).replaceAll(/\s+/g, ' ');
/** True for the key of a full name: numbers and addresses have no spaces. */
export const isName = (key: string) => key.includes(' ');

/** A manager reference as a key: a number, an address, or a name as "first last". */
export function managerKey(text: string): string {
  const [last = '', first, ...more] = text.split(',');
  if (first?.trim() && more.length === 0) return nameKey(`${first} ${last}`);
  if (/\s/.test(text.trim())) return nameKey(text);
  return text.includes('@') ? emailKey(text) : numberKey(text);
}
export const departmentKey = (entity: string, department: string) => `${fold(entity)}|${fold(department)}`;

/** Adds a row by the name of its person. */
function addPerson(
  people: Map<string, NamedRow[]>,
  name: string,
  { row, number, email }: { row: number; number: Meaning; email: Meaning },
) {
  const key = nameKey(name);
  if (!isName(key)) return;
  const label = number ?? email ?? String(row);
  const one = {
    row,
    number: number ? numberKey(number) : undefined,
    email: email ? emailKey(email) : undefined,
    label,
  };
  const known = people.get(key);
  if (known) known.push(one);
  else people.set(key, [one]);
}

/** Reads what the cells of a row refer to. */
function rowReader(record: ImportRecord, layout: Layout<ImportField>) {
  const { read } = valueReader({ choices }, record);
  const nameIn = (field: 'entity' | 'department', text: string) => meaningOf(read(layout.get(field) ?? -1, text)) ?? '';
  const defaultManager = meaningOf(String(record.defaults.reporting_manager ?? ''));
  return (cells: KeyCells) => {
    const manager = meaningOf(cells.manager);
    const named = manager === undefined ? defaultManager : manager;
    return {
      number: meaningOf(cells.number),
      email: meaningOf(cells.email),
      manager: named ? managerKey(named) : undefined,
      department: departmentKey(nameIn('entity', cells.entity), nameIn('department', cells.department)),
    };
  };
}

/** Reads the keys of all rows of an import. */
export async function readFileKeys(db: Db, record: ImportRecord): Promise<FileKeys> {
  const [numbers, emails] = [new Map<string, number | number[]>(), new Map<string, number | number[]>()];
  // most rows name one of a few managers, so each name is stored once
  const names = new Map<string, string>();
  const managers = new Map<number, string>();
  const departments = new Map<string, number>();
  const all: number[] = [];
  const people = new Map<string, NamedRow[]>();
  const layout = layoutOf<ImportField>(record.columns);
  const readRow = rowReader(record, layout);
  for await (const rows of keyCells(db, record))
    for (const cells of rows) {
      const { row } = cells;
      all.push(row);
      if (cells.left_out) continue;
      const { number, email, manager, department } = readRow(cells);
      if (number) add(numbers, numberKey(number), row);
      if (email) add(emails, emailKey(email), row);
      if (layout.has('reporting_manager')) addPerson(people, cells.name, { row, number, email });
      if (manager !== undefined) {
        if (!names.has(manager)) names.set(manager, manager);
        managers.set(row, names.get(manager) ?? manager);
      }
      if (!departments.has(department)) departments.set(department, row);
    }
  const wanted = new Set([...names.keys()].filter(isName));
  const meant = new Map([...people].filter(([name]) => wanted.has(name)));
  return { rows: all, numbers, emails, names: meant, managers, departments };
}
