import { messages, text } from '@tenure/contract';
import type { kpiCycleMoves, ReplyIn } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, forbidden, invalid } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { cancelForAnother, stayAfterMove } from '../kpi-evaluations/bulk-transitions.ts';
import { refuseTemplate } from './add-people.ts';
import { createEvaluations } from './evaluations.ts';
import { lockMove, presentMove } from './move-rows.ts';
import type { Move } from './move-rows.ts';
import { holdTemplates, refuseMissing } from './publish.ts';
import type { CycleRecord } from './queries.ts';

type DecideCtx = HandlerCtx<typeof kpiCycleMoves.decide>;
type Result = ReplyIn<typeof kpiCycleMoves.decide>['data'];

/** A switch cancels, which needs its own permission. */
export function allowMoves({ actor }: Pick<DecideCtx, 'actor'>): void {
  if (!holds(actor, 'kpi-evaluation.force-close')) throw forbidden();
}

function refuseState(cycle: CycleRecord) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
}

/** The move as it stands; it may be gone, or the evaluation another one than the caller saw. */
async function judged(ctx: DecideCtx, cycle: CycleRecord): Promise<Move> {
  const { evaluation_id, template_id = null, revision } = ctx.body;
  const move = await lockMove(ctx, { cycle_id: cycle.id, evaluation_id, template_id });
  if (!move) throw invalid('evaluation_id', messages.unavailable);
  checkRevision(move, { revision }, move.status);
  return move;
}

/** Cancels the evaluation, which stays readable, and begins the one of the new department. */
async function change(ctx: DecideCtx, cycle: CycleRecord, move: Move): Promise<number> {
  const { db, actor, body } = ctx;
  const { evaluation_id, employee_id, to_department_id, entity_id } = move;
  await cancelForAnother(ctx, evaluation_id, body.reason);
  const publication = {
    cycle_id: cycle.id,
    department_ids: [to_department_id],
    actor: { user_id: actor.user_id, name: actor.name },
  };
  const invited = { template_id: body.template_id ?? null };
  const made = await createEvaluations(db, publication, { only: [employee_id], invited });
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
    where cycle_id = ${cycle.id} and employee_id = ${employee_id} and status <> 'cancelled'`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Without a reviewer a switch is possible where the caller may assign one later. */
const isInTheWay = ({ refusal }: Move, { body }: DecideCtx) =>
  refusal !== null && !(refusal.key === 'kpi_cycles.person_without_reviewer' && body.allow_missing_reviewer);

/** Decides what becomes of the evaluation of a person who moved, or says what would happen. */
export async function decideMove(ctx: DecideCtx, cycle: CycleRecord): Promise<Result> {
  const { decision, dry_run = false } = ctx.body;
  await refuseTemplate(ctx);
  refuseState(cycle);
  const move = await judged(ctx, cycle);
  const result = { dry_run, decision, move: presentMove(move) };
  if (decision === 'stay') {
    if (!dry_run) await stayAfterMove(ctx, move.evaluation_id, move.to_department_id, ctx.body.reason);
    return { ...result, evaluation_id: move.evaluation_id };
  }
  refuseMissing(ctx, [{ entity_id: move.entity_id }]);
  await holdTemplates(ctx.db, [{ template_id: move.new_template_id }]);
  if (isInTheWay(move, ctx) && move.refusal !== null)
    throw conflict(move.refusal, { status: move.status, revision: move.revision });
  return { ...result, evaluation_id: dry_run ? null : await change(ctx, cycle, move) };
}
