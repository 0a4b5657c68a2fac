import { employeeRows } from '@tenure/contract';
import type { employees, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isByCompany } from '../../../access/actor.ts';
import type { Actor, Reach } from '../../../access/actor.ts';
import { either, peopleFor, peopleIn } from '../../../access/scope.ts';
import { every, oneOfIds, oneOfTexts } from '../../../db/lists.ts';
import { filtersBy } from '../../../db/row-lists.ts';
import { writtenBy } from '../../../imports/policy.ts';
import {
  byLeaving,
  bySignIn,
  leftBetween,
  missingFor,
  neverStarted,
  rehiredBetween,
} from '../../../people/conditions.ts';
import { cardReach, workReach } from '../../../people/policy.ts';
import { matchesSearch } from '../../../people/search-words.ts';

export type ListQuery = QueryOut<typeof employees.list>;
type Condition = RawBuilder<SqlBool>;

const from = (column: RawBuilder<unknown>, day: string | null | undefined): Condition[] =>
  day ? [sql<SqlBool>`${column} >= ${day}::date`] : [];
const to = (column: RawBuilder<unknown>, day: string | null | undefined): Condition[] =>
  day ? [sql<SqlBool>`${column} <= ${day}::date`] : [];

const byCardFields = filtersBy(employeeRows, 'e', 'card');
const byWorkFields = filtersBy(employeeRows, 'e', 'work');

/** Filters on fields that are visible for all visible people. */
const byCard = (query: ListQuery, search: (words: string) => Condition): Condition[] => [
  ...oneOfIds(sql`e.id`, query.id),
  ...byCardFields(query),
  ...(query.search ? [search(query.search)] : []),
];

function byRole(ids: readonly number[] | undefined): Condition[] {
  if (!ids) return [];
  const holds = (which: RawBuilder<unknown>) =>
    sql<SqlBool>`exists (select from role_assignments a where a.user_id = e.user_id ${which})`;
  const one = holds(sql`and a.role_id = any(${ids}::bigint[])`);
  return [ids.includes(0) ? sql<SqlBool>`(${one} or e.user_id is not null and not ${holds(sql``)})` : one];
}

/** Absences that may include today are collected once, because there are few of them. */
const absentToday = (wanted: boolean): Condition => sql<SqlBool>`(e.id = any(array(
  select a.employee_id from absences a
  where coalesce(a.last_day, 'infinity') >= (now() at time zone 'UTC')::date - 1 and is_on(a, now())))) = ${wanted}`;

const isByJoining = (query: ListQuery) => Boolean(query.joined_from || query.joined_to);

/** Filters on employment; they do not find people whose employment is hidden. */
const byWork = (actor: Actor, query: ListQuery, excludeNeverStarted: boolean): Condition[] => [
  ...byWorkFields(query),
  ...byRole(query.role_id),
  ...from(sql`e.joining_date`, query.joined_from),
  ...to(sql`e.joining_date`, query.joined_to),
  ...(excludeNeverStarted && isByJoining(query) ? [sql<SqlBool>`not ${neverStarted()}`] : []),
  ...from(sql`e.probation_end_date`, query.probation_ends_from),
  ...to(sql`e.probation_end_date`, query.probation_ends_to),
  ...byLeaving(query.left),
  ...(query.left_from || query.left_to ? [leftBetween(query.left_from, query.left_to)] : []),
  ...(query.rehired_from || query.rehired_to ? [rehiredBetween(query.rehired_from, query.rehired_to)] : []),
  ...(query.missing ? [either(query.missing.map((what) => missingFor(actor)[what]))] : []),
  ...(query.absent === undefined || query.absent === null ? [] : [absentToday(query.absent)]),
  ...(query.sign_in ? [either(query.sign_in.map((state) => bySignIn[state]))] : []),
];

/** The condition for visible employment; undefined if it is visible for all visible people. */
export function workCondition(actor: Actor): Condition | undefined {
  const [card, work] = [cardReach(actor), workReach(actor)];
  return JSON.stringify(card) === JSON.stringify(work) ? undefined : peopleIn(actor, work);
}

/** Filters by the imports that created people. */
const byImport = (actor: Actor, ids: readonly number[] | undefined): Condition[] =>
  ids ? [sql<SqlBool>`e.id in (${writtenBy({ type: 'employees', permission: 'employees.import' }, actor, ids)})`] : [];

/** The conditions of a query, for readers of the employment. */
export const askedBy = (actor: Actor, query: ListQuery, search: (words: string) => Condition): Condition[] => [
  ...byCard(query, search),
  ...byImport(actor, query.import_id),
  ...byWork(actor, query, true),
];

/**
 * The people of a query among those the actor sees; `permission` restricts them further. Without `excludeNeverStarted`, people who
 * joined in a period include those who never came.
 */
export function peopleMatching(
  actor: Actor,
  query: ListQuery,
  permission?: 'employees.export',
  excludeNeverStarted = true,
): Condition {
  const work = byWork(actor, query, excludeNeverStarted);
  const workVisible = work.length > 0 ? workCondition(actor) : undefined;
  return every([
    query.deleted
      ? sql<SqlBool>`e.deleted_at is not null and ${peopleFor(actor, 'employees.deactivate')}`
      : sql<SqlBool>`e.deleted_at is null`,
    peopleIn(actor, cardReach(actor)),
    ...(permission ? [peopleFor(actor, permission)] : []),
    ...byCard(query, matchesSearch),
    ...byImport(actor, query.import_id),
    ...work,
    ...(workVisible ? [workVisible] : []),
  ]);
}

/**
 * The number of people of a query. For people who joined in a period, it counts index entries and subtracts the few who
 * never came, because checking each of them would read all of their rows.
 */
export function countMatching(actor: Actor, query: ListQuery): RawBuilder<unknown> {
  if (!isByJoining(query)) return sql`select count(*)::int from employees e where ${peopleMatching(actor, query)}`;
  const all = peopleMatching(actor, query, undefined, false);
  return sql`select (select count(*) from employees e where ${all})::int
    - (select count(*) from employees e where ${all} and ${neverStarted()})::int`;
}

/** True for actors who see only their department, team and own record: a few hundred people. */
export function seesFew(actor: Actor): boolean {
  const { everything, entity_ids } = cardReach(actor);
  return !everything && entity_ids.length === 0;
}

/**
 * The companies or departments (as `g`) that may contain people of a query; the others are skipped. `entity` is the
 * column of the company.
 */
export function groupsMatching(
  actor: Actor,
  query: ListQuery,
  { key, entity }: { key: string; entity: string },
): Condition {
  const reach = cardReach(actor);
  const company = sql.ref(`g.${entity}`);
  const own = sql`g.id = (select ${sql.ref(key)} from employees e where e.id = ${actor.employee_id})`;
  return every([
    ...oneOfIds(company, query.entity_id),
    ...(key === 'e.department_id' ? oneOfIds(sql`g.id`, query.department_id) : []),
    ...(reach.everything || reach.managed || reach.department_ids.length > 0
      ? []
      : [sql<SqlBool>`(${company} = any(${reach.entity_ids}::bigint[]) or ${own})`]),
  ]);
}

const counted = new Set(['entity_id', 'department_id', 'activity_status', 'employment_lifecycle', 'left']);
const shape = new Set(['page', 'per_page', 'sort_by', 'sort_direction', 'format', 'columns', 'reveal']);

/** True when the headcounts give the number of people of a query. */
function isCounted(actor: Actor, query: ListQuery, reach: Reach): boolean {
  const asked = Object.entries(query).filter(
    ([name, value]) => !shape.has(name) && value !== undefined && value !== null,
  );
  const byEntity = isByCompany(reach);
  const seesLifecycles =
    (!query.employment_lifecycle && query.left === undefined) || workCondition(actor) === undefined;
  return (
    byEntity && seesLifecycles && asked.every(([name]) => counted.has(name) || (name === 'deleted' && !query.deleted))
  );
}

function countedKeys(query: ListQuery, entityIds: readonly number[] | undefined): Condition {
  const within = entityIds && sql<SqlBool>`d.entity_id = any(${entityIds}::bigint[])`;
  if (query.department_id)
    return sql<SqlBool>`level = 'department' and key_id in (
      select d.id from departments d where d.id = any(${query.department_id}::bigint[]) and ${within ?? sql`true`})`;
  if (entityIds) return sql<SqlBool>`level = 'entity' and key_id = any(${entityIds}::bigint[])`;
  // a parameter, because only statements with parameters are prepared
  return sql<SqlBool>`level = 'all' and key_id = ${0}`;
}

/** The number of people of a query from the headcounts; undefined if they do not contain it. */
export function headCount(actor: Actor, query: ListQuery): RawBuilder<unknown> | undefined {
  const reach = cardReach(actor);
  if (!isCounted(actor, query, reach)) return undefined;
  const entityIds = reach.everything
    ? query.entity_id
    : reach.entity_ids.filter((id) => query.entity_id?.includes(id) ?? true);
  const people = sql`select coalesce(sum(people), 0) from employee_counts c
    where ${every([
      countedKeys(query, entityIds),
      ...oneOfTexts(sql`activity_status`, query.activity_status),
      ...oneOfTexts(sql`employment_lifecycle`, query.employment_lifecycle),
      ...byLeaving(query.left, 'c'),
    ])}`;
  if (reach.everything || actor.employee_id === null) return people;
  // readers see their own record too, wherever it is
  return sql`(${people}) + (select count(*) from employees e
    where e.id = ${actor.employee_id} and e.entity_id <> all(${reach.entity_ids}::bigint[])
      and ${peopleMatching(actor, query)})`;
}
