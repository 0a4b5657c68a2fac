import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { shownToSubject as evaluationShown } from '../kpi-evaluations/visibility.ts';
import { shownToSubject as reviewShown } from '../../access/review-scope.ts';

/**
 * To the own review everybody is its subject and no more, whoever reads the log: an entry `h` about it tells what the
 * review itself does.
 */

type Condition = RawBuilder<SqlBool>;

/** What is deleted was never shown. */
const hiddenReview = sql<SqlBool>`(h.subject_type in ('probation_review', 'probation_signature') and not exists (
  select from probation_reviews v where ${reviewShown} and v.id = case h.subject_type
    when 'probation_review' then h.subject_id
    else (select s.review_id from probation_signatures s where s.id = h.subject_id) end))`;

/** Evidence that others gave, until the review is shown that it belongs to. */
const hiddenEvidence = (actor: Actor) => sql<SqlBool>`(
  h.subject_type = 'kpi_evidence' and h.actor_id is distinct from ${actor.user_id}::bigint and not exists (
    select from kpi_evidence f join kpi_evaluations v on v.id = f.evaluation_id
    where f.id = h.subject_id and (f.stage = 'self' or ${evaluationShown})))`;

/** Reasons stay between reviewer and HR, as in the trail of the review. */
const hiddenReason = sql<SqlBool>`(
  (h.subject_type = 'probation_review' and h.action <> 'probation_review.revert')
  or (h.action = 'kpi_evaluation.return' and h.changes #>> '{status,from}' = 'hr_review'
      and not exists (select from kpi_evaluations v where v.id = h.subject_id and ${evaluationShown})))`;

// gathered once by an index, however many entries are looked at
const mine = (actor: Actor, condition: Condition) => sql`(
  select h.id from audit_log h where h.about_employee_id = ${actor.employee_id} and ${condition})`;

const hidden = (actor: Actor) => mine(actor, sql<SqlBool>`(${hiddenReview} or ${hiddenEvidence(actor)})`);

/** Leaves out the entries `l` that the reader may not know of; nothing for whoever is no employee. */
export const notHidden = (actor: Actor): Condition[] =>
  actor.employee_id === null ? [] : [sql<SqlBool>`l.id not in ${hidden(actor)}`];

/** How many entries the reader may not know of, as SQL. */
export const countHidden = (actor: Actor): RawBuilder<unknown> =>
  actor.employee_id === null ? sql`0` : sql`(select count(*) from ${hidden(actor)} as h)`;

/** The reason of an entry `l`, where the reader may know it. */
export const reasonSeen = (actor: Actor): RawBuilder<unknown> =>
  actor.employee_id === null
    ? sql`l.reason`
    : sql`case when l.id not in ${mine(actor, hiddenReason)} then l.reason end`;
