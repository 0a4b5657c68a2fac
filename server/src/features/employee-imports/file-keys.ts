import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { meaningOf } from './cells.ts';
import { layoutOf } from './columns.ts';
import type { ImportField, Layout } from './columns.ts';
import type { ImportRecord } from './record.ts';

/** By what the rows of a file are known to each other. Numbers are folded, addresses in lower case. */
export type FileKeys = {
  rows: readonly number[];
  numbers: ReadonlyMap<string, readonly number[]>;
  emails: ReadonlyMap<string, readonly number[]>;
  /** Whom each row names as manager: a number or an address. */
  managers: ReadonlyMap<number, string>;
  /** The first row that names a department in a company, by both texts. */
  departments: ReadonlyMap<string, number>;
};

type KeyCells = { row: number; number: string; email: string; manager: string; entity: string; department: string };

const batch = 10_000;

/** The cells of one field as SQL; empty where the file has no such column. */
const cellOf = (layout: Layout, ...fields: ImportField[]) => {
  const places = fields.flatMap((field) => layout.get(field) ?? []);
  return places.length === 0
    ? sql`''`
    : sql`coalesce(${sql.join(places.map((place) => sql`nullif(cells ->> ${place}::int, '')`))}, '')`;
};

async function* keyCells(db: Db, { id, columns }: ImportRecord): AsyncGenerator<KeyCells[], void> {
  const layout = layoutOf(columns);
  for (let after = 0; ;) {
    const { rows } = await sql<KeyCells>`
      select "row", ${cellOf(layout, 'employee_number')} as number, ${cellOf(layout, 'email')} as email,
             ${cellOf(layout, 'reporting_manager')} as manager, ${cellOf(layout, 'entity_id', 'entity')} as entity,
             ${cellOf(layout, 'department_id', 'department')} as department
      from import_rows where import_id = ${id} and "row" > ${after} order by "row" limit ${batch}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.row;
  }
}

function add(map: Map<string, number[]>, key: string, row: number) {
  const known = map.get(key);
  if (known) known.push(row);
  else map.set(key, [row]);
}

export const numberKey = (text: string) => fold(text);
export const emailKey = (text: string) => text.toLowerCase();
/** A reference to a manager in the form of the keys: an address has an `@`, a number has none. */
export const managerKey = (text: string) => (text.includes('@') ? emailKey(text) : numberKey(text));
export const departmentKey = (entity: string, department: string) => `${fold(entity)}|${fold(department)}`;

/** Reads by what all rows of an import are known to each other. */
export async function readFileKeys(db: Db, record: ImportRecord): Promise<FileKeys> {
  const [numbers, emails] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const managers = new Map<number, string>();
  const departments = new Map<string, number>();
  const all: number[] = [];
  const defaultManager = meaningOf(String(record.defaults.reporting_manager ?? ''));
  for await (const rows of keyCells(db, record))
    for (const cells of rows) {
      const { row } = cells;
      all.push(row);
      const [number, email, manager] = [meaningOf(cells.number), meaningOf(cells.email), meaningOf(cells.manager)];
      if (number) add(numbers, numberKey(number), row);
      if (email) add(emails, emailKey(email), row);
      const named = manager === undefined ? defaultManager : manager;
      if (named) managers.set(row, managerKey(named));
      const place = departmentKey(meaningOf(cells.entity) ?? '', meaningOf(cells.department) ?? '');
      if (!departments.has(place)) departments.set(place, row);
    }
  return { rows: all, numbers, emails, managers, departments };
}
