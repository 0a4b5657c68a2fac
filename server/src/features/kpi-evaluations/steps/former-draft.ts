import type { BodyOut, evaluationSteps, KpiEvaluation } from '@tenure/contract';
import { sql } from 'kysely';
import type { WriteCtx } from '../../../http/context.ts';
import { rescored } from '../days.ts';
import { itemsOfEvaluation, move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import { storeAnswers } from './draft.ts';

/** The draft of a former reviewer, which the next one can use. */
export type FormerDraft = NonNullable<KpiEvaluation['former_draft']>;

const written = sql`(manager_score is not null or manager_comment is not null or manager_actual_value is not null
  or manager_not_applicable)`;

/**
 * The new value of `former_draft` when the reviewer of a row of `kpi_evaluations` changes: the unsubmitted texts of the
 * current reviewer; an earlier draft stays if there are none.
 */
export const keptDraft = sql<string>`(
  select case
    when kpi_evaluations.manager_comment is null and kpi_evaluations.strengths is null
         and kpi_evaluations.improvements is null and not coalesce(bool_or(${written}), false)
      then kpi_evaluations.former_draft
    else jsonb_build_object(
      'reviewer', coalesce((select r.name from employees r where r.id = kpi_evaluations.reviewer_id), ''),
      'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'manager_comment', kpi_evaluations.manager_comment,
      'strengths', kpi_evaluations.strengths,
      'improvements', kpi_evaluations.improvements,
      'items', coalesce(jsonb_agg(jsonb_build_object(
        'id', i.id, 'manager_not_applicable', i.manager_not_applicable, 'manager_score', i.manager_score,
        'manager_comment', i.manager_comment, 'manager_actual_value', i.manager_actual_value)
        order by i.sort_order, i.id), '[]')) end
  from kpi_evaluation_items i where i.evaluation_id = kpi_evaluations.id)`;

/** Replaces the current answers by those of the draft. */
const takeAnswers = ({ db }: WriteCtx, row: EvaluationRecord, { items }: FormerDraft) =>
  sql`
  update kpi_evaluation_items i
  set manager_not_applicable = d.manager_not_applicable, manager_score = d.manager_score,
      manager_comment = d.manager_comment, manager_actual_value = d.manager_actual_value
  from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
    as d (id bigint, manager_not_applicable boolean, manager_score numeric, manager_comment text,
          manager_actual_value numeric)
  where i.id = d.id and i.evaluation_id = ${row.id}`.execute(db);

/** E2: the reviewer continues with the former reviewer's draft, or discards it. */
export async function decideFormerDraft(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { decision, revision }: BodyOut<typeof evaluationSteps.formerDraft>,
): Promise<void> {
  requireStep(ctx.actor, row, 'former-draft', { revision });
  const draft = row.former_draft as FormerDraft;
  const { manager_comment, strengths, improvements } = draft;
  const taken = decision === 'take';
  if (taken) {
    await takeAnswers(ctx, row, draft);
    // the person's days may have changed since
    const items = await itemsOfEvaluation(ctx.db, row.id);
    await storeAnswers(ctx.db, 'manager', items, rescored(items, row));
  }
  await move(ctx, row, {
    action: 'former-draft',
    set: { ...(taken && { manager_comment, strengths, improvements }), former_draft: null },
  });
}
