import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { namesIn } from './documents.ts';
import type { Selection } from './documents.ts';
import { readFilter } from './filter.ts';
import type { Columns } from './filter-sql.ts';
import { toSql } from './filter-sql.ts';
import { badFilter, badValue } from './problem.ts';
import { maxResults } from './schemas.ts';

/** The parameters of a list request. */
export type Page = {
  where: (columns: Columns) => RawBuilder<unknown>;
  startIndex: number;
  offset: number;
  count: number;
  selection: Selection;
};

type Query = Readonly<Record<string, unknown>>;

function integer(value: unknown, name: string, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) throw badValue(`${name} must be a whole number.`);
  return Number(value);
}

export const readSelection = (query: Query): Selection => ({
  attributes: namesIn(query['attributes']),
  excluded: namesIn(query['excludedAttributes']),
});

/** Parses the parameters of a list (RFC 7644, 3.4.2). Throws 400. */
export function readPage(query: Query): Page {
  const { filter } = query;
  if (filter !== undefined && filter !== null && typeof filter !== 'string') throw badFilter('There is one filter.');
  // a start below one counts as one, a negative count as zero
  const startIndex = Math.max(1, integer(query['startIndex'], 'startIndex', 1));
  const count = Math.min(maxResults, Math.max(0, integer(query['count'], 'count', maxResults)));
  const read = filter ? readFilter(filter) : undefined;
  return {
    where: (columns) => (read ? toSql(read, columns) : sql`true`),
    startIndex,
    offset: startIndex - 1,
    count,
    selection: readSelection(query),
  };
}
