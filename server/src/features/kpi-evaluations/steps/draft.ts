import { text } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { sentOf } from '../../../db/values.ts';
import { invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors } from '../../../http/errors.ts';
import { mergeAnswers } from '../answers.ts';
import type { SentItem, Side } from '../answers.ts';
import { itemsOfEvaluation } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord, ItemRecord } from '../step.ts';
import type { WriteCtx } from '../../../http/context.ts';

type Body = BodyOut<typeof evaluationSteps.update>;

/** The side whose texts and answers a step writes. */
export const textsOf = {
  self: ['self_comment'],
  manager: ['manager_comment', 'strengths', 'improvements'],
  hr: ['hr_comment', 'performance_flag', 'flag_reason'],
} as const;
type Part = keyof typeof textsOf;
const partOf: Readonly<Record<string, Part>> = {
  self_assessment: 'self',
  manager_review: 'manager',
  hr_review: 'hr',
};
const order: readonly Part[] = ['self', 'manager', 'hr'];

/** A request can repeat texts of another step as shown; nothing was shown of a later or skipped step. */
function refuseOtherTexts(row: EvaluationRecord, body: Body, part: Part): FieldErrors {
  const errors: FieldErrors = {};
  for (const other of order.filter((one) => one !== part))
    for (const field of textsOf[other]) {
      const isShown = order.indexOf(other) < order.indexOf(part) && !(other === 'self' && row.self_skipped);
      const shown = isShown ? row[field] : null;
      if (body[field] !== undefined && body[field] !== shown)
        errors[field] = [say(field, text('evaluations.fixed_in_step'))];
    }
  return errors;
}

const answerColumns = {
  self: ['self_not_applicable', 'self_score', 'self_comment', 'self_actual_value'],
  manager: ['manager_not_applicable', 'manager_score', 'manager_comment', 'manager_actual_value'],
} as const satisfies Record<Side, readonly (keyof ItemRecord)[]>;

/** Stores the changed answers of a side in its items, with one statement. Returns whether there were any. */
export async function storeAnswers(
  db: Db,
  side: Side,
  before: readonly ItemRecord[],
  after: readonly ItemRecord[],
): Promise<boolean> {
  const columns = answerColumns[side];
  const earlier = new Map(before.map((item) => [item.id, item]));
  const changed = after.filter((item) => columns.some((column) => item[column] !== earlier.get(item.id)?.[column]));
  if (changed.length === 0) return false;
  const set = columns.map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)}`);
  await sql`
    update kpi_evaluation_items i set ${sql.join(set)}
    from jsonb_populate_recordset(null::kpi_evaluation_items, ${JSON.stringify(changed)}::jsonb) as n
    where i.id = n.id`.execute(db);
  return true;
}

type Answers = { items: ItemRecord[]; errors: FieldErrors };

async function answersOf(
  row: EvaluationRecord,
  stored: readonly ItemRecord[],
  sent: readonly SentItem[] | undefined,
  part: Part,
): Promise<Answers> {
  if (part !== 'hr') return mergeAnswers(stored, sent, part, row);
  const errors: FieldErrors = {};
  if (sent && sent.length > 0) errors['items'] = [say('items', text('evaluations.fixed_in_step'))];
  return { items: [...stored], errors };
}

/** E2: saves the draft of the current step; it can be incomplete. Drafts do not appear in the history. */
export async function saveDraft(ctx: WriteCtx, row: EvaluationRecord, body: Body): Promise<void> {
  const part = partOf[row.status] ?? 'self';
  const stored = await itemsOfEvaluation(ctx.db, row.id);
  const { items, errors } = await answersOf(row, stored, body.items, part);
  const refused = { ...refuseOtherTexts(row, body, part), ...errors };
  if (row.status in partOf && Object.keys(refused).length > 0) throw invalidFields(refused);
  requireStep(ctx.actor, row, 'update', body);
  const isAnswered = part !== 'hr' && (await storeAnswers(ctx.db, part, stored, items));
  const texts = sentOf(Object.fromEntries(textsOf[part].map((field) => [field, body[field]])));
  const isWritten = Object.entries(texts).some(([field, value]) => value !== row[field as keyof EvaluationRecord]);
  if (!isAnswered && !isWritten) return;
  // answers are stored in the items, so the evaluation itself must show the change
  await ctx.db
    .updateTable('kpi_evaluations')
    .set({ ...texts, revision: row.revision + 1 })
    .where('id', '=', row.id)
    .execute();
}
