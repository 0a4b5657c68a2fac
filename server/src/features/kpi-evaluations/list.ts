import type { KpiEvaluationRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { readInOrder } from '../../workflow/row.ts';
import { countOf, evaluationsMatching } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { presentRow } from './present.ts';
import { listedColumns, listedTables } from './queries.ts';
import type { ListedEvaluation } from './record.ts';
import { scoresHidden, scoresSeen } from './visibility.ts';

type Sort = { by: RawBuilder<unknown>; nullable?: true; score?: true };

const sorts: Record<NonNullable<ListQuery['sort_by']>, Sort> = {
  updated_at: { by: sql`v.updated_at` },
  employee_name: { by: sql`v.person_sort` },
  department_name: { by: sql`g.name_sort` },
  status: { by: sql`v.status` },
  due_on: { by: sql`v.due_on`, nullable: true },
  overall_score: { by: sql`v.overall_score`, nullable: true, score: true },
  overall_percentage: { by: sql`v.overall_percentage`, nullable: true, score: true },
  created_at: { by: sql`v.created_at` },
};
const sortOf = ({ sort_by }: ListQuery) => sorts[sort_by ?? 'updated_at'];
const isByDepartment = ({ sort_by }: ListQuery) => sort_by === 'department_name';

/** The order of a query; `back` from its end. Missing values come last, ties follow the direction of the order. */
function orderOf(query: ListQuery, back = false) {
  const wanted = query.sort_direction ?? ((query.sort_by ?? 'updated_at') === 'updated_at' ? 'desc' : 'asc');
  const direction = (wanted === 'desc') === back ? sql`asc` : sql`desc`;
  const empty = sortOf(query).nullable ? (back ? sql`nulls first` : sql`nulls last`) : sql``;
  const rule = (by: RawBuilder<unknown>) => sql`${by} ${direction} ${empty}`;
  return { rule, direction, id: sql`id ${direction}` };
}

type Ordering = {
  /** True to read from the end of the list. */
  back?: boolean;
  /** The maximum number of rows. */
  most?: number;
};
type Condition = RawBuilder<SqlBool>;

/** Department by department, by name: reads at most the wanted number of rows of each. */
function idsByDepartment(asked: Condition, query: ListQuery, { back, most }: Ordering) {
  const { rule, id } = orderOf(query, back);
  const [name, group] = [rule(sql`g.name_sort`), rule(sql`g.id`)];
  return sql`
    select v.id from (select id, name_sort from departments g order by ${name}, ${group} offset 0) as g
    cross join lateral (
      select v.id from kpi_evaluations v where v.department_id = g.id and ${asked}
      order by v.${id} ${most === undefined ? sql`` : sql`limit ${most}`}) as v
    order by ${name}, ${group}, v.${id}`;
}

/**
 * Sorted by a nullable column: rows with a value from one index, those without from another, cycle by cycle, and only
 * if the others do not suffice. The few rows whose figure is hidden from the actor are among those without one.
 */
function idsByNullable(all: Condition, hidden: Condition | undefined, query: ListQuery, { back, most }: Ordering) {
  const { by } = sortOf(query);
  const { rule, direction, id } = orderOf(query, back);
  const asked = hidden ? sql<SqlBool>`${all} and not ${hidden}` : all;
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  const valued = sql`
    select v.id, ${by} as key from kpi_evaluations v where ${asked} and ${by} is not null
    order by ${by} ${direction}, v.${id} ${limit}`;
  const empty = sql`
    select v.id, v.key from kpi_cycles c cross join lateral (
      select v.id, ${by} as key from kpi_evaluations v where v.cycle_id = c.id and ${by} is null and ${asked}
      order by v.${id} ${limit}) as v
    order by v.${id} ${limit}`;
  const [near, far] = back ? [empty, valued] : [valued, empty];
  const wanted = most === undefined ? sql`true` : sql`(select count(*) from near) < ${most}`;
  const hiding = sql`select v.id, case when false then ${by} end from kpi_evaluations v where ${all} and ${hidden}`;
  return sql`
    with near as materialized (${near})
    select id from (
      select id, key from near union all select id, key from (${far}) as far where ${wanted}
      ${hidden ? sql`union all (${hiding})` : sql``}) as v
    order by ${rule(sql`key`)}, ${id}`;
}

/** Ids of all evaluations of a query, in its order, from indexes. */
export function orderedIds(actor: Actor, asked: Condition, query: ListQuery, ordering: Ordering = {}) {
  if (isByDepartment(query)) return idsByDepartment(asked, query, ordering);
  const { by, nullable, score } = sortOf(query);
  if (nullable) return idsByNullable(asked, score && scoresHidden(actor), query, ordering);
  const { rule, id } = orderOf(query, ordering.back);
  return sql`select v.id from kpi_evaluations v where ${asked} order by ${rule(by)}, v.${id}`;
}

type Found = { ids: number[]; total: number };

/** Few evaluations: collected, counted and sorted; ids of the page and the total from one snapshot. */
export function collectAndSort(actor: Actor, asked: Condition, query: ListQuery) {
  const { by, score } = sortOf(query);
  const { rule, id } = orderOf(query);
  const key = score ? sql`case when ${scoresSeen(actor)} then ${by} end` : by;
  const [group, joined, groupId] = isByDepartment(query)
    ? [sql`, g.id as group_id`, sql`join departments g on g.id = v.department_id`, sql`, ${rule(sql`group_id`)}`]
    : [sql``, sql``, sql``];
  return sql<Found>`
    with matches as materialized (
      select v.id, ${key} as key ${group} from kpi_evaluations v ${joined} where ${asked})
    select (select count(*)::int from matches) as total,
           array(select id from matches order by ${rule(sql`key`)} ${groupId}, ${id}
                 limit ${sql.lit(pageSize(query))} offset ${pageOffset(query)}) as ids`;
}

// beyond this offset it pays to check whether the end of the list is closer
const farAway = 5_000;

/** The range of a page counted from the end of a list of `total`. */
function rangeFromEnd(query: ListQuery, total: number) {
  const left = Math.max(0, total - pageOffset(query));
  return { size: Math.min(pageSize(query), left), offset: Math.max(0, left - pageSize(query)) };
}

type Page = { rows: ListedEvaluation[]; total: number };

/** Reads a page in two statements: the filter is planned for its values each time, the columns are not. */
async function readFound(db: Db, statement: RawBuilder<Found>): Promise<Page> {
  const found = await statement.execute(db);
  const { ids, total } = found.rows[0] ?? { ids: [], total: 0 };
  return { rows: await readInOrder(db, ids, { columns: listedColumns, tables: listedTables }), total };
}

async function totalOf(db: Db, count: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select (${count})::int as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Reads a page with the total of the stored counts in one statement; ids first, so that deep pages stay cheap. */
async function readCounted(db: Db, ids: RawBuilder<unknown>, count: RawBuilder<unknown>): Promise<Page> {
  const { rows } = await sql<ListedEvaluation & { total: number; place: number }>`
    with page as (select id, row_number() over () as place from (${ids}) as ids)
    select counted.total, listed.* from (select (${count})::int as total) as counted cross join lateral (
      select page.place, ${listedColumns} from ${listedTables} join page on page.id = v.id
    ) as listed
    order by listed.place`.execute(db);
  return { rows, total: rows[0]?.total ?? (await totalOf(db, count)) };
}

/** A page from indexes, from the closer end of the list. */
async function readOrdered(db: Db, actor: Actor, query: ListQuery, asked: Condition): Promise<Page> {
  const kept = countOf(actor, query);
  const count = kept ?? sql`select count(*) from kpi_evaluations v where ${asked}`;
  const page = ({ size, offset }: { size: number; offset: number }, back: boolean) => {
    const ids = sql`${orderedIds(actor, asked, query, { back, most: offset + size })} limit ${sql.lit(size)} offset ${offset}`;
    return kept
      ? readCounted(db, ids, count)
      : readFound(db, sql<Found>`select (${count})::int as total, array(${ids}) as ids`);
  };
  const fromStart = () => page({ size: pageSize(query), offset: pageOffset(query) }, false);
  if (pageOffset(query) < farAway) return fromStart();
  const total = await totalOf(db, count);
  if (pageOffset(query) <= total / 2) return fromStart();
  const found = await page(rangeFromEnd(query, total), true);
  // a row was added between the two reads, so the offset from the end is wrong
  return found.total === total ? { total, rows: found.rows.toReversed() } : fromStart();
}

/** One page of evaluations in scope, and how many there are. */
export async function listEvaluations(
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ rows: KpiEvaluationRow[]; total: number }> {
  const { asked, few } = await evaluationsMatching(db, actor, query);
  const { rows, total } = few
    ? await readFound(db, collectAndSort(actor, asked, query))
    : await readOrdered(db, actor, query, asked);
  return { rows: rows.map(presentRow(actor)), total };
}
