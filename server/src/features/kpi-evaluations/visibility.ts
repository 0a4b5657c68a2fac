import type { EvaluationStatus, Evidence } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { othersIn } from '../../access/evaluation-scope.ts';
import { capacitiesOf } from './capacities.ts';
import type { ActivitySeen } from '../../workflow/history.ts';
import type { JudgedEvaluation } from './capacities.ts';

type EvidenceStage = Evidence['stage'];

/** What a reader sees of one evaluation beside what all readers in scope do. */
export type Sight = {
  /** What the person wrote and scored: comment, items, their figure. */
  self: boolean;
  /** False where the person never handed it in because the step was skipped: it shows as empty. */
  self_given: boolean;
  /** What the reviewer wrote and scored. */
  manager: boolean;
  /** The figures that came of a review handed in. */
  scores: boolean;
  /** Comment, flags and final scores of HR. */
  result: boolean;
  /** Why the reviewer asked for more time. */
  review_time: boolean;
};

/** States in which all readers in scope see the result. */
const shown = ['pending_acceptance', 'accepted', 'disputed', 'completed'] as const;
const isShown = (status: EvaluationStatus) => shown.some((one) => one === status);

/** The state whose rules hold; what was cancelled stays as visible as it was. */
const reached = ({ status, cancelled_from }: Pick<JudgedEvaluation, 'status' | 'cancelled_from'>): EvaluationStatus =>
  status === 'cancelled' ? (cancelled_from ?? 'self_assessment') : status;

/**
 * Drafts are seen only by those who may write them. All readers in scope see what the person handed in. The reviewer and
 * HR see what the reviewer handed in, others once the result is shown to the person. An actor is only the subject of
 * the own evaluation.
 */
export function sightOf(actor: Actor, row: JudgedEvaluation & { self_skipped: boolean }): Sight {
  const stage = reached(row);
  const isSubject = row.employee_id === actor.employee_id;
  const capacities = capacitiesOf(actor, row);
  const isHr = capacities.has('hr');
  const reviews = actor.employee_id !== null && row.reviewer_id === actor.employee_id;
  const isReviewer = !isSubject && (reviews || row.manager_submitted_by === actor.user_id);
  const handedIn = isShown(stage) || (stage === 'hr_review' && (isReviewer || isHr));
  const mayDraft = capacities.has('reviewer') || capacities.has('on_behalf');
  return {
    self: isSubject || stage !== 'self_assessment',
    self_given: isSubject || !row.self_skipped,
    manager: handedIn || (stage === 'manager_review' && mayDraft),
    scores: handedIn,
    result: isShown(stage) || isHr,
    review_time: isReviewer || isHr || mayDraft,
  };
}

const reachedOneOf = (states: readonly string[]) => sql<SqlBool>`(v.status = any(${states}::text[])
  or (v.status = 'cancelled' and v.cancelled_from = any(${states}::text[])))`;

/** Rows whose result, and whose review, is shown to the person they are about, as SQL for `kpi_evaluations v`. */
export const shownToSubject = reachedOneOf(shown);

/** Rows whose flags and final scores the actor sees: `result` of a sight, as SQL for `kpi_evaluations v`. */
export const resultSeen = (actor: Actor): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${shownToSubject} or ${othersIn(actor, 'kpi-evaluation.hr-review')})`;

/** Rows whose self-assessment the actor sees: `self` of a sight, as SQL. */
export const selfSeen = (actor: Actor): RawBuilder<SqlBool> =>
  sql<SqlBool>`(not ${reachedOneOf(['self_assessment'])} or v.employee_id = ${actor.employee_id}::bigint)`;

/** Rows whose figures the actor sees: `scores` of a sight, as SQL. */
export function scoresSeen(actor: Actor): RawBuilder<SqlBool> {
  const reviewed = sql<SqlBool>`(v.employee_id is distinct from ${actor.employee_id}::bigint
    and (v.reviewer_id = ${actor.employee_id}::bigint or v.manager_submitted_by = ${actor.user_id}::bigint))`;
  return sql<SqlBool>`(${shownToSubject} or (${reachedOneOf(['hr_review'])}
    and (${reviewed} or ${othersIn(actor, 'kpi-evaluation.hr-review')})))`;
}

/**
 * Rows with a figure that is hidden from the actor; undefined where there are none. Before a review is handed in there
 * is no figure, so that from HR of everything only the own ones are hidden: an index finds them.
 */
export function scoresHidden(actor: Actor): RawBuilder<SqlBool> | undefined {
  const seesOthers = reachOf(actor, 'kpi-evaluation.hr-review').everything;
  if (seesOthers && actor.employee_id === null) return undefined;
  const mine = seesOthers ? sql`v.employee_id = ${actor.employee_id} and` : sql``;
  return sql<SqlBool>`(${mine} v.overall_score is not null and v.status in ('hr_review', 'cancelled')
    and ${scoresSeen(actor)} is not true)`;
}

/** Whose evidence is in sight: what belongs to a step that is. */
export const evidenceSeen = ({ self, self_given, manager, result }: Sight): EvidenceStage[] => [
  ...(self && self_given ? (['self'] as const) : []),
  ...(manager ? (['manager'] as const) : []),
  ...(result ? (['hr', 'answer'] as const) : []),
];

/**
 * What a reader sees of the row `a` of its history. Why HR sent a review back says what was in it: it is for readers of
 * the reviewer's side; why the reviewer asked for time is for them too. A result that was given up is for readers of results.
 */
export const activitySeen = ({ manager, result, review_time }: Sight): ActivitySeen => ({
  reason: sql`case
    when ${!manager}::boolean and a.action = 'return' and a.from_status = 'hr_review' then null
    when ${!review_time}::boolean and a.from_status = 'manager_review'
      and a.action in ('extension-request', 'extension-decision') then null
    else a.reason end`,
  snapshot: result ? sql`a.snapshot` : sql`null::jsonb`,
});
