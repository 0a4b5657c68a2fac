import type { ProbationCriterion, ProbationReview, ProbationReviewRow, ProbationSignature } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { sentOf } from '../../db/values.ts';
import { actorOf, frameOf } from '../../workflow/present.ts';
import type { StoredCriterion } from './content.ts';
import { allowedActions } from './transitions.ts';
import type { ListedReview, StoredReview } from './record.ts';
import { sightOf } from './visibility.ts';
import type { Sight } from './visibility.ts';

/** Reviews as responses show them: hidden fields are absent. */

/** The person, the place and the dates: visible to all readers in scope. */
const frame = (row: ListedReview) => ({
  ...frameOf(row),
  probation_start_date: row.probation_start_date,
  probation_end_date: row.probation_end_date,
  milestone: row.milestone,
  sequence: row.sequence,
  previous_review_id: row.previous_review_id,
  review_date: row.review_date,
  due_date: row.due_date,
  today: row.today,
  submitted_at: row.submitted_at,
  decided_at: row.decided_at,
  reverted_at: row.reverted_at,
});

const parts = (row: ListedReview, { assessment, result }: Sight) => ({
  ...(assessment && {
    performance_rating: row.performance_rating,
    criteria_score: row.criteria_score,
    recommendation: row.recommendation as ProbationReviewRow['recommendation'],
    extension_months: row.extension_months,
  }),
  ...(result && {
    outcome: row.outcome as ProbationReviewRow['outcome'],
    outcome_extension_months: row.outcome_extension_months,
    extended_until: row.extended_until,
    effective_date: row.effective_date,
    decided_by: actorOf(row.decided_by, row.decided_by_name),
    employee_acknowledged_at: row.employee_acknowledged_at,
  }),
});

const listed = (actor: Actor, row: ListedReview, sight: Sight): ProbationReviewRow => ({
  ...frame(row),
  ...parts(row, sight),
  allowed_actions: allowedActions(actor, row),
});

/** Rows of a list with the fields that the actor sees. */
export const presentRow = (actor: Actor) => (row: ListedReview) => listed(actor, row, sightOf(actor, row));

const criteriaOf = (stored: StoredReview['criteria']): ProbationCriterion[] | null =>
  (stored as readonly StoredCriterion[] | null)?.map(({ name, weight, rating, comment, guidance }) => ({
    name,
    weight: weight / 100,
    rating: rating ?? null,
    comment: comment ?? null,
    ...(guidance !== undefined && { guidance }),
  })) ?? null;

const texts = (row: StoredReview, { assessment, result, inner }: Sight) => ({
  ...(assessment && {
    criteria: criteriaOf(row.criteria),
    criteria_fixed: row.criteria_fixed,
    strengths: row.strengths,
    improvements: row.improvements,
    comments: row.comments,
  }),
  ...(result && {
    hr_comments: row.hr_comments,
    revert_reason: row.revert_reason,
    employee_comment: row.employee_comment,
    talked_on: row.talked_on,
    acknowledgement_recorded_by: actorOf(row.acknowledgement_recorded_by, row.acknowledgement_recorded_by_name),
    sheet: row.sheet && { ...row.sheet, download_url: `/api/probation-reviews/${row.id}/sheet` },
  }),
  ...(inner && { send_back_reason: row.send_back_reason, cancel_reason: row.cancel_reason }),
});

type Beside = { sight: Sight; signatures: ProbationSignature[] | undefined };

/** One review in full, with the fields that the actor sees. */
export const presentReview = (actor: Actor, row: StoredReview, { sight, signatures }: Beside): ProbationReview => ({
  ...listed(actor, row, sight),
  person_signs_in: row.person_signs_in,
  ...texts(row, sight),
  ...sentOf({ signatures }),
  ...(sight.extensions && {
    paused_from: row.paused_from,
    extensions: { count: row.extension_count, maximum: row.maximum_extensions },
  }),
});
