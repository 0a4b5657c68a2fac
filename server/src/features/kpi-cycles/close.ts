import { messages, text } from '@tenure/contract';
import type { kpiCycles } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, forbidden, invalid } from '../../http/errors.ts';
import { stillThere } from '../../counts.ts';
import { checkRevision, transition } from '../../workflow/transition.ts';
import { finishCycle } from '../kpi-evaluations/bulk-transitions.ts';
import { mayWrite } from './policy.ts';
import type { CycleRecord } from './queries.ts';
import { notifyClosed } from './notify.ts';
import { endedEvaluations } from '../../workflow/open.ts';

type CloseCtx = HandlerCtx<typeof kpiCycles.close>;
type ReopenCtx = HandlerCtx<typeof kpiCycles.reopen>;

async function openEvaluations(db: Db, cycleId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from kpi_evaluations
    where cycle_id = ${cycleId} and status not in ${endedEvaluations}`.execute(db);
  return rows[0]?.n ?? 0;
}

async function publishedDepartments(db: Db, cycleId: number) {
  const { rows } = await sql<{ id: number; entity_id: number }>`
    select d.id, d.entity_id from kpi_cycle_departments r join departments d on d.id = r.department_id
    where r.cycle_id = ${cycleId} and r.is_published order by d.id`.execute(db);
  return rows;
}

/** Closing by force needs the permission to end evaluations by force, and a reason. */
function refuseForce({ actor, body }: CloseCtx, cycle: CycleRecord) {
  if (!body.force) return;
  if (!mayWrite(actor, 'kpi-evaluation.force-close', cycle.entity_id)) throw forbidden();
  if (!body.reason) throw invalid('reason', messages.required);
}

/** Closing by force cannot end one's own evaluation, as with a single one. */
async function refuseOwn({ db, actor }: CloseCtx, cycle: CycleRecord) {
  const { rows } = await sql`
    select from kpi_evaluations where cycle_id = ${cycle.id} and employee_id = ${actor.employee_id}::bigint
      and status not in ${endedEvaluations}`.execute(db);
  if (rows.length > 0) throw conflict(text('kpi_cycles.own_evaluation_open'), cycle);
}

/** Ends the open evaluations on request. */
async function endOpen(ctx: CloseCtx, cycle: CycleRecord) {
  const open = await openEvaluations(ctx.db, cycle.id);
  const left = stillThere({ open_evaluations: open });
  if (!left) return undefined;
  if (!ctx.body.force || !ctx.body.reason) throw conflict(text('departments.still_there', left), cycle);
  await refuseOwn(ctx, cycle);
  return finishCycle(ctx, cycle.id, ctx.body.reason);
}

/** Closes a cycle without open evaluations, or ends them by force. */
export async function closeCycle(ctx: CloseCtx, cycle: CycleRecord): Promise<void> {
  refuseForce(ctx, cycle);
  checkRevision(cycle, ctx.body, cycle.status);
  if (cycle.status !== 'published') throw conflict(text('kpi_cycles.only_published_close'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
  const ended = await endOpen(ctx, cycle);
  const reason = ctx.body.reason ?? null;
  const revision = await transition(ctx.db, {
    table: 'kpi_cycles',
    column: 'status',
    id: cycle.id,
    from: ['published'],
    to: 'closed',
    set: { closed_at: sql`now()`, close_reason: reason },
    refusal: () => text('kpi_cycles.only_published_close'),
  });
  await record(ctx, {
    action: 'kpi_cycle.close',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    reason,
    changes: {
      status: { from: 'published', to: 'closed' },
      ...(ended && {
        completed: { from: null, to: ended.completed },
        cancelled: { from: null, to: ended.cancelled },
      }),
    },
  });
  await notifyClosed(ctx, { id: cycle.id, name: cycle.name, revision }, await publishedDepartments(ctx.db, cycle.id));
}

/** Reopens a closed cycle. */
export async function reopenCycle(ctx: ReopenCtx, cycle: CycleRecord): Promise<void> {
  const { reason, revision } = ctx.body;
  await transition(ctx.db, {
    table: 'kpi_cycles',
    column: 'status',
    id: cycle.id,
    from: ['closed'],
    to: 'published',
    revision,
    set: { closed_at: null, close_reason: null },
    refusal: () => text('kpi_cycles.only_closed_reopen'),
  });
  await record(ctx, {
    action: 'kpi_cycle.reopen',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    reason,
    changes: { status: { from: 'closed', to: 'published' } },
  });
}
