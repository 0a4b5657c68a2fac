import type { EmployeeRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { forbidden } from '../../http/errors.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { headCount, peopleAsked, workCondition } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { employeeTables, listedColumns } from './queries.ts';
import type { ListedEmployee } from './queries.ts';
import { presentRows } from './shown-fields.ts';

type Sort = { by: RawBuilder<unknown>; nullable?: true; work?: true };

const sorts: Record<NonNullable<ListQuery['sort_by']>, Sort> = {
  last_name: { by: sql`e.last_name_sort` },
  first_name: { by: sql`e.first_name_sort` },
  employee_number: { by: sql`e.employee_number_sort` },
  email: { by: sql`e.email collate "C"` },
  entity_id: { by: sql`e.entity_id` },
  department_id: { by: sql`e.department_id` },
  entity_name: { by: sql`g.name_sort` },
  department_name: { by: sql`g.name_sort` },
  job_title: { by: sql`e.job_title_sort`, nullable: true },
  activity_status: { by: sql`e.activity_status` },
  employment_lifecycle: { by: sql`e.employment_lifecycle`, work: true },
  joining_date: { by: sql`e.joining_date`, nullable: true, work: true },
  probation_end_date: { by: sql`e.probation_end_date`, nullable: true, work: true },
  created_at: { by: sql`e.created_at` },
  updated_at: { by: sql`e.updated_at` },
};

/** Names people are ordered by that are not their own: the table, and the column that refers to it. */
const groups: Partial<Record<NonNullable<ListQuery['sort_by']>, [table: string, key: string]>> = {
  entity_name: ['entities', 'e.entity_id'],
  department_name: ['departments', 'e.department_id'],
};
const groupOf = ({ sort_by }: ListQuery) => groups[sort_by ?? 'last_name'];

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
    id: back ? sql`e.id desc` : sql`e.id`,
  };
}

/** Ids of everybody a query asks for, in its order. */
export function orderedIds(actor: Actor, query: ListQuery, { back = false, forExport = false } = {}) {
  const { key, rule, id } = orderOf(actor, query, back);
  const asked = peopleAsked(actor, query, forExport ? 'employees.export' : undefined);
  const group = groupOf(query);
  if (!group) return sql`select e.id from employees e where ${asked} order by ${rule(key)}, ${id}`;
  // group by group in the order of their names, so that a page is found without putting everybody in order
  return sql`
    select e.id from (select id, name_sort from ${sql.table(group[0])} order by ${rule(sql`name_sort`)} offset 0) as g
    cross join lateral (select e.id from employees e where ${sql.ref(group[1])} = g.id and ${asked} order by ${id}) as e
    order by ${rule(key)}, ${id}`;
}

/** The size of a page stands in the text of the statement, so that its plan can be kept and still fit. */
const range = (size: number, offset: number) =>
  offset > 0 ? sql`limit ${sql.lit(size)} offset ${offset}` : sql`limit ${sql.lit(size)}`;

const rangeOf = (query: ListQuery) => range(pageSize(query), pageOffset(query));

/** The same page counted from the end of a list of `total`. */
function rangeFromEnd(query: ListQuery, total: number) {
  const left = Math.max(0, total - pageOffset(query));
  return range(Math.min(pageSize(query), left), Math.max(0, left - pageSize(query)));
}

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

type Page = { rows: ListedEmployee[]; total: number };

type Counted = { count: RawBuilder<unknown>; fromEnd?: number | undefined };

/** A page whose total the head counts know, in one statement; ids first, so that deep pages stay cheap. */
async function readPage(db: Db, actor: Actor, query: ListQuery, { count, fromEnd }: Counted): Promise<Page> {
  const back = fromEnd !== undefined;
  const { rows } = await sql<ListedEmployee & { total: number; place: number | null }>`
    with page as (
      select id, ${back ? sql`-` : sql``} row_number() over () as place
      from (${orderedIds(actor, query, { back })} ${back ? rangeFromEnd(query, fromEnd) : rangeOf(query)}) as ids)
    select counted.total, people.* from (select (${count})::int as total) as counted left join lateral (
      select page.place, ${listedColumns} from ${employeeTables} join page on page.id = e.id
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

/** Ids of a page and the total, of one moment. */
function idsAndTotal(actor: Actor, query: ListQuery) {
  const asked = peopleAsked(actor, query);
  if (!query.search)
    return sql`select (select count(*)::int from employees e where ${asked}) as total,
                      array(${orderedIds(actor, query)} ${rangeOf(query)}) as ids`;
  // how many a word finds is hard to foresee: the matches are gathered once, then counted and put in order
  const { key, rule } = orderOf(actor, query);
  const group = groupOf(query);
  const named = group ? sql`join ${sql.table(group[0])} g on g.id = ${sql.ref(group[1])}` : sql``;
  return sql`
    with matches as materialized (select e.id, ${key} as sort_key from employees e ${named} where ${asked})
    select (select count(*)::int from matches) as total,
           array(select id from matches order by ${rule(sql`sort_key`)}, id ${rangeOf(query)}) as ids`;
}

/** Any other page in two statements: what narrows it is planned for its values each time, the columns are not. */
async function readCounting(db: Db, actor: Actor, query: ListQuery): Promise<Page> {
  const found = await sql<{ ids: number[]; total: number }>`${idsAndTotal(actor, query)}`.execute(db);
  const { ids, total } = found.rows[0] as { ids: number[]; total: number };
  if (ids.length === 0) return { rows: [], total };
  const { rows } = await sql<ListedEmployee>`
    select ${listedColumns} from ${employeeTables}
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
  return { rows: rows.map(presentRows(actor)), total };
}
