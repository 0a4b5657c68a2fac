import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { byName, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { every } from '../../db/lists.ts';
import { refTo } from '../../db/refs.ts';
import { awayCandidates } from '../../people/candidates.ts';
import { peopleOn, seenOn } from '../../people/on-day.ts';
import { cardReach } from '../../people/policy.ts';
import type { FlatNode, Levels } from './tree.ts';

type Condition = RawBuilder<SqlBool>;
/** The people of a chart: a source that reads them under an alias, and a condition on that alias. */
export type Shown = {
  from: (alias: string) => RawBuilder<unknown>;
  where: (alias: string) => Condition;
  /** The day whose jobs are shown; undefined for today. */
  day?: string;
};

/** The actor's managers up to the top; none for a token limited to companies, because they could be in others. */
async function chainOf(db: Db, actor: Actor): Promise<number[]> {
  const { everything, own } = cardReach(actor);
  if (actor.employee_id === null || everything || !own) return [];
  const { rows } = await sql<{ id: number }>`
    with recursive chain as (
      select reporting_manager_id as id from employees where id = ${actor.employee_id}
      union
      select e.reporting_manager_id from employees e join chain on e.id = chain.id)
    select id from chain where id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

const employees = (alias: string) => sql`employees ${sql.ref(alias)}`;

/** The people in the chart: active people that the actor sees, and the actor's own managers. */
export async function shownPeople(db: Db, actor: Actor, entityId: number | null | undefined): Promise<Shown> {
  const chain = await chainOf(db, actor);
  const where = (alias: string) => {
    const column = (name: string) => sql.ref(`${alias}.${name}`);
    const visible = visiblePeople(actor, alias);
    return every([
      sql<SqlBool>`${column('deleted_at')} is null`,
      sql<SqlBool>`${column('activity_status')} = 'active'`,
      chain.length > 0 ? sql<SqlBool>`(${visible} or ${column('id')} = any(${chain}::bigint[]))` : visible,
      ...(entityId ? [sql<SqlBool>`${column('entity_id')} = ${entityId}`] : []),
    ]);
  };
  return { from: employees, where };
}

/** The people of the list as of a day, with their jobs of that day. */
export function shownOnDay(actor: Actor, day: string, entityId: number | null | undefined): Shown {
  const asked = every([seenOn(actor), ...(entityId ? [sql<SqlBool>`e.entity_id = ${entityId}`] : [])]);
  const from = (alias: string) => sql`(
    select e.id, e.name, e.job_title, e.entity_id, e.department_id, e.reporting_manager_id, e.picture_key,
           e.last_name_sort, e.first_name_sort
    from ${peopleOn(day)} where ${asked}) as ${sql.ref(alias)}`;
  return { from, where: () => sql<SqlBool>`true`, day };
}

/** The columns of a node; for a manager outside the actor's scope only name, job title and department. */
export const personColumns = (actor: Actor, { day }: Shown) => sql`
  e.id, 'employee' as type, e.name, e.job_title, ${refTo('d')} as department, null::json as entity,
  case when e.picture_key is not null and ${day === undefined ? visiblePeople(actor) : sql`true`}
    then '/api/employees/' || e.id || '/profile-picture' end as profile_picture_url, null::bigint as people_count`;

/** People (as `e`) without a shown manager: all whose manager is not shown are noted. */
const withoutManager = (shown: Shown) => sql`(
  select e.* from employees e where e.reporting_manager_id is null
  union all
  select e.* from employees m join employees e on e.reporting_manager_id = m.id
  where m.id = any(${awayCandidates}) and not ${shown.where('m')}) as e`;

type Chart = ReadCtx & { shown: Shown };

async function readNodes({ db, actor, shown }: Chart, parent: RawBuilder<unknown>, ids: RawBuilder<unknown>) {
  const reports = sql`(select count(*) from ${shown.from('c')} where c.reporting_manager_id = e.id and ${shown.where('c')})`;
  const { rows } = await sql<FlatNode>`
    select ${personColumns(actor, shown)}, ${parent} as parent_id, ${reports} as children_count
    from (${ids}) as page
    join ${shown.from('e')} on e.id = page.id
    join departments d on d.id = e.department_id
    order by page.leads desc, ${byName('e')}`.execute(db);
  return rows;
}

const readBelow = (chart: Chart, condition: Condition, limit: RawBuilder<unknown>) =>
  readNodes(
    chart,
    sql`e.reporting_manager_id`,
    sql`select e.id, false as leads from ${chart.shown.from('e')}
        where ${condition} and ${chart.shown.where('e')} order by ${byName('e')} ${limit}`,
  );

/** People without a manager in the chart; those with reports come first. */
function readHeads(chart: Chart, isWhole: boolean, limit: number) {
  const { shown } = chart;
  return readNodes(
    chart,
    sql`null::bigint`,
    // looked up for each of the few rows, because collecting all managers would take as long as the rest
    sql`select e.id, coalesce((select true from ${shown.from('c')} where c.reporting_manager_id = e.id and ${shown.where('c')}
                               limit 1), false) as leads
        from ${isWhole ? withoutManager(shown) : shown.from('e')}
        where ${shown.where('e')} and not exists (
          select from ${shown.from('m')} where m.id = e.reporting_manager_id and ${shown.where('m')})
        order by leads desc, ${byName('e')} limit ${limit}`,
  );
}

async function readPath({ db, shown }: Chart, personId: number): Promise<number[] | null> {
  const { rows } = await sql<{ id: number }>`
    with recursive above as (
      select e.id, e.reporting_manager_id, 0 as step from ${shown.from('e')}
      where e.id = ${personId} and ${shown.where('e')}
      union all
      select m.id, m.reporting_manager_id, above.step + 1 from above
      join ${shown.from('m')} on m.id = above.reporting_manager_id and ${shown.where('m')}
    ) cycle id set is_circle using trail
    select id from above where not is_circle order by step desc`.execute(db);
  return rows.length > 0 ? rows.slice(0, -1).map(({ id }) => id) : null;
}

export type ChartQuery = { root_id?: number | null | undefined; entity_id?: number | null | undefined };

/** The chart by manager, from the top or below one person. */
export function peopleLevels(
  db: Db,
  actor: Actor,
  shown: Shown,
  { root_id: rootId, entity_id: entityId }: ChartQuery,
): Levels {
  const chart = { db, actor, shown };
  const isWhole = cardReach(actor).everything && !entityId && shown.day === undefined;
  const root = sql<SqlBool>`e.reporting_manager_id = ${rootId ?? 0} and exists (
    select from ${shown.from('m')} where m.id = ${rootId ?? 0} and ${shown.where('m')})`;
  return {
    top: (limit) => (rootId ? readBelow(chart, root, sql`limit ${limit}`) : readHeads(chart, isWhole, limit)),
    below: (ids) => readBelow(chart, sql<SqlBool>`e.reporting_manager_id = any(${ids}::bigint[])`, sql``),
    path: (personId) => readPath(chart, personId),
  };
}
