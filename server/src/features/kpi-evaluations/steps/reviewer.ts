import { text } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../../audit.ts';
import type { Acting } from '../../../audit.ts';
import { invalid } from '../../../http/errors.ts';
import { mayReviewEvaluations } from '../../../people/reviewers.ts';
import { markReviewersMissing } from '../../../workflow/missing-reviewers.ts';
import { requireReviewer } from '../../../workflow/step.ts';
import { move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { EvaluationRecord } from '../step.ts';
import { keptDraft } from './former-draft.ts';
import { notifyReviewerChanged } from '../notify.ts';
import type { WriteCtx } from '../../../http/context.ts';

/** The next reviewer starts with empty fields; the former reviewer's unsubmitted draft is stored separately. */
export const noDraft = { manager_comment: null, strengths: null, improvements: null, former_draft: keptDraft };

/** Deletes the evidence of reviews since the last submission; its files are deleted a day later. */
async function eraseEvidence(ctx: Acting, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; employee_id: number; label: string; entity_id: number }>`
    with gone as (
      delete from kpi_evidence f
      where f.evaluation_id = any(${ids}::bigint[]) and f.stage = 'manager' and f.created_at > coalesce((
        select max(a.at) from kpi_evaluation_activity a
        where a.evaluation_id = f.evaluation_id and a.action = 'manager-review'), '-infinity')
      returning f.id, f.evaluation_id, f.file_key
    ), files as (
      insert into removed_files (file_key) select file_key from gone where file_key is not null
    )
    select g.id, v.employee_id, p.name || ', ' || c.name as label, v.entity_id
    from gone g
    join kpi_evaluations v on v.id = g.evaluation_id
    join kpi_cycles c on c.id = v.cycle_id
    join employees p on p.id = v.employee_id order by g.id`.execute(ctx.db);
  const entries = rows.map(({ id, employee_id, label, entity_id }) => ({
    action: 'kpi_evidence.deleted' as const,
    subject_id: id,
    subject_label: label,
    entity_id,
    about_employee_id: employee_id,
  }));
  if (entries.length > 0) await record(ctx, ...entries);
}

/** Deletes a reviewer's unsubmitted answers and evidence after storing the draft. */
export async function eraseDrafts(ctx: Acting, ids: readonly number[]): Promise<void> {
  await sql`
    update kpi_evaluation_items
    set manager_not_applicable = null, manager_score = null, manager_comment = null, manager_actual_value = null
    where evaluation_id = any(${ids}::bigint[])`.execute(ctx.db);
  await eraseEvidence(ctx, ids);
}

/** E7: changes the reviewer. */
export async function changeReviewer(
  ctx: WriteCtx,
  row: EvaluationRecord,
  { reviewer_id, reason, revision }: BodyOut<typeof evaluationSteps.changeReviewer>,
): Promise<void> {
  await requireReviewer(ctx, { employee_id: row.employee_id, id: reviewer_id }, mayReviewEvaluations);
  if (reviewer_id === row.reviewer_id) throw invalid('reviewer_id', text('reviews.is_reviewer_already'));
  requireStep(ctx.actor, row, 'reviewer', { revision });
  await move(ctx, row, {
    action: 'reviewer',
    reason,
    changes: { reviewer_id: { from: row.reviewer_id, to: reviewer_id } },
    set: { ...noDraft, reviewer_id, reviewer_missing_since: null },
  });
  await eraseDrafts(ctx, [row.id]);
  await markReviewersMissing(ctx.db, 'kpi_evaluations', [row.id]);
  await notifyReviewerChanged(ctx, [{ id: row.id, former_id: row.reviewer_id }]);
}
