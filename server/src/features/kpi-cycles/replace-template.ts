import { messages, text } from '@tenure/contract';
import type { kpiCyclePeople, ReplyIn } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { HandlerCtx, ReadCtx } from '../../http/context.ts';
import { conflict, forbidden, invalid, notFound } from '../../http/errors.ts';
import { companiesFor } from './policy.ts';
import { templatesFor } from '../kpi-templates/policy.ts';
import { belowFullOf } from './preflight.ts';
import { lockCycle } from './queries.ts';
import type { CycleRecord } from './queries.ts';
import { hashOf, lockEvaluations, checkReplacement, listed, storedEvaluations } from './replacement-plan.ts';
import type { NewTemplate, Replaced } from './replacement-plan.ts';
import { cancelAndBeginAnew, replaceInPlace } from './replacement-write.ts';

type ReplaceCtx = HandlerCtx<typeof kpiCyclePeople.replaceTemplate>;
type Result = ReplyIn<typeof kpiCyclePeople.replaceTemplate>['data'];
type Department = { id: number; name: string; entity_id: number; template_id: number | null; is_published: boolean };
export type Running = { cycle: CycleRecord; department: Department };

/** Locks the cycle, and the department in it. Throws 404 if the caller cannot publish the department. */
export async function lockRunning(ctx: ReadCtx & { params: { id: number; departmentId: number } }): Promise<Running> {
  const { id, departmentId } = ctx.params;
  const cycle = await lockCycle(ctx, id, 'kpi-cycle.publish');
  const { rows } = await sql<Department>`
    select d.id, d.name, d.entity_id, r.template_id, r.is_published
    from kpi_cycle_departments r join departments d on d.id = r.department_id
    where r.cycle_id = ${id} and d.id = ${departmentId}
      and ${companiesFor(ctx.actor, 'kpi-cycle.publish', 'd.entity_id')}
    for update of r`.execute(ctx.db);
  const [department] = rows;
  if (!department) throw notFound();
  return { cycle, department };
}

function refuseState({ cycle, department: { name, is_published } }: Running) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
  if (cycle.status !== 'published' || !is_published)
    throw conflict(text('kpi_cycles.department_not_published', { name }), cycle);
}

/** Locks the new template: active, of the company of the department or of none, and visible or already set. */
async function newTemplate(
  { db, actor, body }: ReplaceCtx,
  { entity_id, template_id }: Department,
): Promise<NewTemplate> {
  const { rows } = await sql<NewTemplate>`
    select id, name, version, entity_id from kpi_templates t
    where t.id = ${body.template_id} and t.status = 'active' and (t.entity_id is null or t.entity_id = ${entity_id})
      and (t.id = ${template_id}::bigint or ${templatesFor(actor, 'kpi-template.view')})
    for share`.execute(db);
  const [template] = rows;
  if (!template) throw invalid('template_id', messages.unavailable);
  return template;
}

async function planned(ctx: ReplaceCtx, { cycle, department }: Running, template: NewTemplate): Promise<Replaced[]> {
  const place = { cycle_id: cycle.id, department_id: department.id };
  if (ctx.body.dry_run !== true) await lockEvaluations(ctx.db, place);
  const ticked = new Set(ctx.body.evaluation_ids ?? []);
  const rows = await storedEvaluations(ctx, place);
  const known = new Set(rows.map(({ id }) => id));
  if ([...ticked].some((id) => !known.has(id))) throw invalid('evaluation_ids', messages.unavailable);
  const asked = { actor: ctx.actor, template, former_id: department.template_id, ticked };
  return rows.map((row) => checkReplacement(asked, row));
}

/** Cancelling needs a separate permission and a reason. */
function refuseCancelling({ actor, body }: ReplaceCtx, rows: readonly Replaced[]) {
  const reach = reachOf(actor, 'kpi-evaluation.force-close');
  const cancelled = rows.filter(({ outcome }) => outcome === 'cancelled');
  if (cancelled.some(({ entity_id }) => !reachesEntity(reach, entity_id))) throw forbidden();
  if (cancelled.length > 0 && body.dry_run !== true && !body.reason) throw invalid('reason', messages.required);
}

/** The same template is a change only if evaluations have an earlier version of it. */
function refuseSame({ template_id }: Department, template: NewTemplate, rows: readonly Replaced[]) {
  if (template_id !== template.id) return;
  const isCurrent = ({ template_id: id, template_version: version }: Replaced) =>
    id !== template.id || version === template.version;
  if (rows.every(isCurrent)) throw invalid('template_id', text('kpi_cycles.same_template'));
}

const idsOf = (rows: readonly Replaced[], outcome: Replaced['outcome']) =>
  rows.filter((row) => row.outcome === outcome).map(({ id }) => id);

async function write(
  ctx: ReplaceCtx,
  { cycle, department }: Running,
  template: NewTemplate,
  rows: readonly Replaced[],
) {
  const reason = ctx.body.reason ?? null;
  await sql`
    update kpi_cycle_departments set template_id = ${template.id}
    where cycle_id = ${cycle.id} and department_id = ${department.id}`.execute(ctx.db);
  const [replaced, cancelled] = [idsOf(rows, 'replaced'), idsOf(rows, 'cancelled')];
  await replaceInPlace(ctx, replaced, { template, reason });
  await cancelAndBeginAnew(ctx, cancelled, { template, reason });
  await record(ctx, {
    action: 'kpi_cycle.template_replaced',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: department.entity_id,
    reason,
    changes: {
      department: { from: null, to: department.name },
      template_id: { from: department.template_id, to: template.id },
      replaced: { from: null, to: replaced.length },
      cancelled: { from: null, to: cancelled.length },
      kept: { from: null, to: rows.length - replaced.length - cancelled.length },
    },
  });
}

/** Replaces the template of a published department, or returns what would happen to each evaluation. */
export async function replaceTemplate(ctx: ReplaceCtx, running: Running): Promise<Result> {
  const { cycle, department } = running;
  const isDry = ctx.body.dry_run === true;
  const template = await newTemplate(ctx, department);
  refuseState(running);
  const rows = await planned(ctx, running, template);
  refuseSame(department, template, rows);
  refuseCancelling(ctx, rows);
  const plan_hash = hashOf(template, rows);
  if (ctx.body.plan_hash && ctx.body.plan_hash !== plan_hash)
    throw conflict(text('kpi_cycles.preflight_changed'), cycle);
  if (!isDry) await write(ctx, running, template, rows);
  const missing = rows.filter(({ outcome, reviewer_missing }) => outcome !== 'kept' && reviewer_missing).length;
  return {
    dry_run: isDry,
    department: { id: department.id, name: department.name },
    template: { id: template.id, name: template.name },
    counts: {
      total: rows.length,
      replaced: idsOf(rows, 'replaced').length,
      cancelled: idsOf(rows, 'cancelled').length,
      kept: idsOf(rows, 'kept').length,
    },
    evaluations: listed(rows),
    warnings: [
      ...(await belowFullOf(ctx.db, [template.id])),
      ...(missing > 0 ? [text('kpi_cycles.people_without_reviewer', { count: missing })] : []),
    ],
    plan_hash,
  };
}
