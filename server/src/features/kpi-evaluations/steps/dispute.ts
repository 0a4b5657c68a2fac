import { messages, text } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { conflict, invalid, invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors, Message } from '../../../http/errors.ts';
import { judgeScore } from '../answers.ts';
import { figuresOf, snapshotOf } from '../figures.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord, ItemRecord, Move } from '../step.ts';
import { notifyCompleted, notifyModified, notifyReturnedAfterDispute } from '../notify.ts';
import { judgeUntil, unreviewed } from './review.ts';
import type { WriteCtx } from '../../../http/context.ts';

type Body = BodyOut<typeof evaluationSteps.resolveDispute>;

const settled = ({ actor }: WriteCtx, { result, resolution }: Body) => ({
  dispute_result: result,
  dispute_resolution: resolution,
  dispute_resolved_at: sql`now()`,
  dispute_resolved_by: actor.user_id,
  dispute_resolved_by_name: actor.name,
});

/** The final scores as the settlement leaves them. */
function modified(row: EvaluationRecord, items: readonly ItemRecord[], sent: Body['items']): ItemRecord[] {
  const errors: FieldErrors = {};
  const next = new Map(items.map((item) => [item.id, item]));
  const seen = new Set<number>();
  for (const [index, { id, final_score, final_note = null }] of (sent ?? []).entries()) {
    const refuse = (field: string, template: Message) => {
      const path = `items.${index}.${field}`;
      (errors[path] ??= []).push(say(path, template));
    };
    const item = next.get(id);
    if (!item || seen.has(id)) refuse('id', messages.selected);
    else {
      if (item.manager_not_applicable === true) refuse('final_score', messages.prohibited);
      judgeScore(final_score, row, (template) => refuse('final_score', template));
      if (final_note === null) refuse('final_note', text('evaluations.note_needed'));
      next.set(id, { ...item, final_score, final_note });
    }
    seen.add(id);
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return [...next.values()];
}

async function storeFinals(db: Db, items: readonly ItemRecord[]): Promise<void> {
  await sql`
    update kpi_evaluation_items i set final_score = n.final_score, final_note = n.final_note
    from jsonb_populate_recordset(null::kpi_evaluation_items, ${JSON.stringify(items)}::jsonb) as n
    where i.id = n.id`.execute(db);
}

/** E15: the result stays. */
async function maintain(ctx: WriteCtx, row: EvaluationRecord, step: Move): Promise<void> {
  await move(ctx, row, { ...step, to: 'completed', set: { ...step.set, completed_at: sql`now()` } });
  await notifyCompleted(ctx, [row.id]);
}

/** E16: the result becomes another one; the old one stays in the history. */
async function modify(
  ctx: WriteCtx,
  row: EvaluationRecord,
  step: Move,
  { before, after }: { before: ItemRecord[]; after: ItemRecord[] },
): Promise<void> {
  await storeFinals(ctx.db, after);
  const figures = figuresOf(row, after);
  // a flag that HR chose against the suggestion stays what HR chose
  const follows = row.performance_flag === row.suggested_flag;
  await move(ctx, row, {
    ...step,
    to: 'completed',
    snapshot: snapshotOf(row, before),
    changes: { overall_score: { from: row.overall_score, to: figures.overall_score } },
    set: {
      ...step.set,
      ...figures,
      ...(follows && { performance_flag: figures.suggested_flag }),
      completed_at: sql`now()`,
    },
  });
  await notifyModified(ctx, row.id, { before: row.overall_score, after: figures.overall_score });
}

/** E17: the review is to be done again, once in an evaluation. */
async function sendBackDisputed(
  ctx: WriteCtx,
  row: EvaluationRecord,
  step: Move,
  { items, until }: { items: ItemRecord[]; until: string | null },
): Promise<void> {
  await sql`update kpi_evaluation_items set final_score = null, final_note = null where evaluation_id = ${row.id}`.execute(
    ctx.db,
  );
  await move(ctx, row, {
    ...step,
    to: 'manager_review',
    snapshot: snapshotOf(row, items),
    set: {
      ...step.set,
      ...unreviewed,
      ...unanswered,
      dispute_returned: true,
      stage_open_until: until,
      round: row.round + 1,
    },
  });
  await notifyReturnedAfterDispute(ctx, row.id);
}

/** What an evaluation loses with the result that was given to the subject. */
export const unanswered = {
  hr_submitted_at: null,
  hr_submitted_by: null,
  hr_submitted_by_name: null,
  responded_at: null,
  acceptance_due_on: null,
  acceptance_mode: null,
};

/** E15, E16, E17: settles a dispute. */
export async function resolveDispute(ctx: WriteCtx, row: EvaluationRecord, body: Body): Promise<void> {
  const { result, resolution, until = null, revision } = body;
  const before = await itemsOfEvaluation(ctx.db, row.id);
  const after = result === 'modified' ? modified(row, before, body.items) : before;
  requireStep(ctx.actor, row, 'resolve-dispute', { revision });
  const step = { action: 'resolve-dispute', reason: resolution, set: settled(ctx, body) };
  if (result === 'maintained') return maintain(ctx, row, step);
  if (result === 'modified') {
    if (after.every((item, index) => item.final_score === before[index]?.final_score))
      throw invalid('items', text('evaluations.no_score_changed'));
    return modify(ctx, row, step, { before, after });
  }
  if (row.dispute_returned) throw conflict(text('evaluations.returned_already'), row);
  judgeUntil(row, 'manager_review', until);
  return sendBackDisputed(ctx, row, step, { items: before, until });
}
