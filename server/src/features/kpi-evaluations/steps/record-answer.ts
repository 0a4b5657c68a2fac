import { messages } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Upload } from '../../../http/body.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import { invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors } from '../../../http/errors.ts';
import { keepSheet } from '../evidence-write.ts';
import { notifyAccepted, notifyDisputed } from '../notify.ts';
import { move } from '../step.ts';
import type { EvaluationRecord } from '../step.ts';
import { requireStep } from '../transitions.ts';

type Body = BodyOut<typeof evaluationSteps.recordAnswer>;
type Ctx = ServiceCtx & { file: Upload };

/** The conversation is about the result: on the day of its release or later, and not in the future. */
async function checkBody(ctx: Ctx, row: EvaluationRecord, { outcome, talked_on, reason }: Body): Promise<void> {
  const { rows } = await sql<{ day: string | null }>`
    select (v.hr_submitted_at at time zone n.timezone)::date::text as day
    from kpi_evaluations v join entities n on n.id = v.entity_id where v.id = ${row.id}`.execute(ctx.db);
  const released = rows[0]?.day ?? null;
  const errors: FieldErrors = {};
  if (talked_on > row.today) errors['talked_on'] = [say('talked_on', messages.beforeOrEqual('today'))];
  else if (released !== null && talked_on < released)
    errors['talked_on'] = [say('talked_on', messages.afterOrEqual(released))];
  if (outcome === 'disputed' && !reason) errors['reason'] = [say('reason', messages.required)];
  if (outcome === 'accepted' && reason) errors['reason'] = [say('reason', messages.prohibited)];
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

const unresolved = {
  dispute_result: null,
  dispute_resolution: null,
  dispute_resolved_at: null,
  dispute_resolved_by: null,
  dispute_resolved_by_name: null,
};

/**
 * E23, E24: the reviewer or HR records what an employee without a sign-in answered in the conversation. The signed
 * sheet is stored as evidence of the answer.
 */
export async function recordAnswer(ctx: Ctx, row: EvaluationRecord, body: Body): Promise<void> {
  await checkBody(ctx, row, body);
  const { outcome, talked_on, reason = null, revision } = body;
  requireStep(ctx.actor, row, 'record-answer', { revision });
  await keepSheet(ctx, row, ctx.file);
  const isAccepted = outcome === 'accepted';
  await move(ctx, row, {
    action: 'record-answer',
    to: outcome,
    reason,
    changes: { talked_on: { from: null, to: talked_on } },
    set: {
      responded_at: sql`now()`,
      talked_on,
      answer_recorded_by: ctx.actor.user_id,
      answer_recorded_by_name: ctx.actor.name,
      ...(isAccepted ? { acceptance_mode: 'recorded' } : { dispute_reason: reason, ...unresolved }),
    },
  });
  await (isAccepted ? notifyAccepted : notifyDisputed)(ctx, [row.id]);
}
