import { searchTypes } from '@tenure/contract';
import type { Permission, QueryOut, Reply, search } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds } from '../../access/actor.ts';
import { byName, visibleDepartments, visiblePeople } from '../../access/scope.ts';
import { every, holdsWords } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';
import { matchesBeginnings, matchesSearch, searchesInside } from '../../people/search-words.ts';
import { cyclesFor, cyclesSeen } from '../kpi-cycles/policy.ts';
import { templatesFor } from '../kpi-templates/policy.ts';

type Found = Reply<typeof search.find>['data'];
type Hit = NonNullable<Found['people']>[number];

const defaultLimit = 5;
/** The maximum number of matches to sort: two letters may start a word of every person. */
const maxCandidates = 2_000;

// the number of matches is hard to estimate, so an index collects them before they are sorted
async function people({ db, actor }: ReadCtx, q: string, limit: number): Promise<Hit[]> {
  const candidates = (found: RawBuilder<SqlBool>, isInside: boolean) => sql`
    select e.id, e.activity_status = 'inactive' as is_inactive, e.last_name_sort, e.first_name_sort,
           ${isInside}::boolean as is_inside
    from employees e where e.deleted_at is null and ${found} and ${visiblePeople(actor)} limit ${maxCandidates}`;
  const inside = sql<SqlBool>`(${matchesSearch(q)} and not ${matchesBeginnings(q)})`;
  const { rows } = await sql<Hit>`
    with matches as materialized (
      (${candidates(matchesBeginnings(q), false)})
      ${searchesInside(q) ? sql`union all (${candidates(inside, true)})` : sql``}),
    first as (select * from matches order by is_inside, is_inactive, ${byName('matches')} limit ${limit})
    select e.id, e.name as label, concat_ws(' · ', e.job_title, d.name, n.name) as sublabel,
           '/employees/' || e.id as url
    from first
    join employees e on e.id = first.id
    join departments d on d.id = e.department_id
    join entities n on n.id = e.entity_id
    order by first.is_inside, first.is_inactive, ${byName('first')}`.execute(db);
  return rows;
}

async function departments({ db, actor }: ReadCtx, q: string, limit: number): Promise<Hit[]> {
  const where = every([visibleDepartments(actor), ...holdsWords([sql`d.name`, sql`d.code`, sql`m.name`], q)]);
  const { rows } = await sql<Hit>`
    select d.id, d.name as label, n.name as sublabel, '/departments/' || d.id as url
    from departments d
    join entities n on n.id = d.entity_id
    left join employees m on m.id = d.manager_id
    where ${where}
    order by d.status, d.name_sort, d.id limit ${limit}`.execute(db);
  return rows;
}

// readers who see only evaluations get links to those of the cycle
async function cycles({ db, actor }: ReadCtx, q: string, limit: number): Promise<Hit[]> {
  const inFull = cyclesFor(actor, 'kpi-cycle.view');
  const where = every([
    cyclesSeen(actor),
    ...holdsWords([sql`c.name`, sql`case when ${inFull} then c.description end`], q),
  ]);
  const { rows } = await sql<Hit>`
    select c.id, c.name as label, c.start_date || ' – ' || c.end_date as sublabel,
           case when ${inFull} then '/kpi/cycles/' || c.id
                else '/kpi/evaluations?cycle_id=' || c.id end as url
    from kpi_cycles c where ${where}
    order by c.start_date desc, c.id limit ${limit}`.execute(db);
  return rows;
}

async function templates({ db, actor }: ReadCtx, q: string, limit: number): Promise<Hit[]> {
  const where = every([
    templatesFor(actor, 'kpi-template.view'),
    ...holdsWords([sql`t.name`, sql`t.description`, sql`t.job_title`], q),
  ]);
  const { rows } = await sql<Hit>`
    select t.id, t.name as label, concat_ws(' · ', t.job_title, n.name) as sublabel, '/kpi/templates/' || t.id as url
    from kpi_templates t left join entities n on n.id = t.entity_id
    where ${where}
    order by t.status = 'archived', t.name_sort, t.id limit ${limit}`.execute(db);
  return rows;
}

/** The searchable types, and for each the permissions of which one suffices. */
const kinds = {
  people: { permissions: ['employees.view'], find: people },
  departments: { permissions: ['departments.view'], find: departments },
  cycles: { permissions: ['kpi-cycle.view', 'kpi-evaluation.view'], find: cycles },
  templates: { permissions: ['kpi-template.view'], find: templates },
} as const satisfies Record<string, { permissions: readonly Permission[]; find: unknown }>;

/** The first hits of each type that the actor sees; other types are absent. */
export async function findEverywhere(ctx: ReadCtx, query: QueryOut<typeof search.find>): Promise<Found> {
  const found: Found = {};
  for (const kind of searchTypes) {
    const { permissions, find } = kinds[kind];
    const wanted = query.types?.includes(kind) ?? true;
    if (wanted && permissions.some((permission) => holds(ctx.actor, permission)))
      found[kind] = await find(ctx, query.q, query.limit ?? defaultLimit);
  }
  return found;
}
