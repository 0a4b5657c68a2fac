import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { NotificationEvent, Permission } from '@tenure/contract';
import { notifyEach } from '../../notifications/notify.ts';
import type { Telling } from '../../notifications/notify.ts';
import { hrOf, reviewersOf } from './hr-pool.ts';

/**
 * What is told about KPI evaluations, about many in one statement. Called when the rows hold their new state. Nobody is
 * told twice of one event in one round; what may happen several times in a round has the revision beside it.
 */

type Ids = readonly number[];
/** SQL with the columns evaluation_id, user_id and variant. */
type Audience = RawBuilder<unknown>;

const subject = (ids: Ids): Audience => sql`
  select v.id as evaluation_id, p.user_id, 'own' as variant
  from kpi_evaluations v join employees p on p.id = v.employee_id where v.id = any(${ids}::bigint[])`;

const reviewer = (ids: Ids): Audience => sql`
  select v.id as evaluation_id, r.user_id, 'plain' as variant
  from kpi_evaluations v join employees r on r.id = v.reviewer_id where v.id = any(${ids}::bigint[])`;

const hr = (permission: Permission, ids: Ids, authors?: readonly RawBuilder<unknown>[]): Audience => sql`
  select h.evaluation_id, h.user_id, 'plain' as variant from (${hrOf(permission, ids, authors)}) as h`;

const together = (...audiences: Audience[]): Audience =>
  sql.join(
    audiences.map((audience) => sql`select evaluation_id, user_id, variant from (${audience}) as one`),
    sql` union all `,
  );

type Words = {
  /** Tells one time in a round from another. */
  often?: boolean;
  /** What the texts want to know beside person, cycle and day. */
  params?: Readonly<Record<string, string | number | null>>;
};

async function tell(
  telling: Telling,
  event: NotificationEvent,
  audience: Audience,
  { often = false, params = {} }: Words = {},
): Promise<void> {
  const round = often ? sql`v.round || '-' || v.revision` : sql`v.round::text`;
  await notifyEach(
    telling,
    event,
    { type: 'kpi_evaluation' },
    sql`
      select a.user_id, v.id as subject_id, ${round} as round, '/kpi/evaluations/' || v.id as url,
             jsonb_build_object('person', p.name, 'cycle', c.name, 'date', v.due_on)
               || ${JSON.stringify(params)}::jsonb as params,
             a.variant, null::text as copy_to
      from (${audience}) as a
      join kpi_evaluations v on v.id = a.evaluation_id
      join kpi_cycles c on c.id = v.cycle_id
      join employees p on p.id = v.employee_id`,
  );
}

/** E3, E6: the reviewer hears that it is ready; HR where there is none, to choose one. */
export async function notifySelfAssessmentSubmitted(telling: Telling, ids: Ids): Promise<void> {
  const ready = sql`
    select r.evaluation_id, r.user_id, case when v.self_skipped then 'skipped' else r.variant end as variant
    from (${reviewer(ids)}) as r join kpi_evaluations v on v.id = r.evaluation_id`;
  const without = sql`
    select h.evaluation_id, h.user_id, 'unassigned' as variant
    from (${hr('kpi-evaluation.assign-reviewer', ids)}) as h
    join kpi_evaluations v on v.id = h.evaluation_id and v.reviewer_missing_since is not null`;
  await tell(telling, 'kpi_self_assessment_submitted', together(ready, without));
}

/** E4: HR hears that somebody asks for more time. */
export const notifyExtensionRequested = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_extension_requested', hr('kpi-evaluation.hr-review', ids), { often: true });

/** E5: the subject hears what was decided. */
export const notifyExtensionDecided = (telling: Telling, ids: Ids, decision: 'approved' | 'rejected') =>
  tell(
    telling,
    'kpi_extension_decided',
    decision === 'approved'
      ? subject(ids)
      : sql`select evaluation_id, user_id, 'rejected' as variant from (${subject(ids)}) as s`,
    { often: true },
  );

/** E7, M4, M5: the former reviewers and the present one hear of it. */
export async function notifyReviewerChanged(
  telling: Telling,
  changes: readonly { id: number; former_id: number | null }[],
): Promise<void> {
  const former = sql`
    select t.id as evaluation_id, r.user_id, 'former' as variant
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as t (id bigint, former_id bigint)
    join employees r on r.id = t.former_id`;
  const ids = changes.map(({ id }) => id);
  await tell(telling, 'kpi_reviewer_changed', together(reviewer(ids), former), { often: true });
}

/** E8: HR hears that the review is complete. */
export const notifyManagerReviewSubmitted = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_manager_review_submitted', hr('kpi-evaluation.hr-review', ids));

/** E9, E10: whoever has to hand it in again. */
export const notifyReturned = (telling: Telling, ids: Ids, to: 'subject' | 'reviewer') =>
  tell(telling, 'kpi_evaluation_returned', { subject: subject(ids), reviewer: reviewer(ids) }[to]);

/** E17: the reviewer has to hand it in again, and the subject hears what became of the dispute. */
export const notifyReturnedAfterDispute = (telling: Telling, id: number) =>
  tell(
    telling,
    'kpi_evaluation_returned',
    together(
      sql`select evaluation_id, user_id, 'own_after_dispute' as variant from (${subject([id])}) as s`,
      reviewer([id]),
    ),
  );

/** E11: the subject hears that the result is ready. */
export const notifyResult = (telling: Telling, ids: Ids) => tell(telling, 'kpi_hr_review_submitted', subject(ids));

/** E12: HR hears that it can be completed. */
export const notifyAccepted = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_evaluation_accepted', hr('kpi-evaluation.hr-review', ids));

/** E13: HR that may settle the dispute and the reviewer hear of it. */
export const notifyDisputed = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_evaluation_disputed', together(hr('kpi-evaluation.hr-review', ids, reviewersOf), reviewer(ids)));

/** E14: the subject and HR hear that the time is over. */
export const notifyLapsed = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_acceptance_lapsed', together(subject(ids), hr('kpi-evaluation.hr-review', ids)));

/** E18, E19 and E15: the subject hears that it is complete, and after a dispute the reviewer. */
export const notifyCompleted = (telling: Telling, ids: Ids) =>
  tell(
    telling,
    'kpi_evaluation_completed',
    together(
      subject(ids),
      sql`select r.* from (${reviewer(ids)}) as r
          join kpi_evaluations v on v.id = r.evaluation_id and v.dispute_reason is not null`,
    ),
  );

/** E16: both hear what the result was and what it became. */
export const notifyModified = (telling: Telling, id: number, scores: { before: number | null; after: number | null }) =>
  tell(
    telling,
    'kpi_evaluation_completed',
    sql`select evaluation_id, user_id, case variant when 'own' then 'own_modified' else 'modified' end as variant
        from (${together(subject([id]), reviewer([id]))}) as both_sides`,
    { params: scores },
  );

/** E20: the subject and the reviewer hear that there is nothing left to do. */
export const notifyCancelled = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_evaluation_cancelled', together(subject(ids), reviewer(ids)), { often: true });

/** E21, E22: both hear that there is something to do again. */
export const notifyReopened = (telling: Telling, ids: Ids) =>
  tell(telling, 'kpi_evaluation_reopened', together(subject(ids), reviewer(ids)), { often: true });
