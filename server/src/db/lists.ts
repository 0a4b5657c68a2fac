import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { pageOffset, pageSize } from '../http/paging.ts';
import type { PageQuery } from '../http/paging.ts';
import type { Db } from './connect.ts';
import { searchedSpellings } from './spellings.ts';

/** Building blocks of lists. */

type Condition = RawBuilder<SqlBool>;

/** All of these conditions together. */
export const every = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;

/** A filter by several values of a text column; none if the query does not have it. */
export const oneOfTexts = (column: RawBuilder<unknown>, values: readonly string[] | null | undefined): Condition[] =>
  values ? [sql<SqlBool>`${column} = any(${values}::text[])`] : [];

/**
 * A filter by several ids; with `orNone`, the id 0 stands for rows without one. A single id is compared with `=`, so
 * that an index that begins with the column also provides the order.
 */
export function oneOfIds(
  column: RawBuilder<unknown>,
  ids: readonly number[] | undefined,
  { orNone = false } = {},
): Condition[] {
  if (!ids) return [];
  if (ids.length === 1 && ids[0] !== 0) return [sql<SqlBool>`${column} = ${ids[0]}`];
  const one = sql<SqlBool>`${column} = any(${ids}::bigint[])`;
  return [orNone && ids.includes(0) ? sql<SqlBool>`(${one} or ${column} is null)` : one];
}

export const wordsOf = (search: string | null | undefined) => (search ?? '').split(/\s+/).filter((word) => word !== '');

/**
 * True for rows whose texts contain every word of the search in one of its spellings, regardless of case and accents.
 * For lists of some thousand rows.
 */
export const holdsWords = (texts: readonly RawBuilder<unknown>[], search: string | null | undefined): Condition[] =>
  wordsOf(search).map((word) => {
    const patterns = searchedSpellings(word).map((spelling) => `%${spelling.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    return sql<SqlBool>`fold(concat_ws(' ', ${sql.join(texts)})) like any(${patterns}::text[])`;
  });

/** Every order ends with the id, so that pages never overlap; rows without a value come last. */
export const orderedBy = (
  expression: RawBuilder<unknown>,
  direction: 'asc' | 'desc' | null | undefined,
  id: RawBuilder<unknown>,
) => sql`order by ${expression} ${direction === 'desc' ? sql`desc` : sql`asc`} nulls last, ${id}`;

/** The columns of `Row` where an outer join found no row. */
export type Missing<Row> = { [Column in keyof Row]: null };

type Placed = { list_total: number; ordinal: number | null };

/**
 * One page and the total in one statement, so that both come from one snapshot.
 * @param rows the whole list in its order, without a limit
 * @param total the query that counts it
 */
export async function selectPage<Row>(
  db: Db,
  query: PageQuery,
  { rows, total }: { rows: RawBuilder<Row>; total: RawBuilder<unknown> },
): Promise<{ rows: Row[]; total: number }> {
  const found = await sql<Row & Placed>`
    select counted.list_total, page.*
    from (select (${total})::bigint as list_total) as counted
    left join lateral (
      select row_number() over () as ordinal, found.*
      from (${rows} limit ${pageSize(query)} offset ${pageOffset(query)}) as found
    ) as page on true
    order by page.ordinal`.execute(db);
  const list_total = found.rows[0]?.list_total ?? 0;
  const placed = found.rows.filter(({ ordinal }) => ordinal !== null);
  return { rows: placed.map(({ list_total: _total, ordinal: _ordinal, ...row }) => row as Row), total: list_total };
}
