import { namesWhere } from '@tenure/contract';
import type { FieldGroup, FieldRow, FieldRows } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { oneOfIds, oneOfTexts } from './lists.ts';

/** What the field rows of a record say about its lists, as SQL. `of` is the alias of the table in the statement. */

type Named<R extends FieldRows, F extends 'sort' | 'filter'> = ReturnType<typeof namesWhere<R, F>>[number];
type Filter = (values: readonly (number | string)[] | undefined) => RawBuilder<SqlBool>[];

/** Texts sort by a column of their own, addresses and codes by their bytes, and computed values by their name. */
function sortOf(name: string, { kind }: FieldRow, of: string): RawBuilder<unknown> {
  if (kind === 'computed') return sql.ref(name);
  if (kind === 'text') return sql.ref(`${of}.${name}_sort`);
  const column = sql.ref(`${of}.${name}`);
  return kind === 'email' || kind === 'code' ? sql`${column} collate "C"` : column;
}

/** What a list can be sorted by, by field name. */
export const sortsOf = <R extends FieldRows>(rows: R, of: string) =>
  Object.fromEntries(
    namesWhere(rows, 'sort').map((name) => [name, sortOf(String(name), rows[name] as FieldRow, of)]),
  ) as Record<Named<R, 'sort'>, RawBuilder<unknown>>;

const isOptional = (row: FieldRow) => row.output.safeParse(null).success;

function filterOf(name: string, row: FieldRow, of: string): Filter {
  const column = sql.ref(`${of}.${name}`);
  const orNone = isOptional(row);
  return (values) =>
    row.kind === 'reference'
      ? oneOfIds(column, values as readonly number[] | undefined, { orNone })
      : oneOfTexts(column, values as readonly string[] | undefined);
}

/** The conditions of a query for its fields, or for those of one group of readers. */
export function filtersBy<R extends FieldRows>(rows: R, of: string, group?: FieldGroup) {
  const filters = namesWhere(rows, 'filter').flatMap((name) => {
    const row = rows[name] as FieldRow;
    return group && row.group !== group ? [] : [[name, filterOf(String(name), row, of)] as const];
  });
  return (query: Partial<Record<Named<R, 'filter'>, readonly (number | string)[] | undefined>>) =>
    filters.flatMap(([name, filter]) => filter(query[name]));
}

/** The columns that the search covers. */
export const searchedIn = (rows: FieldRows, of: string) =>
  namesWhere(rows, 'search').map((name) => sql.ref(`${of}.${String(name)}`));
