import { messages, text } from '@tenure/contract';
import type { kpiCycleMoves, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, forbidden, invalid } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { cancelForAnother, stayAfterMove } from '../kpi-evaluations/bulk-transitions.ts';
import { endPart } from '../kpi-evaluations/split.ts';
import { refuseTemplate } from './add-people.ts';
import { createEvaluations } from './evaluations.ts';
import { lockMove, presentMove } from './move-rows.ts';
import type { Move } from './move-rows.ts';
import { lockTemplates, refuseMissing } from './publish.ts';
import type { CycleRecord } from './queries.ts';

type DecideCtx = HandlerCtx<typeof kpiCycleMoves.decide>;
type Result = ReplyIn<typeof kpiCycleMoves.decide>['data'];

/** A switch cancels an evaluation, and a split ends it early: both need the permission for that. */
export function allowMoves({ actor }: Pick<DecideCtx, 'actor'>): void {
  if (!holds(actor, 'kpi-evaluation.force-close')) throw forbidden();
}

function refuseState(cycle: CycleRecord) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
}

/** The current move; it may be gone, or the evaluation may have changed since the caller saw it. */
async function checked(ctx: DecideCtx, cycle: CycleRecord): Promise<Move> {
  const { evaluation_id, template_id = null, revision } = ctx.body;
  const move = await lockMove(ctx, { cycle_id: cycle.id, evaluation_id, template_id });
  if (!move) throw invalid('evaluation_id', messages.unavailable);
  checkRevision(move, { revision }, move.status);
  return move;
}

/** Starts the evaluation of the new department, from a day on or for the whole cycle. */
async function begin(ctx: DecideCtx, cycle: CycleRecord, move: Move, covers_from: string | null): Promise<number> {
  const { db, actor, body } = ctx;
  const { employee_id, to_department_id, entity_id } = move;
  const publication = {
    cycle_id: cycle.id,
    department_ids: [to_department_id],
    actor: { user_id: actor.user_id, name: actor.name },
  };
  const invited = { template_id: body.template_id ?? null };
  const made = await createEvaluations(db, publication, { only: [employee_id], invited, covers_from });
  if (made !== 1) throw conflict(text('kpi_cycles.preflight_changed'), cycle);
  await record(ctx, {
    action: 'kpi_cycle.people_added',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id,
    changes: { people: { from: null, to: [move.employee.employee_number] } },
    reason: body.reason,
  });
  const { rows } = await sql<{ id: number }>`
    select id from kpi_evaluations
    where cycle_id = ${cycle.id} and employee_id = ${employee_id} and status <> 'cancelled'
      and covers_until is null`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Cancels the evaluation, which stays readable, and starts one in the new department for the same days. */
async function replace(ctx: DecideCtx, cycle: CycleRecord, move: Move): Promise<number> {
  await cancelForAnother(ctx, move.evaluation_id, ctx.body.reason);
  return begin(ctx, cycle, move, move.covers_from);
}

/** Ends the evaluation on the day before the move, and starts the second part on the day of the move. */
async function split(ctx: DecideCtx, cycle: CycleRecord, move: Move): Promise<number> {
  const [first, second] = move.parts ?? [];
  if (!first || !second) throw conflict(text('kpi_cycles.preflight_changed'), cycle);
  await endPart(ctx, move.evaluation_id, first.until, ctx.body.reason);
  return begin(ctx, cycle, move, second.from);
}

/** Without a reviewer, a switch or split is possible if the caller can assign one later. */
const isInTheWay = (refusal: Text | null, { body }: DecideCtx): refusal is Text =>
  refusal !== null && !(refusal.key === 'kpi_cycles.person_without_reviewer' && body.allow_missing_reviewer);

/** Decides what happens to the evaluation of a person who moved, or returns what would happen. */
export async function decideMove(ctx: DecideCtx, cycle: CycleRecord): Promise<Result> {
  const { decision, dry_run = false } = ctx.body;
  await refuseTemplate(ctx);
  refuseState(cycle);
  const first = await checked(ctx, cycle);
  if (decision === 'stay') {
    if (!dry_run) await stayAfterMove(ctx, first.evaluation_id, first.to_department_id, ctx.body.reason);
    return { dry_run, decision, move: presentMove(first), evaluation_id: first.evaluation_id };
  }
  refuseMissing(ctx, [{ entity_id: first.entity_id }]);
  await lockTemplates(ctx.db, [{ template_id: first.new_template_id }]);
  // the current template, now that it is locked
  const move = await checked(ctx, cycle);
  const result = { dry_run, decision, move: presentMove(move) };
  const refusal = decision === 'split' ? move.split_refusal : move.refusal;
  if (isInTheWay(refusal, ctx)) throw conflict(refusal, { status: move.status, revision: move.revision });
  if (dry_run) return { ...result, evaluation_id: null };
  return { ...result, evaluation_id: await (decision === 'split' ? split : replace)(ctx, cycle, move) };
}
