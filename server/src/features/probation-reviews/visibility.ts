import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { othersIn, shownStates } from '../../access/review-scope.ts';
import { capacitiesOf } from './capacities.ts';
import type { ActivitySeen } from '../../workflow/history.ts';
import type { JudgedReview } from './capacities.ts';

/** What a reader sees of one review beside status, people and dates, which all readers in scope see. */
export type Sight = {
  /** What the reviewer wrote. */
  assessment: boolean;
  /** What was decided, and what became of it. */
  result: boolean;
  /** Why it was sent back or cancelled, and what was given up: between reviewer and HR. */
  inner: boolean;
  /** How often the probation was extended: for those who may write or decide. */
  extensions: boolean;
};

const isShown = (status: string) => shownStates.some((one) => one === status);

/**
 * What the reviewer writes is the reviewer's until it is handed in, then HR's too, and for all in scope once it is
 * decided. The own review is not in scope before that.
 */
export function sightOf(actor: Actor, row: JudgedReview): Sight {
  const capacities = capacitiesOf(actor, row);
  const shown = isShown(row.status);
  const reviews = (actor.employee_id !== null && row.reviewer_id === actor.employee_id) || capacities.has('reviewer');
  const isHr = capacities.has('hr');
  return {
    assessment: shown || reviews || (isHr && row.submitted_at !== null),
    result: shown || reviews || isHr,
    inner: reviews || isHr,
    extensions: reviews || isHr || capacities.has('organiser'),
  };
}

/** Rows whose assessment the actor sees: `assessment` of a sight, as SQL for `probation_reviews v`. */
export const assessmentSeen = (actor: Actor): RawBuilder<SqlBool> => sql<SqlBool>`(
  v.status = any(${shownStates}::text[])
  or (v.employee_id is distinct from ${actor.employee_id}::bigint and v.reviewer_id = ${actor.employee_id}::bigint)
  or (v.submitted_at is not null and ${othersIn(actor, 'probation-review.approve')}))`;

/**
 * What a reader sees of the row `a` of its history. Reasons stay between reviewer and HR, and so does what was given up;
 * why a decision was taken back is for all who saw it.
 */
export const activitySeen = ({ inner, result }: Sight): ActivitySeen => ({
  reason: inner ? sql`a.reason` : result ? sql`case when a.action = 'revert' then a.reason end` : sql`null::text`,
  snapshot: inner ? sql`a.snapshot` : sql`null::jsonb`,
});
