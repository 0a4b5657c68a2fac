import { text } from '@tenure/contract';
import type { CycleBands, kpiCycles } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import { sentOf } from '../../db/values.ts';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { conflict, forbiddenValue, invalidFields } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { usualBands } from '../../scores/bands.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { copyDepartments, findSource, rulesOf } from './copy.ts';
import { mayWrite } from './policy.ts';
import type { CycleRecord } from './queries.ts';
import { cycleFields, entityProblems, fixedProblems, ownerProblems, valueProblems } from './rules.ts';
import type { Values } from './rules.ts';
import { moveWindows } from './windows.ts';

type CreateCtx = HandlerCtx<typeof kpiCycles.create>;
type UpdateCtx = HandlerCtx<typeof kpiCycles.update>;

const blank: Omit<Values, 'name' | 'start_date' | 'end_date'> = {
  description: null,
  type: 'custom',
  entity_id: null,
  self_assessment_opens_on: null,
  self_assessment_closes_on: null,
  manager_review_opens_on: null,
  manager_review_closes_on: null,
  acceptance_days: 7,
  min_days: 3,
  min_service_days: null,
  auto_skip_self: false,
  auto_accept: false,
  four_eyes: true,
  hr_comment_optional: false,
  manager_weight_pct: 100,
  self_weight_pct: 0,
  pip_below_pct: 60,
  hipo_from_pct: 90,
  band_caps: null,
  bands: usualBands,
  owner_id: null,
};

const stored = (values: Values) => ({
  ...values,
  band_caps: values.band_caps && JSON.stringify(values.band_caps),
  bands: JSON.stringify(values.bands),
});

function refuse(errors: FieldErrors) {
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** The owner: the named person, else the creator if permitted. */
async function ownerOf(ctx: CreateCtx, values: Values): Promise<number | null> {
  if (ctx.body.owner_id !== undefined) return ctx.body.owner_id;
  const own = { ...values, owner_id: ctx.actor.employee_id };
  return Object.keys(await ownerProblems(ctx, own)).length === 0 ? own.owner_id : null;
}

/** The name of a copied cycle, unless readers of the new cycle's log entries may not see it. */
const nameFor = ({ name, entity_id }: CycleRecord, reader: number | null) =>
  entity_id === null || entity_id === reader ? name : undefined;

/** The initial bands of a company's cycle: those of its settings; the default ones without a company. */
async function bandsFor({ db }: CreateCtx, entityId: number | null): Promise<CycleBands> {
  const row = await db
    .selectFrom('entities')
    .select(['kpi_band_a_name', 'kpi_band_a_from', 'kpi_band_b_name', 'kpi_band_b_from'])
    .select(['kpi_band_c_name', 'kpi_band_c_from', 'kpi_band_d_name'])
    .where('id', '=', entityId ?? 0)
    .executeTakeFirst();
  if (!row) return usualBands;
  return {
    a: { name: row.kpi_band_a_name, from: row.kpi_band_a_from },
    b: { name: row.kpi_band_b_name, from: row.kpi_band_b_from },
    c: { name: row.kpi_band_c_name, from: row.kpi_band_c_from },
    d: { name: row.kpi_band_d_name },
  };
}

/** Adds a cycle as a draft. Returns its id. */
export async function createCycle(ctx: CreateCtx): Promise<number> {
  const { copy_from: copied, ...body } = ctx.body;
  const source = copied === undefined || copied === null ? undefined : await findSource(ctx, copied);
  const bands = await bandsFor(ctx, body.entity_id ?? null);
  const sent = { ...blank, bands, ...(source && rulesOf(source, body.start_date)), ...sentOf(body) };
  if (sent.entity_id === null && !mayWrite(ctx.actor, 'kpi-cycle.create', null)) {
    throw forbiddenValue('entity_id', text('kpi_cycles.needs_company'));
  }
  const after = { ...sent, owner_id: await ownerOf(ctx, sent) };
  refuse({
    ...valueProblems(after),
    ...(await entityProblems(ctx, after.entity_id)),
    ...(await ownerProblems(ctx, after)),
  });
  const { id } = await ctx.db
    .insertInto('kpi_cycles')
    .values({ ...stored(after), created_by: ctx.actor.user_id, created_by_name: ctx.actor.name })
    .returning('id')
    .executeTakeFirstOrThrow();
  const departments = source && (await copyDepartments(ctx, { source, cycle_id: id, entity_id: after.entity_id }));
  await record(ctx, {
    action: 'kpi_cycle.created',
    subject_id: id,
    subject_label: after.name,
    entity_id: after.entity_id,
    changes: changesBetween(
      {},
      {
        ...sentOf(body),
        ...(source && { copied_from: nameFor(source, after.entity_id), departments }),
      },
    ),
  });
  return id;
}

/** Stored bands in the order of a request, so that equal bands are not a change. */
const inOrder = ({ a, b, c, d }: CycleBands): CycleBands => {
  const band = ({ name, from }: CycleBands['a']) => ({ name, from });
  return { a: band(a), b: band(b), c: band(c), d };
};

const valuesOf = (cycle: CycleRecord) =>
  ({
    ...Object.fromEntries(cycleFields.map((field) => [field, cycle[field]])),
    bands: inOrder(cycle.bands as CycleBands),
  }) as Values;

/** Writes changed fields; moving a window also moves the due days of open steps. */
export async function updateCycle(ctx: UpdateCtx, cycle: CycleRecord): Promise<void> {
  const { revision: _seen, ...body } = ctx.body;
  const before = valuesOf(cycle);
  const after: Values = { ...before, ...sentOf(body) };
  const changes = changesBetween(before, after);
  const changed = cycleFields.filter((field) => field in changes);
  refuse(fixedProblems(changed, cycle.status));
  refuse({ ...valueProblems(after), ...(changed.includes('owner_id') ? await ownerProblems(ctx, after) : {}) });
  checkRevision(cycle, ctx.body, cycle.status);
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (changed.length === 0) return;
  const { revision } = await ctx.db
    .updateTable('kpi_cycles')
    .set(stored(after))
    .where('id', '=', cycle.id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  await record(ctx, {
    action: 'kpi_cycle.updated',
    subject_id: cycle.id,
    subject_label: after.name,
    entity_id: cycle.entity_id,
    changes,
  });
  if (cycle.status === 'published')
    await moveWindows(ctx, { id: cycle.id, name: after.name, revision }, { before, after });
}

/** Deletes an unpublished cycle with its departments. */
export async function deleteCycle(ctx: WriteCtx, cycle: CycleRecord): Promise<void> {
  if (cycle.status !== 'draft') throw conflict(text('kpi_cycles.published_cannot_be_deleted'), cycle);
  await ctx.db.deleteFrom('kpi_cycles').where('id', '=', cycle.id).execute();
  await record(ctx, {
    action: 'kpi_cycle.deleted',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
  });
}
