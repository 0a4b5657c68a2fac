import { evaluationStatuses, messages, text } from '@tenure/contract';
import type { CycleDepartment, kpiCycles, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Actor } from '../../access/actor.ts';
import { either } from '../../access/scope.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../../db/lists.ts';
import { refTo } from '../../db/refs.ts';
import type { HandlerCtx, ReadCtx, RecordCtx, WriteCtx } from '../../http/context.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { templatesFor } from '../kpi-templates/policy.ts';
import { canOfDepartment, companiesFor } from './policy.ts';
import { lockCycle } from './queries.ts';
import type { CycleRecord } from './queries.ts';

type ListQuery = QueryOut<typeof kpiCycles.departments>;
type Stored = Omit<CycleDepartment, 'allowed_actions'> & { cycle_status: string; present_entity_id: number };

const seenIn = (actor: Actor, reference: string) => companiesFor(actor, 'kpi-cycle.view', reference);

/** The company of a department; if the department left the reader's scope, the company of its evaluations. */
const placeOf = (actor: Actor) => sql`
  select case when ${seenIn(actor, 'd.entity_id')} then d.entity_id else (
    select min(k.entity_id) from kpi_evaluation_counts k
    where k.cycle_id = r.cycle_id and k.department_id = r.department_id and ${seenIn(actor, 'k.entity_id')}) end
    as entity_id`;

const tablesFor = (actor: Actor) => sql`kpi_cycle_departments r
  join kpi_cycles c on c.id = r.cycle_id
  join departments d on d.id = r.department_id
  cross join lateral (${placeOf(actor)}) as place
  join entities n on n.id = place.entity_id
  left join kpi_templates t on t.id = r.template_id and (t.entity_id is null or ${seenIn(actor, 't.entity_id')})`;

// evaluations stay in the company where they were published, which the department may have left
const columnsFor = (actor: Actor) => sql`
  r.id, r.cycle_id, r.department_id, ${refTo('d')} as department, n.id as entity_id, ${refTo('n')} as entity,
  d.entity_id as present_entity_id, t.id as template_id, ${refTo('t')} as template, r.is_published, r.published_at,
  case when r.is_published then json_build_object('user_id', r.published_by, 'name', r.published_by_name) end
    as published_by,
  people.evaluations_count, people.by_status, people.overdue, r.revision, r.created_at, r.updated_at,
  c.status as cycle_status
  from ${tablesFor(actor)}
  cross join lateral (
    select coalesce(sum(k.evaluations), 0)::bigint as evaluations_count,
           json_object_agg(s.status, coalesce(k.evaluations, 0)) as by_status,
           coalesce(sum(k.overdue), 0)::bigint as overdue
    from unnest(${evaluationStatuses}::text[]) as s (status)
    left join (
      select k.status, sum(k.evaluations)::bigint as evaluations,
             sum(k.evaluations) filter (where k.due_on < (now() at time zone m.timezone)::date) as overdue
      from kpi_evaluation_counts k join entities m on m.id = k.entity_id
      where k.cycle_id = r.cycle_id and k.department_id = r.department_id
        and ${seenIn(actor, 'k.entity_id')}
      group by k.status) as k on k.status = s.status) as people`;

const sorts = {
  department_name: sql`d.name_sort`,
  entity_name: sql`n.name_sort`,
  published_at: sql`r.published_at`,
  evaluations_count: sql`evaluations_count`,
};

/** Departments of companies in scope, and former departments with evaluations there. */
const departmentsSeen = (actor: Actor) =>
  either([
    seenIn(actor, 'd.entity_id'),
    sql<boolean>`(r.is_published and exists (
      select from kpi_evaluation_counts k where k.cycle_id = r.cycle_id and k.department_id = r.department_id
        and ${seenIn(actor, 'k.entity_id')}))`,
  ]);

function listOf(actor: Actor, cycleId: number, query: ListQuery) {
  const where = every([
    sql<boolean>`r.cycle_id = ${cycleId}`,
    departmentsSeen(actor),
    ...oneOfIds(sql`n.id`, query.entity_id),
    ...oneOfIds(sql`t.id`, query.template_id, { orNone: true }),
    ...(query.is_published === undefined ? [] : [sql<boolean>`r.is_published = ${query.is_published}`]),
    ...holdsWords([sql`d.name`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'department_name'], query.sort_direction, sql`r.id`);
  return {
    rows: sql<Stored>`select ${columnsFor(actor)} where ${where} ${order}`,
    total: sql`select count(*) from ${tablesFor(actor)} where ${where}`,
  };
}

const withActions = (actor: Actor, rows: readonly Stored[]): CycleDepartment[] => {
  const actions = canOfDepartment(actor);
  return rows.map(({ cycle_status, present_entity_id: entity_id, ...row }) => ({
    ...row,
    allowed_actions: actions({ ...row, entity_id, cycle_status }),
  }));
};

/** A page of the departments of a cycle that the actor sees, with their progress. */
export async function listDepartments({ db, actor }: ReadCtx, cycleId: number, query: ListQuery) {
  const { rows, total } = await selectPage(db, query, listOf(actor, cycleId, query));
  return { rows: withActions(actor, rows), total };
}

export async function readDepartment({ db, actor }: ReadCtx, cycleId: number, id: number): Promise<CycleDepartment> {
  const { rows } = await sql<Stored>`
    select ${columnsFor(actor)} where r.cycle_id = ${cycleId} and r.department_id = ${id}`.execute(db);
  const [row] = withActions(actor, rows);
  if (!row) throw notFound();
  return row;
}

type DepartmentRow = { id: number; name: string; entity_id: number; status: string };
type Row = { id: number; template_id: number | null; is_published: boolean; revision: number };
/** The cycle and department of a path, and how they belong together. */
export type Chosen = { cycle: CycleRecord; department: DepartmentRow; row: Row | undefined };

/** Locks both until the end of the transaction. Throws 404 if the caller cannot select the department. */
export async function lockChosen(ctx: RecordCtx & { params: { departmentId: number } }): Promise<Chosen> {
  const { id, departmentId } = ctx.params;
  const cycle = await lockCycle(ctx, id, 'kpi-cycle.update');
  const { rows: found } = await sql<DepartmentRow>`
    select d.id, d.name, d.entity_id, d.status from departments d
    where d.id = ${departmentId} and ${companiesFor(ctx.actor, 'kpi-cycle.update', 'd.entity_id')}
    for share`.execute(ctx.db);
  const [department] = found;
  if (!department) throw notFound();
  const row = await ctx.db
    .selectFrom('kpi_cycle_departments')
    .select(['id', 'template_id', 'is_published', 'revision'])
    .where('cycle_id', '=', id)
    .where('department_id', '=', departmentId)
    .executeTakeFirst();
  return { cycle, department, row };
}

/** Refuses changes after either one was published or closed. */
function refuseDecided({ cycle, department, row }: Chosen) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (row?.is_published)
    throw conflict(text('kpi_cycles.department_published_already', { name: department.name }), {
      status: 'published',
      revision: row.revision,
    });
}

/** Requires an active template of the department's company or of none, which the actor sees or which is already set. */
async function refuseTemplate(
  { db, actor }: WriteCtx,
  id: number | null,
  { department: { entity_id }, row }: Chosen,
): Promise<void> {
  if (id === null) return;
  const { rows } = await sql`
    select from kpi_templates t where t.id = ${id} and t.status = 'active'
      and (t.entity_id is null or t.entity_id = ${entity_id})
      and (t.id = ${row?.template_id ?? null}::bigint or ${templatesFor(actor, 'kpi-template.view')}) for share`.execute(
    db,
  );
  if (rows.length === 0) throw invalid('template_id', messages.unavailable);
}

function refuseDepartment(cycle: CycleRecord, { name, entity_id, status }: DepartmentRow) {
  if (cycle.entity_id !== null && cycle.entity_id !== entity_id)
    throw invalid('department_id', text('kpi_cycles.other_company', { name }));
  if (status !== 'active') throw invalid('department_id', text('kpi_cycles.department_inactive', { name }));
}

const recordChoice = (
  ctx: WriteCtx,
  { cycle, department }: Chosen,
  template: { from: number | null; to: number | null },
) =>
  record(ctx, {
    action: 'kpi_cycle.departments',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: department.entity_id,
    changes: { department: { from: null, to: department.name }, template_id: template },
  });

/** Adds a department, with a template or with one to select later. */
export async function assignDepartment(
  ctx: HandlerCtx<typeof kpiCycles.assignDepartment>,
  chosen: Chosen,
): Promise<void> {
  const { cycle, department, row } = chosen;
  // missing fields keep their value
  const template_id = ctx.body.template_id === undefined ? (row?.template_id ?? null) : ctx.body.template_id;
  refuseDepartment(cycle, department);
  await refuseTemplate(ctx, template_id, chosen);
  if (row) checkRevision(row, ctx.body, cycle.status);
  refuseDecided(chosen);
  if (row && row.template_id === template_id) return;
  await ctx.db
    .insertInto('kpi_cycle_departments')
    .values({ cycle_id: cycle.id, department_id: department.id, template_id })
    .onConflict((on) => on.constraint('kpi_cycle_departments_key').doUpdateSet({ template_id }))
    .execute();
  await recordChoice(ctx, chosen, { from: row?.template_id ?? null, to: template_id });
}

/** Removes an unpublished department. */
export async function removeDepartment(ctx: WriteCtx, chosen: Chosen): Promise<void> {
  if (!chosen.row) throw notFound();
  refuseDecided(chosen);
  await ctx.db.deleteFrom('kpi_cycle_departments').where('id', '=', chosen.row.id).execute();
  await recordChoice(ctx, chosen, { from: chosen.row.template_id, to: null });
}
