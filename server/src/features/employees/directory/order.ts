import { employeeRows, sortedFields } from '@tenure/contract';
import type { FieldRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { sortsOf } from '../../../db/row-lists.ts';
import { pageOffset, pageSize } from '../../../http/paging.ts';
import { matchesBeginnings, matchesBeginningsOnDay, searchesInside } from '../../../people/search-words.ts';
import { workCondition } from './filters.ts';
import type { ListQuery } from './filters.ts';

/** The sort order of the list of people, and the rows of a page. */

type Sort = { by: RawBuilder<unknown>; nullable?: true; work?: true };

type SortName = NonNullable<ListQuery['sort_by']>;

const byField = sortsOf(employeeRows, 'e');

function fieldSort(name: keyof typeof byField): Sort {
  const { group, output }: FieldRow = employeeRows[name];
  return {
    by: byField[name],
    ...(output.safeParse(null).success && { nullable: true }),
    ...(group === 'work' && { work: true }),
  };
}

const sorts = {
  ...Object.fromEntries(sortedFields.map((name) => [name, fieldSort(name)] as const)),
  entity_name: { by: sql`g.name_sort` },
  department_name: { by: sql`g.name_sort` },
  created_at: { by: sql`e.created_at` },
  updated_at: { by: sql`e.updated_at` },
} as Record<SortName, Sort>;

/** The columns that order otherwise equal people, before their ids; an index contains each. */
const ties: Partial<Record<SortName, readonly string[]>> = {
  last_name: ['first_name_sort'],
  first_name: ['last_name_sort'],
  entity_name: ['last_name_sort', 'first_name_sort'],
  department_name: ['last_name_sort', 'first_name_sort'],
};

/** References by which people are sorted: their table, and the column that refers to it. */
const groups = {
  entity_name: { table: 'entities', key: 'e.entity_id', entity: 'id' },
  department_name: { table: 'departments', key: 'e.department_id', entity: 'entity_id' },
} as const;
export type Group = (typeof groups)[keyof typeof groups];
export const groupOf = ({ sort_by }: ListQuery): Group | undefined =>
  sort_by === 'entity_name' || sort_by === 'department_name' ? groups[sort_by] : undefined;

/** The order of a query: its sort key, empty if the viewer may not know it, and its direction; `back` from the end. */
export function orderOf(actor: Actor, query: ListQuery, back = false) {
  const by = query.sort_by ?? 'last_name';
  const sort = sorts[by];
  const tied = [...(ties[by] ?? []), 'id'].map((name) => sql.ref(`e.${name}`));
  // a list as of a day contains only people whose employment the reader sees
  const visible = sort.work && !query.as_of ? workCondition(actor) : undefined;
  const key = visible ? sql`case when ${visible} then ${sort.by} end` : sort.by;
  const direction = (query.sort_direction === 'desc') === back ? sql`asc` : sql`desc`;
  // set only if needed: an index in plain order can be read backwards, but not with nulls moved
  const empty = sort.nullable || visible ? (back ? sql`nulls first` : sql`nulls last`) : sql``;
  return {
    key,
    rule: (by: RawBuilder<unknown>) => sql`${by} ${direction} ${empty}`,
    // people found by the middle of a word come after the others, unless the query has an order
    last:
      query.search && !query.sort_by && searchesInside(query.search)
        ? sql`not ${(query.as_of ? matchesBeginningsOnDay : matchesBeginnings)(query.search)}`
        : null,
    // in the same direction, so that one index serves both
    ties: sql.join(tied.map((column) => sql`${column} ${direction}`)),
    /** The columns of `ties`, for a source of rows that is sorted later. */
    tied: sql.join(tied),
  };
}

export type Range = { size: number; offset: number };

/** The page size is a literal in the statement, so that its prepared plan fits it. */
export const limited = ({ size, offset }: Range) =>
  offset > 0 ? sql`limit ${sql.lit(size)} offset ${offset}` : sql`limit ${sql.lit(size)}`;

export const rangeOf = (query: ListQuery): Range => ({ size: pageSize(query), offset: pageOffset(query) });
