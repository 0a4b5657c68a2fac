import { messages } from '@tenure/contract';
import type { BodyOut, probationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Upload } from '../../../http/body.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import { invalid } from '../../../http/errors.ts';
import { keepSheet } from '../sheet.ts';
import { move } from '../step.ts';
import type { ReviewRecord } from '../step.ts';
import { requireStep } from '../transitions.ts';

type Body = BodyOut<typeof probationSteps.recordAcknowledgement>;

/** The conversation is about the result: on the day of the decision or later, and not in the future. */
async function checkDay({ db }: ServiceCtx, { id, today }: ReviewRecord, talkedOn: string): Promise<void> {
  const { rows } = await sql<{ day: string | null }>`
    select (v.decided_at at time zone n.timezone)::date::text as day
    from probation_reviews v join entities n on n.id = v.entity_id where v.id = ${id}`.execute(db);
  const decided = rows[0]?.day ?? null;
  if (talkedOn > today) throw invalid('talked_on', messages.beforeOrEqual('today'));
  if (decided !== null && talkedOn < decided) throw invalid('talked_on', messages.afterOrEqual(decided));
}

/**
 * P11: the reviewer or HR records that an employee without a sign-in has read the result, with the day of the
 * conversation, the signed sheet and what the employee wrote on it.
 */
export async function recordAcknowledgement(
  ctx: ServiceCtx & { file: Upload },
  row: ReviewRecord,
  { talked_on, comment = null, revision }: Body,
): Promise<void> {
  await checkDay(ctx, row, talked_on);
  requireStep(ctx.actor, row, 'record-acknowledgement', { revision });
  await keepSheet(ctx, row.id, ctx.file);
  await move(ctx, row, {
    action: 'record-acknowledgement',
    changes: { talked_on: { from: null, to: talked_on } },
    set: {
      employee_acknowledged_at: sql`now()`,
      employee_comment: comment,
      talked_on,
      acknowledgement_recorded_by: ctx.actor.user_id,
      acknowledgement_recorded_by_name: ctx.actor.name,
    },
  });
}
