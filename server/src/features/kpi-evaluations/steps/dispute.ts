import { messages, text } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { conflict, invalid, invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors, Message } from '../../../http/errors.ts';
import { checkScore, scoreOf } from '../answers.ts';
import { figuresOf, snapshotOf } from '../figures.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord, ItemRecord, Move } from '../step.ts';
import { notifyCompleted, notifyModified, notifyReturnedAfterDispute } from '../notify.ts';
import { checkUntil, unreviewed } from './review.ts';
import type { WriteCtx } from '../../../http/context.ts';

type Body = BodyOut<typeof evaluationSteps.resolveDispute>;

const settled = ({ actor }: WriteCtx, { result, resolution }: Body) => ({
  dispute_result: result,
  dispute_resolution: resolution,
  dispute_resolved_at: sql`now()`,
  dispute_resolved_by: actor.user_id,
  dispute_resolved_by_name: actor.name,
});

type Sent = NonNullable<Body['items']>[number];
type Refuse = (field: string, template: Message) => void;

/** An item with its corrected actual value and the score that follows from it, or with another score. */
function corrected(row: EvaluationRecord, item: ItemRecord, sent: Sent, refuse: Refuse): ItemRecord {
  const { final_score = null, final_actual_value: actual = null, final_note = null } = sent;
  if (final_note === null) refuse('final_note', text('evaluations.note_needed'));
  if (item.manager_not_applicable === true)
    refuse(actual === null ? 'final_score' : 'final_actual_value', messages.prohibited);
  if (actual === null) {
    if (final_score === null) refuse('final_score', messages.required);
    else checkScore(final_score, row, (template) => refuse('final_score', template));
    return { ...item, final_score, final_note };
  }
  if (item.item_type !== 'measured') refuse('final_actual_value', messages.prohibited);
  if (item.direction === 'boolean' && actual !== 0 && actual !== 1)
    refuse('final_actual_value', text('evaluations.yes_or_no'));
  const score = scoreOf(item, actual, row);
  if (final_score !== null && final_score !== score) refuse('final_score', text('evaluations.computed'));
  return { ...item, final_score: score, final_actual_value: actual, final_note };
}

/** The final scores after the decision on the dispute. */
function modified(row: EvaluationRecord, items: readonly ItemRecord[], sent: Body['items']): ItemRecord[] {
  const errors: FieldErrors = {};
  const next = new Map(items.map((item) => [item.id, item]));
  const seen = new Set<number>();
  for (const [index, one] of (sent ?? []).entries()) {
    const refuse: Refuse = (field, template) => {
      const path = `items.${index}.${field}`;
      (errors[path] ??= []).push(say(path, template));
    };
    const item = next.get(one.id);
    if (!item || seen.has(one.id)) refuse('id', messages.selected);
    else next.set(one.id, corrected(row, item, one, refuse));
    seen.add(one.id);
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return [...next.values()];
}

async function storeFinals(db: Db, items: readonly ItemRecord[]): Promise<void> {
  await sql`
    update kpi_evaluation_items i set final_score = n.final_score, final_note = n.final_note,
      final_actual_value = n.final_actual_value
    from jsonb_populate_recordset(null::kpi_evaluation_items, ${JSON.stringify(items)}::jsonb) as n
    where i.id = n.id`.execute(db);
}

/** E15: keeps the result. */
async function maintain(ctx: WriteCtx, row: EvaluationRecord, step: Move): Promise<void> {
  await move(ctx, row, { ...step, to: 'completed', set: { ...step.set, completed_at: sql`now()` } });
  await notifyCompleted(ctx, [row.id]);
}

/** E16: changes the result; the old one stays in the history. */
async function modify(
  ctx: WriteCtx,
  row: EvaluationRecord,
  step: Move,
  { before, after }: { before: ItemRecord[]; after: ItemRecord[] },
): Promise<void> {
  await storeFinals(ctx.db, after);
  const figures = figuresOf(row, after);
  // a flag that HR chose against the suggestion stays
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

/** E17: requires a new review, at most once per evaluation. */
async function sendBackDisputed(
  ctx: WriteCtx,
  row: EvaluationRecord,
  step: Move,
  { items, until }: { items: ItemRecord[]; until: string | null },
): Promise<void> {
  await sql`update kpi_evaluation_items set final_score = null, final_note = null, final_actual_value = null where evaluation_id = ${row.id}`.execute(
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

/** Clears what an evaluation loses with its released result. */
export const unanswered = {
  hr_submitted_at: null,
  hr_submitted_by: null,
  hr_submitted_by_name: null,
  responded_at: null,
  acceptance_due_on: null,
  acceptance_mode: null,
};

const isSame = (item: ItemRecord, before: ItemRecord | undefined) =>
  item.final_score === before?.final_score && item.final_actual_value === before.final_actual_value;

/** E15, E16, E17: decides a dispute. */
export async function resolveDispute(ctx: WriteCtx, row: EvaluationRecord, body: Body): Promise<void> {
  const { result, resolution, until = null, revision } = body;
  const before = await itemsOfEvaluation(ctx.db, row.id);
  const after = result === 'modified' ? modified(row, before, body.items) : before;
  requireStep(ctx.actor, row, 'resolve-dispute', { revision });
  const step = { action: 'resolve-dispute', reason: resolution, set: settled(ctx, body) };
  if (result === 'maintained') return maintain(ctx, row, step);
  if (result === 'modified') {
    if (after.every((item, index) => isSame(item, before[index])))
      throw invalid('items', text('evaluations.no_score_changed'));
    return modify(ctx, row, step, { before, after });
  }
  if (row.dispute_returned) throw conflict(text('evaluations.returned_already'), row);
  checkUntil(row, 'manager_review', until);
  return sendBackDisputed(ctx, row, step, { items: before, until });
}
