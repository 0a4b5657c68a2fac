import type { EvaluationStatus, Evidence } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { othersIn } from '../../access/evaluation-scope.ts';
import { capacitiesOf } from './capacities.ts';
import type { ActivitySeen } from '../../workflow/history.ts';
import type { EvaluationFacts } from './capacities.ts';

type EvidenceStage = Evidence['stage'];

/** What a reader sees of an evaluation beyond what all readers in scope see. */
export type Sight = {
  /** What the person wrote and scored: comment, items, their figure. */
  self: boolean;
  /** False if the step was skipped, so that the person never submitted it: it shows as empty. */
  self_given: boolean;
  /** What the reviewer wrote and scored. */
  manager: boolean;
  /** The figures of a submitted review. */
  scores: boolean;
  /** Comment, flags and final scores of HR. */
  result: boolean;
  /** The reason for the reviewer's extension request. */
  review_time: boolean;
};

/** States in which all readers in scope see the result. */
const shown = ['pending_acceptance', 'accepted', 'disputed', 'completed'] as const;
const isShown = (status: EvaluationStatus) => shown.some((one) => one === status);

/** The state whose rules apply: a cancelled evaluation stays as visible as it was. */
const reached = ({ status, cancelled_from }: Pick<EvaluationFacts, 'status' | 'cancelled_from'>): EvaluationStatus =>
  status === 'cancelled' ? (cancelled_from ?? 'self_assessment') : status;

/**
 * Only users who can write a draft see it. All readers in scope see what the person submitted. The reviewer and HR see
 * what the reviewer submitted; others once the result is released to the person. For their own evaluation, actors are
 * only its subject.
 */
export function sightOf(actor: Actor, row: EvaluationFacts & { self_skipped: boolean }): Sight {
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

/** Rows whose result and review are released to the person they are about, as SQL for `kpi_evaluations v`. */
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
 * Rows with a figure hidden from the actor; undefined if there are none. Before the review is submitted there is no
 * figure, so HR of all companies misses only their own: an index finds them.
 */
export function scoresHidden(actor: Actor): RawBuilder<SqlBool> | undefined {
  const seesOthers = reachOf(actor, 'kpi-evaluation.hr-review').everything;
  if (seesOthers && actor.employee_id === null) return undefined;
  const mine = seesOthers ? sql`v.employee_id = ${actor.employee_id} and` : sql``;
  return sql<SqlBool>`(${mine} v.overall_score is not null and v.status in ('hr_review', 'cancelled')
    and ${scoresSeen(actor)} is not true)`;
}

/** The stages whose evidence is visible: those of visible steps. */
export const evidenceSeen = ({ self, self_given, manager, result }: Sight): EvidenceStage[] => [
  ...(self && self_given ? (['self'] as const) : []),
  ...(manager ? (['manager'] as const) : []),
  ...(result ? (['hr', 'answer'] as const) : []),
];

/**
 * What a reader sees of the row `a` of its history. The reason why HR sent a review back describes its content, so only
 * readers of the reviewer's side see it, as with the reason for the reviewer's extension request. Readers of results
 * see a given-up result.
 */
export const activitySeen = ({ manager, result, review_time }: Sight): ActivitySeen => ({
  reason: sql`case
    when ${!manager}::boolean and a.action = 'return' and a.from_status = 'hr_review' then null
    when ${!review_time}::boolean and a.from_status = 'manager_review'
      and a.action in ('extension-request', 'extension-decision') then null
    else a.reason end`,
  snapshot: result ? sql`a.snapshot` : sql`null::jsonb`,
});
