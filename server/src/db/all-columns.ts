import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { tableColumns } from './columns.gen.ts';
import type { DB } from './schema.ts';

/** A row with exactly these columns; the type check fails if the generated names differ from those of the types. */
type Names = { [T in keyof DB]: readonly (keyof DB[T] & string)[] };
const names: Names = tableColumns;

/** The names of all columns of a table that this release knows. */
export const columnNames = <T extends keyof DB>(table: T): Names[T] => names[table];

/**
 * All columns of a table that this release knows, to use instead of `of.*`. A later release adds columns while this one
 * runs, and a prepared statement is refused once its result shape changes.
 */
export const allColumns = (table: keyof DB, of: string): RawBuilder<unknown> =>
  sql.join(names[table].map((name) => sql.ref(`${of}.${name}`)));
