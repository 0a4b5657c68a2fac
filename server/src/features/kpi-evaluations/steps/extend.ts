import { messages, text } from '@tenure/contract';
import type { BodyOut, evaluationSteps, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import type { Acting } from '../../../audit.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { invalid } from '../../../http/errors.ts';
import type { EvaluationFacts } from '../capacities.ts';
import { recordMoves } from '../history.ts';
import { notifyExtended } from '../notify.ts';
import type { EvaluationRecord } from '../step.ts';
import { requireStep } from '../transitions.ts';

/** The values that the rules of a later due day need. */
type Due = EvaluationFacts & { due_on: string | null };
export type ByActor = Acting & { actor: Pick<Actor, 'user_id' | 'name'> };

/** The subject's deadline is before the reviewer's. */
export function untilRefusal(
  { status, today, manager_review_closes_on: closes }: EvaluationFacts,
  until: string,
): Text | undefined {
  const latest = status === 'self_assessment' ? closes : null;
  if (until < today) return messages.afterOrEqual('today');
  return latest !== null && until > latest ? text('evaluations.due_latest', { date: { day: latest } }) : undefined;
}

/** Why a day is not a later due day of the current step. */
export function laterRefusal(row: Due, until: string): Text | undefined {
  const refusal = untilRefusal(row, until);
  if (refusal !== undefined) return refusal;
  const { due_on } = row;
  return due_on !== null && until <= due_on ? text('evaluations.due_already', { date: { day: due_on } }) : undefined;
}

const isAsked = ({ status, extension_status, extension_step }: EvaluationFacts) =>
  extension_status === 'pending' && extension_step === status;

/** Gives current steps a later due day, which also grants an undecided extension request. */
export async function extendThese(
  acting: ByActor,
  rows: readonly Due[],
  { until, reason }: { until: string; reason: string | null },
): Promise<void> {
  const { user_id, name } = acting.actor;
  const isPending = sql`v.extension_step = v.status and v.extension_status = 'pending'`;
  await sql`
    update kpi_evaluations v
    set stage_open_until = case when v.status = 'pending_acceptance' then v.stage_open_until else ${until}::date end,
        acceptance_due_on = case when v.status = 'pending_acceptance' then ${until}::date else v.acceptance_due_on end,
        -- a later change of absences recomputes the response period from this day
        answer_from = case when v.status = 'pending_acceptance' then ${until}::date - c.acceptance_days
                        else v.answer_from end,
        extension_until = case when v.extension_step = v.status and v.extension_status in ('pending', 'approved')
                            then ${until}::date else v.extension_until end,
        extension_status = case when ${isPending} then 'approved' else v.extension_status end,
        extension_note = case when ${isPending} then ${reason} else v.extension_note end,
        extension_decided_at = case when ${isPending} then now() else v.extension_decided_at end,
        extension_decided_by = case when ${isPending} then ${user_id} else v.extension_decided_by end,
        extension_decided_by_name = case when ${isPending} then ${name} else v.extension_decided_by_name end
    from kpi_cycles c
    where c.id = v.cycle_id and v.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(acting.db);
  const moved = rows.map((row) => ({
    ...row,
    from: row.status,
    to: row.status,
    changes: {
      due_on: { from: row.due_on, to: until },
      ...(isAsked(row) && { extension_status: { from: 'pending', to: 'approved' } }),
    },
  }));
  await recordMoves(acting, 'extend', moved, reason);
}

/** E25: gives the current step a later due day. */
export async function extend(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { until, reason = null, revision }: BodyOut<typeof evaluationSteps.extend>,
): Promise<void> {
  requireStep(ctx.actor, row, 'extend', { revision });
  const refusal = laterRefusal(row, until);
  if (refusal !== undefined) throw invalid('until', refusal);
  await extendThese(ctx, [row], { until, reason });
  await notifyExtended(ctx, [row.id]);
}
