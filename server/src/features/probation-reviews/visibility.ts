import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { othersIn, shownStates } from '../../access/review-scope.ts';
import { capacitiesOf } from './capacities.ts';
import type { ActivitySeen } from '../../workflow/history.ts';
import type { ReviewFacts } from './capacities.ts';

/** What a reader sees of a review beyond status, people and dates, which all readers in scope see. */
export type Sight = {
  /** What the reviewer wrote. */
  assessment: boolean;
  /** The decision, and what happened to it. */
  result: boolean;
  /** Why it was sent back or cancelled, and what was given up: visible to reviewer and HR. */
  inner: boolean;
  /** How often the probation was extended: visible to users who can write or decide. */
  extensions: boolean;
};

const isShown = (status: string) => shownStates.some((one) => one === status);

/**
 * Only the reviewer sees the assessment until it is submitted, then also HR, and all readers in scope after the
 * decision. One's own review is not in scope before that.
 */
export function sightOf(actor: Actor, row: ReviewFacts): Sight {
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
 * What a reader sees of the row `a` of its history. Only reviewer and HR see reasons and given-up values; all readers
 * of a decision see why it was reverted.
 */
export const activitySeen = ({ inner, result }: Sight): ActivitySeen => ({
  reason: inner ? sql`a.reason` : result ? sql`case when a.action = 'revert' then a.reason end` : sql`null::text`,
  snapshot: inner ? sql`a.snapshot` : sql`null::jsonb`,
});
