import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { tableColumns } from './columns.gen.ts';
import type { DB } from './schema.ts';

/** A row that has exactly these columns; fails the type check when the generated names are not those of the types. */
type Names = { [T in keyof DB]: readonly (keyof DB[T] & string)[] };
const names: Names = tableColumns;

/** The names of all columns that this release knows of a table. */
export const columnNames = <T extends keyof DB>(table: T): Names[T] => names[table];

/**
 * All columns that this release knows of a table, in place of `of.*`. A later release adds columns while this one runs,
 * and a prepared statement whose result would get another shape is refused from then on.
 */
export const allColumns = (table: keyof DB, of: string): RawBuilder<unknown> =>
  sql.join(names[table].map((name) => sql.ref(`${of}.${name}`)));
