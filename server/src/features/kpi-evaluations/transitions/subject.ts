import type { BodyOut, evaluationSteps } from '@tenure/contract';
import { sql } from 'kysely';
import { sentOf } from '../../../db/values.ts';
import { invalidFields } from '../../../http/errors.ts';
import { answered, gapsOf } from '../answers.ts';
import { selfFigureOf } from '../figures.ts';
import { itemsOfEvaluation, move, requireStep } from '../step.ts';
import type { Doing, EvaluationRecord } from '../step.ts';
import { tellAccepted, tellDisputed, tellExtensionRequested, tellSelfAssessmentSubmitted } from '../tell.ts';
import { storeAnswers } from './draft.ts';

/** What the subject does. */

/** E3: hands in the self-assessment when nothing is missing any more. */
export async function submitSelfAssessment(
  doing: Doing,
  row: EvaluationRecord,
  { items: sent, self_comment, ...body }: BodyOut<typeof evaluationSteps.selfAssessment>,
): Promise<void> {
  const stored = await itemsOfEvaluation(doing.db, row.id);
  const { items, errors } = answered(stored, sent, 'self', row);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  requireStep(doing.actor, row, 'self-assessment', body);
  const gaps = gapsOf(items, 'self', row);
  if (Object.keys(gaps).length > 0) throw invalidFields(gaps);
  await storeAnswers(doing.db, 'self', stored, items);
  await move(doing, row, {
    action: 'self-assessment',
    to: 'manager_review',
    set: { ...sentOf({ self_comment }), self_submitted_at: sql`now()`, self_overall_score: selfFigureOf(row, items) },
  });
  await tellSelfAssessmentSubmitted(doing, [row.id]);
}

type Because = { reason: string; revision?: number | undefined };

/** E4: asks for more time when the step is over. */
export async function requestExtension(doing: Doing, row: EvaluationRecord, body: Because): Promise<void> {
  requireStep(doing.actor, row, 'extension-request', body);
  await move(doing, row, {
    action: 'extension-request',
    reason: body.reason,
    set: {
      extension_requested_at: sql`now()`,
      extension_reason: body.reason,
      extension_status: 'pending',
      extension_until: null,
      extension_decided_at: null,
      extension_decided_by: null,
      extension_decided_by_name: null,
      extension_note: null,
      extension_requests: row.extension_requests + 1,
    },
  });
  await tellExtensionRequested(doing, [row.id]);
}

/** E12: agrees with the result, in time or not. */
export async function accept(doing: Doing, row: EvaluationRecord, body: { revision?: number | undefined }) {
  requireStep(doing.actor, row, 'accept', body);
  const set = { responded_at: sql`now()`, acceptance_mode: 'employee' };
  await move(doing, row, { action: 'accept', to: 'accepted', set });
  await tellAccepted(doing, [row.id]);
}

/** E13: disputes the result, as long as there is time. */
export async function dispute(doing: Doing, row: EvaluationRecord, body: Because): Promise<void> {
  requireStep(doing.actor, row, 'dispute', body);
  await move(doing, row, {
    action: 'dispute',
    to: 'disputed',
    reason: body.reason,
    set: {
      responded_at: sql`now()`,
      dispute_reason: body.reason,
      dispute_result: null,
      dispute_resolution: null,
      dispute_resolved_at: null,
      dispute_resolved_by: null,
      dispute_resolved_by_name: null,
    },
  });
  await tellDisputed(doing, [row.id]);
}
