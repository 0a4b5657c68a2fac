import type { EmployeeRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { peopleFor } from '../../../access/scope.ts';
import { every } from '../../../db/lists.ts';
import type { ReadCtx } from '../../../http/context.ts';
import { asOfColumns, jobsOn, peopleOn, refuseFiltersOfToday, seenOn } from '../../../people/on-day.ts';
import type { AsOf } from '../../../people/on-day.ts';
import { workReach } from '../../../people/policy.ts';
import { listedColumns, tablesOf } from '../../../people/queries.ts';
import type { ListedOnDay } from '../../../people/record.ts';
import { candidatesOn, matchesOnDay } from '../../../people/search-words.ts';
import { presentOnDay } from '../../../people/shown-fields.ts';
import { askedBy, seesFew } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { groupOf, limited, orderOf, rangeOf } from './order.ts';
import type { Group } from './order.ts';

/**
 * The list of people as of a day. It contains people who were, are or will be employed on that day and whose employment
 * the reader sees today; filters, sorting and search use the job of the day, and today's values for everything else.
 */

export type DayQuery = ListQuery & { as_of: string };

export const isOnDay = (query: ListQuery): query is DayQuery => typeof query.as_of === 'string';

type Condition = RawBuilder<SqlBool>;

/** The people of a query, among `peopleOn` its day; `permission` restricts them further. */
export function peopleMatchingOn(actor: Actor, query: DayQuery, permission?: 'employees.export'): Condition {
  refuseFiltersOfToday(query);
  return every([
    seenOn(actor),
    ...(permission ? [peopleFor(actor, permission, 'now')] : []),
    ...askedBy(actor, query, matchesOnDay),
  ]);
}

const peopleOf = ({ as_of: day, search }: DayQuery) => peopleOn(day, search ? candidatesOn(day, search) : undefined);

const ofTheJob = new Set([
  'id',
  'entity_id',
  'department_id',
  'reporting_manager_id',
  'employment_lifecycle',
  'employment_type',
]);
const shape = new Set(['as_of', 'page', 'per_page', 'sort_by', 'sort_direction', 'format', 'columns']);

/** The people to count: without today's record if neither the reader's scope nor a filter needs it. */
export function countedOn(actor: Actor, query: DayQuery): RawBuilder<unknown> {
  const asked = Object.entries(query).filter(([name, value]) => !shape.has(name) && (value ?? undefined) !== undefined);
  const isJobEnough = workReach(actor).everything && asked.every(([name]) => ofTheJob.has(name));
  return isJobEnough ? jobsOn(query.as_of) : peopleOf(query);
}

type Ordering = { permission?: 'employees.export'; most?: number };

/** Group by group, sorted by group name: at most the wanted number of rows of each. */
function idsByGroup(actor: Actor, query: DayQuery, group: Group, { permission, most }: Ordering) {
  const { rule, ties, tied } = orderOf(actor, query);
  const [name, groupId] = [rule(sql`name_sort`), rule(sql`g.id`)];
  return sql`
    select e.id from (select id, name_sort from ${sql.table(group.table)} order by name_sort, id offset 0) as g
    cross join lateral (
      select ${tied} from ${peopleOf(query)}
      where ${sql.ref(group.key)} = g.id and ${peopleMatchingOn(actor, query, permission)}
      order by ${ties} ${most === undefined ? sql`` : sql`limit ${most}`}) as e
    order by ${name}, ${groupId}, ${ties}`;
}

/** True if few people are expected: they are collected once instead of in each group. */
const isNarrow = (actor: Actor, query: DayQuery) => Boolean(query.search || query.import_id) || seesFew(actor);

/** The group by which people are sorted, as a join and an id. */
function namedBy(query: DayQuery) {
  const group = groupOf(query);
  if (!group) return { named: sql``, groupId: sql`null::bigint` };
  return { named: sql`join ${sql.table(group.table)} g on g.id = ${sql.ref(group.key)}`, groupId: sql`g.id` };
}

/** Ids of all people of a query, in its order. */
export function orderedIdsOn(actor: Actor, query: DayQuery, ordering: Ordering = {}) {
  const group = groupOf(query);
  if (group && !isNarrow(actor, query)) return idsByGroup(actor, query, group, ordering);
  const { key, rule, ties, last } = orderOf(actor, query);
  const { named, groupId } = namedBy(query);
  return sql`select e.id from ${peopleOf(query)} ${named} where ${peopleMatchingOn(actor, query, ordering.permission)}
    order by ${last ? sql`${last}, ` : sql``}${rule(key)}, ${group ? sql`${rule(groupId)}, ` : sql``}${ties}`;
}

type Gathered = { ids: number[]; total: number };

/** Few people: collected once, then counted and sorted. */
function collectAndSort(actor: Actor, query: DayQuery): RawBuilder<Gathered> {
  const { key, rule, ties, tied, last } = orderOf(actor, query);
  const { named, groupId } = namedBy(query);
  return sql<Gathered>`
    with matches as materialized (
      select ${tied}, ${key} as sort_key, ${groupId} as group_id, ${last ?? sql`false`} as is_inside
      from ${peopleOf(query)} ${named} where ${peopleMatchingOn(actor, query)})
    select (select count(*)::int from matches) as total,
           array(select e.id from matches e order by is_inside, ${rule(sql`sort_key`)}, ${rule(sql`group_id`)}, ${ties}
                 ${limited(rangeOf(query))}) as ids`;
}

function idsAndTotal(actor: Actor, query: DayQuery): RawBuilder<Gathered> {
  if (isNarrow(actor, query)) return collectAndSort(actor, query);
  const range = rangeOf(query);
  return sql<Gathered>`
    select (select count(*)::int from ${countedOn(actor, query)} where ${peopleMatchingOn(actor, query)}) as total,
           array(${orderedIdsOn(actor, query, { most: range.size + range.offset })} ${limited(range)}) as ids`;
}

/** One page and the exact total in two statements. */
export async function listOnDay(
  { db, actor }: ReadCtx,
  query: DayQuery,
): Promise<{ rows: EmployeeRow[]; total: number }> {
  const found = await idsAndTotal(actor, query).execute(db);
  const { ids, total } = found.rows[0] as Gathered;
  if (ids.length === 0) return { rows: [], total };
  const { rows } = await sql<ListedOnDay & AsOf>`
    select ${listedColumns}, ${asOfColumns} from ${tablesOf(peopleOn(query.as_of))}
    join job_history h on h.id = s.history_id
    join unnest(${ids}::bigint[]) with ordinality as page (id, ordinal) on page.id = e.id
    order by page.ordinal`.execute(db);
  return { rows: rows.map((row) => ({ ...presentOnDay(row), as_of: asOfOf(query.as_of, row) })), total };
}

const asOfOf = (date: string, { source, effective_from, planned }: AsOf) => ({ date, source, effective_from, planned });
