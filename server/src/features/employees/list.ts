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

/** The order of a query: what to order by, empty for whom the viewer may not know it, and how. */
function orderOf(actor: Actor, query: ListQuery) {
  const sort = sorts[query.sort_by ?? 'last_name'];
  const visible = sort.work ? workCondition(actor) : undefined;
  const key = visible ? sql`case when ${visible} then ${sort.by} end` : sort.by;
  const direction = query.sort_direction === 'desc' ? sql`desc` : sql`asc`;
  // said only where it matters: an index in plain order can be read backwards, but not with the empty ones moved
  const last = sort.nullable || visible ? sql`nulls last` : sql``;
  return { key, rule: (by: RawBuilder<unknown>) => sql`${by} ${direction} ${last}` };
}

/** Ids of everybody a query asks for, in its order. */
export function orderedIds(actor: Actor, query: ListQuery, permission?: 'employees.export') {
  const { key, rule } = orderOf(actor, query);
  const asked = peopleAsked(actor, query, permission);
  const group = groupOf(query);
  if (!group) return sql`select e.id from employees e where ${asked} order by ${rule(key)}, e.id`;
  // group by group in the order of their names, so that a page is found without putting everybody in order
  return sql`
    select e.id from (select id, name_sort from ${sql.table(group[0])} order by ${rule(sql`name_sort`)} offset 0) as g
    cross join lateral (select e.id from employees e where ${sql.ref(group[1])} = g.id and ${asked} order by e.id) as e
    order by ${rule(key)}, e.id`;
}

/** The size of a page stands in the text of the statement, so that its plan can be kept and still fit. */
function rangeOf(query: ListQuery) {
  const [size, offset] = [sql.lit(pageSize(query)), pageOffset(query)];
  return offset > 0 ? sql`limit ${size} offset ${offset}` : sql`limit ${size}`;
}

/** The tables `total` and `page` (ids in order) of a query. Only ids are read here, so that deep pages stay cheap. */
function pageOfIds(actor: Actor, query: ListQuery) {
  const page = (ids: RawBuilder<unknown>) =>
    sql`page as (select id, row_number() over () as place from (${ids} ${rangeOf(query)}) as ids)`;
  if (!query.search) {
    const count = headCount(actor, query) ?? sql`select count(*) from employees e where ${peopleAsked(actor, query)}`;
    return sql`total as (select (${count})::int as total), ${page(orderedIds(actor, query))}`;
  }
  // how many a word finds is hard to foresee: the matches are gathered once, then counted and put in order
  const { key, rule } = orderOf(actor, query);
  const group = groupOf(query);
  const named = group ? sql`join ${sql.table(group[0])} g on g.id = ${sql.ref(group[1])}` : sql``;
  return sql`
    matches as materialized (select e.id, ${key} as sort_key from employees e ${named} where ${peopleAsked(actor, query)}),
    total as (select count(*)::int as total from matches),
    ${page(sql`select id from matches order by ${rule(sql`sort_key`)}, id`)}`;
}

type Placed = ListedEmployee & { total: number; place: number | null };

/** One page of people and how many there are, from one statement. Deleted people only for who may delete. */
export async function listEmployees(
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ rows: EmployeeRow[]; total: number }> {
  if (query.deleted && !holds(actor, 'employees.deactivate')) throw forbidden();
  const { rows } = await sql<Placed>`
    with ${pageOfIds(actor, query)}
    select total.total, people.* from total left join lateral (
      select page.place, ${listedColumns} from ${employeeTables} join page on page.id = e.id
    ) as people on true
    order by people.place`.execute(db);
  const found = rows.filter(({ place }) => place !== null);
  return { rows: found.map(presentRows(actor)), total: rows[0]?.total ?? 0 };
}
