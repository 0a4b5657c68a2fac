import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Permission } from '@tenure/contract';
import type { NotifyContext } from '../../notifications/notify.ts';
import { asVariant, noticesOf, pool, together } from '../../workflow/notify.ts';
import type { Audience, Ids, ReviewerChange } from '../../workflow/notify.ts';
import { hrOf, reviewersOf } from './hr-pool.ts';
import { cycleInTexts } from './parts.ts';

/** Who is notified of what about KPI evaluations. */

const { notify, notifyReviewers, notifyMissing, reviewer, subject } = noticesOf({
  type: 'kpi_evaluation',
  table: 'kpi_evaluations',
  page: '/kpi/evaluations/',
  params: sql`jsonb_build_object(
    'person', p.name, 'cycle', (select ${cycleInTexts} from kpi_cycles c where c.id = v.cycle_id), 'date', v.due_on)`,
});

const hr = (permission: Permission, ids: Ids, authors?: readonly RawBuilder<unknown>[]): Audience =>
  pool(hrOf(permission, ids, authors));

/** E3, E6: the reviewer hears that it is ready; HR where there is none, to choose one. */
export async function notifySelfAssessmentSubmitted(context: NotifyContext, ids: Ids): Promise<void> {
  const ready = sql`
    select r.subject_id, r.user_id, case when v.self_skipped then 'skipped' else r.variant end as variant
    from (${reviewer(ids)}) as r join kpi_evaluations v on v.id = r.subject_id and v.reviewer_missing_since is null`;
  const without = sql`
    select h.subject_id, h.user_id, 'unassigned' as variant
    from (${hr('kpi-evaluation.assign-reviewer', ids)}) as h
    join kpi_evaluations v on v.id = h.subject_id and v.reviewer_missing_since is not null`;
  await notify(context, 'kpi_self_assessment_submitted', together(ready, without));
}

type InStep = { id: number; status: string };

/** E4: notifies HR of a request for more time. */
export function notifyExtensionRequested(context: NotifyContext, { id, status }: InStep): Promise<void> {
  const audience =
    status === 'manager_review'
      ? asVariant('review', hr('kpi-evaluation.hr-review', [id], reviewersOf))
      : hr('kpi-evaluation.hr-review', [id]);
  return notify(context, 'kpi_extension_requested', audience, { often: true });
}

/** E5: the person who asked hears what was decided. */
export function notifyExtensionDecided(
  context: NotifyContext,
  { id, status }: InStep,
  decision: 'approved' | 'rejected',
): Promise<void> {
  const isApproved = decision === 'approved';
  const ofReview = asVariant(isApproved ? 'review' : 'review_rejected', reviewer([id]));
  const own = isApproved ? subject([id]) : asVariant('rejected', subject([id]));
  const audience = status === 'manager_review' ? ofReview : own;
  return notify(context, 'kpi_extension_decided', audience, { often: true });
}

/** E25: the person whose step it is hears of its later due day. */
export function notifyExtended(context: NotifyContext, ids: Ids): Promise<void> {
  const audience = sql`
    select a.subject_id, a.user_id,
           case v.status when 'manager_review' then 'review' when 'pending_acceptance' then 'answer' else a.variant end
             as variant
    from (${together(subject(ids), reviewer(ids))}) as a join kpi_evaluations v on v.id = a.subject_id
    where (v.status = 'manager_review') = (a.variant = 'plain')`;
  return notify(context, 'kpi_extension_decided', audience, { often: true });
}

/** E7, and where a reviewer leaves: the former reviewers and the present one hear of it. */
export const notifyReviewerChanged = (context: NotifyContext, changes: readonly ReviewerChange[]) =>
  notifyReviewers(context, 'kpi_reviewer_changed', changes);

/** HR hears that the reviewers cannot act any longer, where they have something to do. */
export const notifyReviewersMissing = (context: NotifyContext, ids: Ids) =>
  notifyMissing(context, 'kpi_reviewer_changed', (missing) => hr('kpi-evaluation.assign-reviewer', missing), ids);

/** E8: HR hears that the review is complete. */
export const notifyManagerReviewSubmitted = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_manager_review_submitted', hr('kpi-evaluation.hr-review', ids));

/** E9, E10: the person who has to hand it in again. */
export async function notifyReturned(context: NotifyContext, ids: Ids, to: 'subject' | 'reviewer'): Promise<void> {
  await notify(context, 'kpi_evaluation_returned', { subject: subject(ids), reviewer: reviewer(ids) }[to]);
  if (to === 'reviewer') await notifyReviewersMissing(context, ids);
}

/** E17: the reviewer has to hand it in again, and the subject hears what became of the dispute. */
export async function notifyReturnedAfterDispute(context: NotifyContext, id: number): Promise<void> {
  const audience = together(asVariant('own_after_dispute', subject([id])), reviewer([id]));
  await notify(context, 'kpi_evaluation_returned', audience);
  await notifyReviewersMissing(context, [id]);
}

/** E11: the subject hears that the result is ready; without a sign-in the reviewer, or HR, who records the answer. */
export async function notifyResult(context: NotifyContext, ids: Ids): Promise<void> {
  const { rows } = await sql<{ id: number; is_missing: boolean }>`
    select id, reviewer_missing_since is not null as is_missing from kpi_evaluations
    where id = any(${ids}::bigint[]) and not person_signs_in`.execute(context.db);
  const of = (missing: boolean) => rows.filter(({ is_missing }) => is_missing === missing).map(({ id }) => id);
  const others = [
    ...(of(false).length > 0 ? [asVariant('record', reviewer(of(false)))] : []),
    ...(of(true).length > 0 ? [asVariant('record', hr('kpi-evaluation.hr-review', of(true)))] : []),
  ];
  await notify(context, 'kpi_hr_review_submitted', together(subject(ids), ...others));
}

/** E12: HR hears that it can be completed. */
export const notifyAccepted = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_accepted', hr('kpi-evaluation.hr-review', ids));

/** E13: notifies the reviewer, and HR that may decide the dispute. */
export const notifyDisputed = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_disputed', together(hr('kpi-evaluation.hr-review', ids, reviewersOf), reviewer(ids)));

/** E14: the subject and HR hear that the time is over. */
export const notifyLapsed = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_acceptance_lapsed', together(subject(ids), hr('kpi-evaluation.hr-review', ids)));

/** E18, E19 and E15: the subject hears that it is complete, and after a dispute the reviewer. */
export const notifyCompleted = (context: NotifyContext, ids: Ids) =>
  notify(
    context,
    'kpi_evaluation_completed',
    together(
      subject(ids),
      sql`select r.* from (${reviewer(ids)}) as r
          join kpi_evaluations v on v.id = r.subject_id and v.dispute_reason is not null`,
    ),
  );

/** E16: both hear what the result was and what it became. */
export const notifyModified = (
  context: NotifyContext,
  id: number,
  scores: { before: number | null; after: number | null },
) =>
  notify(
    context,
    'kpi_evaluation_completed',
    together(asVariant('own_modified', subject([id])), asVariant('modified', reviewer([id]))),
    { params: sql`${JSON.stringify(scores)}::jsonb` },
  );

/** E20: the subject and the reviewer hear that there is nothing left to do. */
export const notifyCancelled = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_cancelled', together(subject(ids), reviewer(ids)), { often: true });

/** The reviewers hear that an evaluation is cancelled; the subject hears of the one that replaces it. */
export const notifyCancelledToReviewers = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_cancelled', reviewer(ids), { often: true });

/** E21, E22: both hear that there is something to do again; HR where the reviewer cannot act any longer. */
export async function notifyReopened(context: NotifyContext, { id, to }: { id: number; to: string }): Promise<void> {
  await notify(context, 'kpi_evaluation_reopened', together(subject([id]), reviewer([id])), { often: true });
  if (['self_assessment', 'manager_review'].includes(to)) await notifyReviewersMissing(context, [id]);
}
