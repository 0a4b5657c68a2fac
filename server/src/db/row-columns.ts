import { isStored } from '@tenure/contract';
import type { ComputedName, FieldRows, StoredName } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

type Columns<T, R extends FieldRows> = {
  /** The alias of the table in the statement. */
  of: string;
  /** Fields that are not a column of the table. */
  made: Record<ComputedName<R>, RawBuilder<unknown>>;
  /** Columns that no row describes; true for those that answers show. */
  others: Record<Exclude<keyof T, StoredName<R> | 'id'>, boolean>;
};

/**
 * What answers are built from: the id, the rows in their order, and other columns. The type check fails for a row
 * without a column, a column that is not mentioned, and a computed field that nothing reads.
 */
export function columnsOf<T, R extends FieldRows>(
  rows: StoredName<R> extends keyof T ? R : never,
  { of, made, others }: Columns<T, R>,
): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${of}.${name}`);
  const readers = made as Readonly<Record<string, RawBuilder<unknown>>>;
  const shown = Object.entries<boolean>(others).flatMap(([name, isShown]) => (isShown ? [column(name)] : []));
  const fields = Object.entries<FieldRows[string]>(rows).map(([name, row]) =>
    isStored(row) ? column(name) : sql`${readers[name]} as ${sql.ref(name)}`,
  );
  return sql.join([column('id'), ...fields, ...shown]);
}
