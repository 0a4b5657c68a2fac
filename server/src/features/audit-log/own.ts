import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { shownToSubject as evaluationShown } from '../kpi-evaluations/visibility.ts';
import { shownToSubject as reviewShown } from '../../access/review-scope.ts';

/**
 * For their own review, readers of the log are only its subject: an entry `h` about it reveals what the review itself
 * shows.
 */

type Condition = RawBuilder<SqlBool>;

/** A deleted review was never shown. */
const hiddenReview = sql<SqlBool>`(h.subject_type in ('probation_review', 'probation_signature') and not exists (
  select from probation_reviews v where ${reviewShown} and v.id = case h.subject_type
    when 'probation_review' then h.subject_id
    else (select s.review_id from probation_signatures s where s.id = h.subject_id) end))`;

/** Evidence of other people stays hidden until their review is shown. */
const hiddenEvidence = (actor: Actor) => sql<SqlBool>`(
  h.subject_type = 'kpi_evidence' and h.actor_id is distinct from ${actor.user_id}::bigint and not exists (
    select from kpi_evidence f join kpi_evaluations v on v.id = f.evaluation_id
    where f.id = h.subject_id and (f.stage = 'self' or ${evaluationShown})))`;

/** Only reviewer and HR see reasons, as in the history of the review. */
const hiddenReason = sql<SqlBool>`(
  (h.subject_type = 'probation_review' and h.action <> 'probation_review.revert')
  or (h.action = 'kpi_evaluation.return' and h.changes #>> '{status,from}' = 'hr_review'
      and not exists (select from kpi_evaluations v where v.id = h.subject_id and ${evaluationShown})))`;

// collected once from an index, however many entries are read
const mine = (actor: Actor, condition: Condition) => sql`(
  select h.id from audit_log h where h.about_employee_id = ${actor.employee_id} and ${condition})`;

const hidden = (actor: Actor) => mine(actor, sql<SqlBool>`(${hiddenReview} or ${hiddenEvidence(actor)})`);

/** Excludes the entries `l` hidden from the reader; no condition for an account without a person. */
export const notHidden = (actor: Actor): Condition[] =>
  actor.employee_id === null ? [] : [sql<SqlBool>`l.id not in ${hidden(actor)}`];

/** The number of entries hidden from the reader, as SQL. */
export const countHidden = (actor: Actor): RawBuilder<unknown> =>
  actor.employee_id === null ? sql`0` : sql`(select count(*) from ${hidden(actor)} as h)`;

/** The reason of an entry `l`, where the reader may see it. */
export const reasonSeen = (actor: Actor): RawBuilder<unknown> =>
  actor.employee_id === null
    ? sql`l.reason`
    : sql`case when l.id not in ${mine(actor, hiddenReason)} then l.reason end`;
