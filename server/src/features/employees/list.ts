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
  entity_name: { by: sql`n.name_sort` },
  department_name: { by: sql`d.name_sort` },
  job_title: { by: sql`e.job_title_sort`, nullable: true },
  activity_status: { by: sql`e.activity_status` },
  employment_lifecycle: { by: sql`e.employment_lifecycle`, work: true },
  joining_date: { by: sql`e.joining_date`, nullable: true, work: true },
  probation_end_date: { by: sql`e.probation_end_date`, nullable: true, work: true },
  created_at: { by: sql`e.created_at` },
  updated_at: { by: sql`e.updated_at` },
};

/** People with what the chosen order reads beside them. */
const sourceOf = ({ sort_by }: ListQuery) =>
  sort_by === 'entity_name'
    ? sql`employees e join entities n on n.id = e.entity_id`
    : sort_by === 'department_name'
      ? sql`employees e join departments d on d.id = e.department_id`
      : sql`employees e`;

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
  return sql`select e.id from ${sourceOf(query)} where ${peopleAsked(actor, query, permission)}
             order by ${rule(key)}, e.id`;
}

/** The tables `total` and `page` (ids in order) of a query. Only ids are read here, so that deep pages stay cheap. */
function pageOfIds(actor: Actor, query: ListQuery) {
  const range = sql`limit ${pageSize(query)} offset ${pageOffset(query)}`;
  const count = headCount(actor, query);
  if (count)
    return sql`total as (select (${count})::int as total),
      page as (select id, row_number() over () as place from (${orderedIds(actor, query)} ${range}) as ids)`;
  const { key, rule } = orderOf(actor, query);
  return sql`
    matches as materialized (
      select e.id, ${key} as sort_key from ${sourceOf(query)} where ${peopleAsked(actor, query)}),
    total as (select count(*)::int as total from matches),
    page as (select id, row_number() over () as place
             from (select id from matches order by ${rule(sql`sort_key`)}, id ${range}) as ids)`;
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
