import type { CycleBands, KpiCycle, kpiCycles, Permission, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import type { KpiCycles } from '../../db/schema.ts';
import type { ReadCtx } from '../../http/context.ts';
import type { BandCaps } from '../../scores/bands.ts';
import { notFound } from '../../http/errors.ts';
import { can, companiesFor, cyclesFor } from './policy.ts';
import { allColumns } from '../../db/all-columns.ts';

type Stored = Omit<KpiCycle, 'allowed_actions'>;
type ListQuery = QueryOut<typeof kpiCycles.list>;
/** Decimal columns are read as numbers. */
export type CycleRecord = Omit<Selectable<KpiCycles>, 'pip_below_pct' | 'hipo_from_pct' | 'status'> &
  Pick<KpiCycle, 'pip_below_pct' | 'hipo_from_pct' | 'status'>;

/** The band caps and the bands of a cycle, which are JSON columns. */
export const bandsOf = ({
  band_caps,
  bands,
}: Pick<CycleRecord, 'band_caps' | 'bands'>): [BandCaps | null, CycleBands] => [
  band_caps as BandCaps | null,
  bands as CycleBands,
];

const tables = sql`kpi_cycles c
  left join entities n on n.id = c.entity_id
  left join employees o on o.id = c.owner_id`;

/** True when the actor sees every company being published, because its progress is one figure for all of them. */
const seesWholePublish = (actor: Actor) => sql<SqlBool>`not exists (
  select from departments d
  where d.id in (select x::bigint from jsonb_array_elements_text(c.publishing_request -> 'department_ids') as x)
    and not ${companiesFor(actor, 'kpi-cycle.view', 'd.entity_id')})`;

/** The columns of a response; counts cover the companies in the actor's scope. */
const columnsFor = (actor: Actor): RawBuilder<unknown> => sql`
  c.id, c.name, c.description, c.type, c.start_date, c.end_date, c.entity_id, ${refTo('n')} as entity,
  c.self_assessment_opens_on, c.self_assessment_closes_on, c.manager_review_opens_on, c.manager_review_closes_on,
  c.acceptance_days, c.min_days, c.min_service_days, c.auto_skip_self, c.auto_accept, c.four_eyes, c.hr_comment_optional,
  c.manager_weight_pct, c.self_weight_pct, c.pip_below_pct, c.hipo_from_pct, c.band_caps, c.bands, c.status,
  case when c.publishing_total is null then null
    when ${seesWholePublish(actor)}
    then json_build_object('processed', c.publishing_processed, 'total', c.publishing_total)
    else '{}'::json end as publishing,
  places.departments_count, places.published_departments_count,
  people.evaluations_count, people.completed_count, people.cancelled_count,
  c.owner_id, case when ${visiblePeople(actor, 'o')} then ${personRefTo('o')} end as owner,
  json_build_object('user_id', c.created_by, 'name', c.created_by_name) as created_by,
  c.published_at, c.closed_at, c.close_reason, c.revision, c.created_at, c.updated_at
  from ${tables}
  cross join lateral (
    select count(*) as departments_count, count(*) filter (where r.is_published) as published_departments_count
    from kpi_cycle_departments r join departments d on d.id = r.department_id
    where r.cycle_id = c.id and ${companiesFor(actor, 'kpi-cycle.view', 'd.entity_id')}) as places
  cross join lateral (
    select coalesce(sum(k.evaluations), 0)::bigint as evaluations_count,
           coalesce(sum(k.evaluations) filter (where k.status = 'completed'), 0)::bigint as completed_count,
           coalesce(sum(k.evaluations) filter (where k.status = 'cancelled'), 0)::bigint as cancelled_count
    from kpi_company_counts k
    where k.cycle_id = c.id and ${companiesFor(actor, 'kpi-cycle.view', 'k.entity_id')}) as people`;

const sorts = {
  start_date: sql`c.start_date`,
  end_date: sql`c.end_date`,
  name: sql`c.name_sort`,
  status: sql`c.status`,
  created_at: sql`c.created_at`,
};

function listOf(actor: Actor, query: ListQuery) {
  const where = every([
    cyclesFor(actor, 'kpi-cycle.view'),
    ...oneOfIds(sql`c.entity_id`, query.entity_id, { orNone: true }),
    ...oneOfTexts(sql`c.status`, query.status),
    ...oneOfTexts(sql`c.type`, query.type),
    ...(query.start_from ? [sql<boolean>`c.start_date >= ${query.start_from}::date`] : []),
    ...(query.start_to ? [sql<boolean>`c.start_date <= ${query.start_to}::date`] : []),
    ...holdsWords([sql`c.name`, sql`c.description`], query.search),
  ]);
  const by = query.sort_by ?? 'start_date';
  const order = orderedBy(sorts[by], query.sort_direction ?? (by === 'start_date' ? 'desc' : 'asc'), sql`c.id`);
  return {
    rows: sql<Stored>`select ${columnsFor(actor)} where ${where} ${order}`,
    total: sql`select count(*) from kpi_cycles c where ${where}`,
  };
}

const withActions = (actor: Actor, rows: readonly Stored[]): KpiCycle[] => {
  const actions = can(actor);
  return rows.map((row) => ({ ...row, allowed_actions: actions(row) }));
};

/** A page of the cycles that the actor sees. */
export async function listCycles({ db, actor }: ReadCtx, query: ListQuery) {
  const { rows, total } = await selectPage(db, query, listOf(actor, query));
  return { rows: withActions(actor, rows), total };
}

/** A cycle in the scope of a permission; undefined for any other. */
export async function seenCycle(
  { db, actor }: ReadCtx,
  id: number,
  permission: Permission,
): Promise<CycleRecord | undefined> {
  const { rows } = await sql<CycleRecord>`
    select ${allColumns('kpi_cycles', 'c')} from kpi_cycles c where c.id = ${id} and ${cyclesFor(actor, permission)}`.execute(
    db,
  );
  return rows[0];
}

/** Finds a cycle in the scope of a permission; throws 404 otherwise. */
export async function findCycle(ctx: ReadCtx, id: number, permission: Permission): Promise<CycleRecord> {
  const cycle = await seenCycle(ctx, id, permission);
  if (!cycle) throw notFound();
  return cycle;
}

/** Finds and locks a cycle for a change. Other requests can write its evaluations meanwhile. */
export async function lockCycle({ db, actor }: ReadCtx, id: number, permission: Permission): Promise<CycleRecord> {
  const { rows } = await sql<CycleRecord>`
    select ${allColumns('kpi_cycles', 'c')} from kpi_cycles c where c.id = ${id} and ${cyclesFor(actor, permission)}
    for no key update`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** A cycle as a response; the caller has checked its visibility. */
export async function readCycle({ db, actor }: ReadCtx, id: number): Promise<KpiCycle> {
  const { rows } = await sql<Stored>`select ${columnsFor(actor)} where c.id = ${id}`.execute(db);
  const [cycle] = withActions(actor, rows);
  if (!cycle) throw notFound();
  return cycle;
}
