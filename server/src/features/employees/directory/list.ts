import { employeeRows, sortedFields } from '@tenure/contract';
import type { EmployeeRow, FieldRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { holds } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import type { StoredAccount } from '../../../access/cover.ts';
import type { Db } from '../../../db/connect.ts';
import { sortsOf } from '../../../db/row-lists.ts';
import { forbidden } from '../../../http/errors.ts';
import { pageOffset, pageSize } from '../../../http/paging.ts';
import { groupsAsked, headCount, peopleAsked, seesFew, workCondition } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { accountColumn, employeeTables, listedColumns, withCover } from '../../../people/queries.ts';
import type { ListedEmployee } from '../../../people/record.ts';
import { presentRows } from '../../../people/shown-fields.ts';

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

/** Names people are ordered by that are not their own: the table, and the column that refers to it. */
const groups = {
  entity_name: { table: 'entities', key: 'e.entity_id', entity: 'id' },
  department_name: { table: 'departments', key: 'e.department_id', entity: 'entity_id' },
} as const;
type Group = (typeof groups)[keyof typeof groups];
const groupOf = ({ sort_by }: ListQuery): Group | undefined =>
  sort_by === 'entity_name' || sort_by === 'department_name' ? groups[sort_by] : undefined;

/** The order of a query: what to order by, empty for whom the viewer may not know it, and how; `back` from its end. */
function orderOf(actor: Actor, query: ListQuery, back = false) {
  const sort = sorts[query.sort_by ?? 'last_name'];
  const visible = sort.work ? workCondition(actor) : undefined;
  const key = visible ? sql`case when ${visible} then ${sort.by} end` : sort.by;
  const direction = (query.sort_direction === 'desc') === back ? sql`asc` : sql`desc`;
  // said only where it matters: an index in plain order can be read backwards, but not with the empty ones moved
  const empty = sort.nullable || visible ? (back ? sql`nulls first` : sql`nulls last`) : sql``;
  return {
    key,
    rule: (by: RawBuilder<unknown>) => sql`${by} ${direction} ${empty}`,
    // ties in the same direction, so that an index serves both
    id: sql`e.id ${direction}`,
  };
}

type Ordering = {
  /** From the end of the list. */
  back?: boolean;
  forExport?: boolean;
  /** How many from there are wanted at most. */
  most?: number;
};

/**
 * Group by group in the order of their names, each in the order of ids, so that a page is found without putting
 * everybody in order: of no group are more looked at than are wanted in all.
 */
function idsByGroup(actor: Actor, query: ListQuery, group: Group, { back = false, forExport, most }: Ordering) {
  const { rule, id } = orderOf(actor, query, back);
  const asked = peopleAsked(actor, query, forExport ? 'employees.export' : undefined);
  const [name, groupId] = [rule(sql`name_sort`), rule(sql`g.id`)];
  return sql`
    select e.id from (
      select id, name_sort from ${sql.table(group.table)} g where ${groupsAsked(actor, query, group)}
      order by ${name}, ${groupId} offset 0) as g
    cross join lateral (
      select e.id from employees e where ${sql.ref(group.key)} = g.id and ${asked}
      order by ${id} ${most === undefined ? sql`` : sql`limit ${most}`}) as e
    order by ${name}, ${groupId}, ${id}`;
}

/** Ids of everybody a query asks for, in its order. */
export function orderedIds(actor: Actor, query: ListQuery, ordering: Ordering = {}) {
  const group = groupOf(query);
  if (group) return idsByGroup(actor, query, group, ordering);
  const { key, rule, id } = orderOf(actor, query, ordering.back);
  const asked = peopleAsked(actor, query, ordering.forExport ? 'employees.export' : undefined);
  return sql`select e.id from employees e where ${asked} order by ${rule(key)}, ${id}`;
}

type Range = { size: number; offset: number };

/** The size of a page stands in the text of the statement, so that its plan can be kept and still fit. */
const limited = ({ size, offset }: Range) =>
  offset > 0 ? sql`limit ${sql.lit(size)} offset ${offset}` : sql`limit ${sql.lit(size)}`;

const rangeOf = (query: ListQuery): Range => ({ size: pageSize(query), offset: pageOffset(query) });

/** The same page counted from the end of a list of `total`. */
function rangeFromEnd(query: ListQuery, total: number): Range {
  const left = Math.max(0, total - pageOffset(query));
  return { size: Math.min(pageSize(query), left), offset: Math.max(0, left - pageSize(query)) };
}

/** The ids of a page, in its order. */
const pageIds = (actor: Actor, query: ListQuery, range: Range, back = false) =>
  sql`${orderedIds(actor, query, { back, most: range.size + range.offset })} ${limited(range)}`;

// from here on it is worth a look whether the end of the list is nearer than its beginning
const farAway = 5_000;

/** How many there are, for a page that is nearer to the end of the list. */
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

/** A page whose total the head counts know, in one statement; ids first, so that deep pages stay cheap. */
async function readPage(db: Db, actor: Actor, query: ListQuery, { count, fromEnd }: Counted): Promise<Page> {
  const back = fromEnd !== undefined;
  const range = back ? rangeFromEnd(query, fromEnd) : rangeOf(query);
  const { rows } = await sql<Listed & { total: number; place: number | null }>`
    with page as (
      select id, ${back ? sql`-` : sql``} row_number() over () as place
      from (${pageIds(actor, query, range, back)}) as ids)
    select counted.total, people.* from (select (${count})::int as total) as counted left join lateral (
      select page.place, ${listedColumns}, ${accountColumn(actor)} from ${employeeTables} join page on page.id = e.id
    ) as people on true
    order by people.place`.execute(db);
  return { rows: rows.filter(({ place }) => place !== null), total: rows[0]?.total ?? 0 };
}

async function readCounted(db: Db, actor: Actor, query: ListQuery, count: RawBuilder<unknown>): Promise<Page> {
  const fromEnd = await totalIfNearEnd(db, query, count);
  const page = await readPage(db, actor, query, { count, fromEnd });
  // somebody came or went between the two looks: the place counted from the end is another one
  return fromEnd === undefined || page.total === fromEnd ? page : readPage(db, actor, query, { count });
}

/**
 * Ids of a page and the total, of one moment, where few are asked for or nobody can foresee how many: they are gathered
 * once, then counted and put in order.
 */
function gathered(actor: Actor, query: ListQuery) {
  const { key, rule, id } = orderOf(actor, query);
  const group = groupOf(query);
  const named = group ? sql`join ${sql.table(group.table)} g on g.id = ${sql.ref(group.key)}` : sql``;
  const groupId = group ? sql`, g.id as group_id` : sql``;
  const byGroup = group ? sql`, ${rule(sql`group_id`)}` : sql``;
  return sql`
    with matches as materialized (
      select e.id, ${key} as sort_key ${groupId} from employees e ${named} where ${peopleAsked(actor, query)})
    select (select count(*)::int from matches) as total,
           array(select e.id from matches e order by ${rule(sql`sort_key`)} ${byGroup}, ${id} ${limited(rangeOf(query))}) as ids`;
}

/** Ids of a page and the total, of one moment. */
const idsAndTotal = (actor: Actor, query: ListQuery) =>
  query.search || query.import_id || seesFew(actor)
    ? gathered(actor, query)
    : sql`select (select count(*)::int from employees e where ${peopleAsked(actor, query)}) as total,
                 array(${pageIds(actor, query, rangeOf(query))}) as ids`;

/** Any other page in two statements: what narrows it is planned for its values each time, the columns are not. */
async function readCounting(db: Db, actor: Actor, query: ListQuery): Promise<Page> {
  const found = await sql<{ ids: number[]; total: number }>`${idsAndTotal(actor, query)}`.execute(db);
  const { ids, total } = found.rows[0] as { ids: number[]; total: number };
  if (ids.length === 0) return { rows: [], total };
  const { rows } = await sql<Listed>`
    select ${listedColumns}, ${accountColumn(actor)} from ${employeeTables}
    join unnest(${ids}::bigint[]) with ordinality as page (id, place) on page.id = e.id
    order by page.place`.execute(db);
  return { rows, total };
}

/** One page of people and how many there are. Deleted people only for who may delete. */
export async function listEmployees(
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ rows: EmployeeRow[]; total: number }> {
  if (query.deleted && !holds(actor, 'employees.deactivate')) throw forbidden();
  const count = headCount(actor, query);
  const { rows, total } = count ? await readCounted(db, actor, query, count) : await readCounting(db, actor, query);
  return { rows: (await withCover({ db, actor }, rows)).map(presentRows(actor)), total };
}
