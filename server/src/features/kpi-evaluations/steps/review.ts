import { messages } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { sentOf } from '../../../db/values.ts';
import { invalid, invalidFields } from '../../../http/errors.ts';
import { mergeAnswers, missingAnswers, isNotApplicable } from '../answers.ts';
import { figuresOf, snapshotOf } from '../figures.ts';
import { windowOf } from '../guards.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import { notifyManagerReviewSubmitted, notifyReturned } from '../notify.ts';
import { storeAnswers } from './draft.ts';
import type { WriteCtx } from '../../../http/context.ts';

/** E8: submits the review, as the reviewer or on behalf. From now on the reviewer decides which items apply. */
export async function submitManagerReview(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { items: sent, revision, ...texts }: BodyOut<typeof evaluationSteps.managerReview>,
): Promise<void> {
  const stored = await itemsOfEvaluation(ctx.db, row.id);
  const { items, errors } = mergeAnswers(stored, sent, 'manager', row);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  requireStep(ctx.actor, row, 'manager-review', { revision });
  const gaps = missingAnswers(items, 'manager', row);
  if (Object.keys(gaps).length > 0) throw invalidFields(gaps);
  const decided = items.map((item) => ({ ...item, manager_not_applicable: isNotApplicable(item, 'manager', row) }));
  await storeAnswers(ctx.db, 'manager', stored, decided);
  await move(ctx, row, {
    action: 'manager-review',
    to: 'hr_review',
    set: {
      ...sentOf(texts),
      ...figuresOf(row, decided),
      former_draft: null,
      manager_submitted_at: sql`now()`,
      manager_submitted_by: ctx.actor.user_id,
      manager_submitted_by_name: ctx.actor.name,
    },
  });
  await notifyManagerReviewSubmitted(ctx, [row.id]);
}

/** The new deadline of the reopened step: not before the minimum days of the cycle, which it gets anyway. */
export function checkUntil(
  row: EvaluationRecord,
  status: 'self_assessment' | 'manager_review',
  until: string | null | undefined,
): void {
  if (until !== null && until !== undefined && until < row.today)
    throw invalid('until', messages.afterOrEqual('today'));
  const least = Temporal.PlainDate.from(row.today).add({ days: row.min_days }).toString();
  const { closes_on: closes } = windowOf(row, status);
  if (until && until < least && closes !== null && closes < least) throw invalid('until', messages.afterOrEqual(least));
}

const unscored = {
  overall_score: null,
  overall_percentage: null,
  overall_achievement_pct: null,
  suggested_flag: null,
};

/** Clears what a review loses when it must be redone; texts and scores become its draft. */
export const unreviewed = {
  ...unscored,
  manager_submitted_at: null,
  manager_submitted_by: null,
  manager_submitted_by_name: null,
};
const unassessed = { self_submitted_at: null, self_overall_score: null, self_skipped: false };

/** The subject's new answers about items need a new decision: only items that the reviewer excluded stay excluded. */
async function reconsider(db: Db, id: number): Promise<void> {
  await sql`
    update kpi_evaluation_items set manager_not_applicable = null
    where evaluation_id = ${id} and not manager_not_applicable`.execute(db);
}

/** E9, E10: sends the evaluation back to the previous step, whose answers become a draft again. */
export async function sendBack(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { reason, until, revision }: BodyOut<typeof evaluationSteps.return>,
): Promise<void> {
  const { rule } = requireStep(ctx.actor, row, 'return', { revision });
  const to = rule.to === 'self_assessment' ? 'self_assessment' : 'manager_review';
  checkUntil(row, to, until);
  const items = await itemsOfEvaluation(ctx.db, row.id);
  if (to === 'self_assessment') await reconsider(ctx.db, row.id);
  await move(ctx, row, {
    action: 'return',
    to,
    reason,
    snapshot: snapshotOf(row, items),
    set: {
      ...(to === 'self_assessment' ? unassessed : unreviewed),
      return_reason: reason,
      stage_open_until: until ?? null,
      round: row.round + 1,
    },
  });
  await notifyReturned(ctx, [row.id], to === 'self_assessment' ? 'subject' : 'reviewer');
}
