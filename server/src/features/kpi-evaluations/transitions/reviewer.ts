import { messages } from '@tenure/contract';
import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import { visiblePeople } from '../../../access/scope.ts';
import type { Db } from '../../../db/connect.ts';
import { invalid } from '../../../http/errors.ts';
import { isAble } from '../reviewers.ts';
import { move, requireStep } from '../step.ts';
import type { Doing, EvaluationRecord } from '../step.ts';
import { tellReviewerChanged } from '../tell.ts';

/** What a reviewer wrote and did not hand in is nobody else's to read or to go on with. */
export const noDraft = { manager_comment: null, strengths: null, improvements: null };

/** Erases what reviewers answered to the items and did not hand in. */
export async function eraseAnswers(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update kpi_evaluation_items
    set manager_not_applicable = null, manager_score = null, manager_comment = null, manager_actual_value = null
    where evaluation_id = any(${ids}::bigint[])`.execute(db);
}

/** The chosen person: visible to the actor, active, permitted to review, not the subject. Held until the end. */
async function requireReviewer({ db, actor }: Doing, row: EvaluationRecord, id: number): Promise<void> {
  const { rows } = await sql`
    select 1 from employees e
    where e.id = ${id} and e.id <> ${row.employee_id} and ${isAble} and ${visiblePeople(actor)}
    for share of e`.execute(db);
  if (rows.length === 0) throw invalid('reviewer_id', messages.selected);
  if (id === row.reviewer_id) throw invalid('reviewer_id', 'This person is the reviewer already.');
}

/** E7: somebody else reviews. */
export async function changeReviewer(
  doing: Doing,
  row: EvaluationRecord,
  { reviewer_id, reason, revision }: BodyOut<typeof evaluationSteps.changeReviewer>,
): Promise<void> {
  await requireReviewer(doing, row, reviewer_id);
  requireStep(doing.actor, row, 'reviewer', { revision });
  await eraseAnswers(doing.db, [row.id]);
  await move(doing, row, {
    action: 'reviewer',
    reason,
    changes: { reviewer_id: { from: row.reviewer_id, to: reviewer_id } },
    set: { ...noDraft, reviewer_id, reviewer_missing_since: null },
  });
  await tellReviewerChanged(doing, [{ id: row.id, former_id: row.reviewer_id }]);
}
