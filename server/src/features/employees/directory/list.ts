import type { EmployeeRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { holds } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import type { StoredAccount } from '../../../access/cover.ts';
import type { Db } from '../../../db/connect.ts';
import type { Missing } from '../../../db/lists.ts';
import { forbidden } from '../../../http/errors.ts';
import { pageOffset, pageSize } from '../../../http/paging.ts';
import { countMatching, groupsMatching, headCount, peopleMatching, seesFew } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { isOnDay, listOnDay } from './on-day.ts';
import { groupOf, limited, orderOf, rangeOf } from './order.ts';
import type { Group, Range } from './order.ts';
import { accountColumn, employeeTables, listedColumns, withCover } from '../../../people/queries.ts';
import type { ListedEmployee } from '../../../people/record.ts';
import { searchesInside } from '../../../people/search-words.ts';
import { presentRows } from '../../../people/shown-fields.ts';

type Ordering = {
  /** Reads from the end of the list. */
  back?: boolean;
  forExport?: boolean;
  /** The maximum number of rows. */
  most?: number;
};

/**
 * Reads group by group sorted by group name, and people by name, so that a page needs no sort of all people. Reads at
 * most the wanted number of rows of each group.
 */
function idsByGroup(actor: Actor, query: ListQuery, group: Group, { back = false, forExport, most }: Ordering) {
  const { rule, ties, tied } = orderOf(actor, query, back);
  const asked = peopleMatching(actor, query, forExport ? 'employees.export' : undefined);
  const [name, groupId] = [rule(sql`name_sort`), rule(sql`g.id`)];
  return sql`
    select e.id from (
      select id, name_sort from ${sql.table(group.table)} g where ${groupsMatching(actor, query, group)}
      order by ${name}, ${groupId} offset 0) as g
    cross join lateral (
      select ${tied} from employees e where ${sql.ref(group.key)} = g.id and ${asked}
      order by ${ties} ${most === undefined ? sql`` : sql`limit ${most}`}) as e
    order by ${name}, ${groupId}, ${ties}`;
}

/** Ids of all people of a query, in its order. */
export function orderedIds(actor: Actor, query: ListQuery, ordering: Ordering = {}) {
  const group = groupOf(query);
  if (group) return idsByGroup(actor, query, group, ordering);
  const { key, rule, ties, last } = orderOf(actor, query, ordering.back);
  const asked = peopleMatching(actor, query, ordering.forExport ? 'employees.export' : undefined);
  return sql`select e.id from employees e where ${asked} order by ${last ? sql`${last}, ` : sql``}${rule(key)}, ${ties}`;
}

/** The same page counted from the end of a list of `total`. */
function rangeFromEnd(query: ListQuery, total: number): Range {
  const left = Math.max(0, total - pageOffset(query));
  return { size: Math.min(pageSize(query), left), offset: Math.max(0, left - pageSize(query)) };
}

/** The ids of a page, in its order. */
const pageIds = (actor: Actor, query: ListQuery, range: Range, back = false) =>
  sql`${orderedIds(actor, query, { back, most: range.size + range.offset })} ${limited(range)}`;

// beyond this offset it pays to check whether the end of the list is closer
const farAway = 5_000;

/** The total, for a page that is closer to the end of the list. */
async function totalIfNearEnd(db: Db, query: ListQuery, count: RawBuilder<unknown>): Promise<number | undefined> {
  const offset = pageOffset(query);
  if (offset < farAway) return undefined;
  const { rows } = await sql<{ total: number }>`select (${count})::int as total`.execute(db);
  const total = rows[0]?.total ?? 0;
  return offset > total / 2 ? total : undefined;
}

type Listed = Omit<ListedEmployee, 'cover'> & { account: StoredAccount | null };
type Page = { rows: Listed[]; total: number };

type Counted = { count: RawBuilder<unknown>; fromEnd?: number | undefined };

/** Reads a page with the total from the headcounts in one statement; ids first, so that deep pages stay cheap. */
async function readPage(db: Db, actor: Actor, query: ListQuery, { count, fromEnd }: Counted): Promise<Page> {
  const back = fromEnd !== undefined;
  const range = back ? rangeFromEnd(query, fromEnd) : rangeOf(query);
  type Placed = Listed & { ordinal: number };
  const { rows } = await sql<{ total: number } & (Placed | Missing<Placed>)>`
    with page as (
      select id, ${back ? sql`-` : sql``} row_number() over () as ordinal
      from (${pageIds(actor, query, range, back)}) as ids)
    select counted.total, people.* from (select (${count})::int as total) as counted left join lateral (
      select page.ordinal, ${listedColumns}, ${accountColumn(actor)} from ${employeeTables} join page on page.id = e.id
    ) as people on true
    order by people.ordinal`.execute(db);
  return { rows: rows.filter((row) => row.ordinal !== null), total: rows[0]?.total ?? 0 };
}

async function readCounted(db: Db, actor: Actor, query: ListQuery, count: RawBuilder<unknown>): Promise<Page> {
  const fromEnd = await totalIfNearEnd(db, query, count);
  const page = await readPage(db, actor, query, { count, fromEnd });
  // the total changed between the two queries: the offset from the end is wrong
  return fromEnd === undefined || page.total === fromEnd ? page : readPage(db, actor, query, { count });
}

type Gathered = { ids: number[]; total: number };

/**
 * Ids of a page and the total from one snapshot, for few rows or an unknown total: collected once, then counted and
 * sorted.
 */
function collectAndSort(actor: Actor, query: ListQuery): RawBuilder<Gathered> {
  const { key, rule, ties, tied, last } = orderOf(actor, query);
  const group = groupOf(query);
  const named = group ? sql`join ${sql.table(group.table)} g on g.id = ${sql.ref(group.key)}` : sql``;
  const groupId = group ? sql`, g.id as group_id` : sql``;
  const byGroup = group ? sql`, ${rule(sql`group_id`)}` : sql``;
  return sql<Gathered>`
    with matches as materialized (
      select ${tied}, ${key} as sort_key ${groupId}${last ? sql`, ${last} as is_inside` : sql``} from employees e ${named} where ${peopleMatching(actor, query)})
    select (select count(*)::int from matches) as total,
           array(select e.id from matches e order by ${last ? sql`is_inside, ` : sql``}${rule(sql`sort_key`)} ${byGroup}, ${ties} ${limited(rangeOf(query))}) as ids`;
}

// from this number on, it is faster to read a page in list order than to collect all matches
const manyMatches = 2_000;

/**
 * The same for a search of one or two letters, which many people match: they are counted, but neither collected nor
 * sorted, and the page is read in its order.
 */
const countedFirst = (actor: Actor, query: ListQuery) => sql<Gathered>`
  with counted as materialized (select count(*)::int as total from employees e where ${peopleMatching(actor, query)}),
  few as (${collectAndSort(actor, query)})
  select total, case when total > ${sql.lit(manyMatches)} then array(${pageIds(actor, query, rangeOf(query))})
                else (select ids from few) end as ids
  from counted`;

/** Ids of a page and the total from one snapshot. */
function idsAndTotal(actor: Actor, query: ListQuery): RawBuilder<Gathered> {
  if (query.import_id || seesFew(actor)) return collectAndSort(actor, query);
  if (query.search) return searchesInside(query.search) ? collectAndSort(actor, query) : countedFirst(actor, query);
  return sql<Gathered>`select (${countMatching(actor, query)}) as total,
                 array(${pageIds(actor, query, rangeOf(query))}) as ids`;
}

/** Reads any other page in two statements: the filter is planned for its values each time, the columns are not. */
async function readCounting(db: Db, actor: Actor, query: ListQuery): Promise<Page> {
  const found = await idsAndTotal(actor, query).execute(db);
  const { ids, total } = found.rows[0] as Gathered;
  if (ids.length === 0) return { rows: [], total };
  const { rows } = await sql<Listed>`
    select ${listedColumns}, ${accountColumn(actor)} from ${employeeTables}
    join unnest(${ids}::bigint[]) with ordinality as page (id, ordinal) on page.id = e.id
    order by page.ordinal`.execute(db);
  return { rows, total };
}

/** One page of people and the total. Deleted people only for users who can delete. */
export async function listEmployees(
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ rows: EmployeeRow[]; total: number }> {
  if (isOnDay(query)) return listOnDay({ db, actor }, query);
  if (query.deleted && !holds(actor, 'employees.deactivate')) throw forbidden();
  const count = headCount(actor, query);
  const { rows, total } = count ? await readCounted(db, actor, query, count) : await readCounting(db, actor, query);
  return { rows: (await withCover({ db, actor }, rows)).map(presentRows(actor)), total };
}
