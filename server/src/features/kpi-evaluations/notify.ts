import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Permission } from '@tenure/contract';
import type { NotifyContext } from '../../notifications/notify.ts';
import { withVariant, notifiersOf, plainAudience, unionOf } from '../../workflow/notify.ts';
import type { Audience, Ids, ReviewerChange } from '../../workflow/notify.ts';
import { hrOf, reviewersOf } from './hr-pool.ts';
import { cycleInTexts } from './parts.ts';

/** Who gets which notification about KPI evaluations. */

const { notify, notifyReviewers, notifyMissing, reviewer, subject } = notifiersOf({
  type: 'kpi_evaluation',
  table: 'kpi_evaluations',
  page: '/kpi/evaluations/',
  params: sql`jsonb_build_object(
    'person', p.name, 'cycle', (select ${cycleInTexts} from kpi_cycles c where c.id = v.cycle_id), 'date', v.due_on)`,
});

const hr = (permission: Permission, ids: Ids, authors?: readonly RawBuilder<unknown>[]): Audience =>
  plainAudience(hrOf(permission, ids, authors));

/** E3, E6: notifies the reviewer that the evaluation is ready; without a reviewer, asks HR to choose one. */
export async function notifySelfAssessmentSubmitted(context: NotifyContext, ids: Ids): Promise<void> {
  const ready = sql`
    select r.subject_id, r.user_id, case when v.self_skipped then 'skipped' else r.variant end as variant
    from (${reviewer(ids)}) as r join kpi_evaluations v on v.id = r.subject_id and v.reviewer_missing_since is null`;
  const without = sql`
    select h.subject_id, h.user_id, 'unassigned' as variant
    from (${hr('kpi-evaluation.assign-reviewer', ids)}) as h
    join kpi_evaluations v on v.id = h.subject_id and v.reviewer_missing_since is not null`;
  await notify(context, 'kpi_self_assessment_submitted', unionOf(ready, without));
}

type InStep = { id: number; status: string };

/** E4: notifies HR of an extension request. */
export function notifyExtensionRequested(context: NotifyContext, { id, status }: InStep): Promise<void> {
  const audience =
    status === 'manager_review'
      ? withVariant('review', hr('kpi-evaluation.hr-review', [id], reviewersOf))
      : hr('kpi-evaluation.hr-review', [id]);
  return notify(context, 'kpi_extension_requested', audience, { often: true });
}

/** E5: notifies the person who asked about the decision. */
export function notifyExtensionDecided(
  context: NotifyContext,
  { id, status }: InStep,
  decision: 'approved' | 'rejected',
): Promise<void> {
  const isApproved = decision === 'approved';
  const ofReview = withVariant(isApproved ? 'review' : 'review_rejected', reviewer([id]));
  const own = isApproved ? subject([id]) : withVariant('rejected', subject([id]));
  const audience = status === 'manager_review' ? ofReview : own;
  return notify(context, 'kpi_extension_decided', audience, { often: true });
}

/** E25: notifies the assignee of the step about its later due day. */
export function notifyExtended(context: NotifyContext, ids: Ids): Promise<void> {
  const audience = sql`
    select a.subject_id, a.user_id,
           case v.status when 'manager_review' then 'review' when 'pending_acceptance' then 'answer' else a.variant end
             as variant
    from (${unionOf(subject(ids), reviewer(ids))}) as a join kpi_evaluations v on v.id = a.subject_id
    where (v.status = 'manager_review') = (a.variant = 'plain')`;
  return notify(context, 'kpi_extension_decided', audience, { often: true });
}

/** E7, and when a reviewer leaves: notifies the former and the current reviewers. */
export const notifyReviewerChanged = (context: NotifyContext, changes: readonly ReviewerChange[]) =>
  notifyReviewers(context, 'kpi_reviewer_changed', changes);

/** Notifies HR that reviewers of open evaluations can no longer act. */
export const notifyReviewersMissing = (context: NotifyContext, ids: Ids) =>
  notifyMissing(context, 'kpi_reviewer_changed', (missing) => hr('kpi-evaluation.assign-reviewer', missing), ids);

/** E8: notifies HR that the review is complete. */
export const notifyManagerReviewSubmitted = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_manager_review_submitted', hr('kpi-evaluation.hr-review', ids));

/** E9, E10: notifies the person who must submit it again. */
export async function notifyReturned(context: NotifyContext, ids: Ids, to: 'subject' | 'reviewer'): Promise<void> {
  await notify(context, 'kpi_evaluation_returned', { subject: subject(ids), reviewer: reviewer(ids) }[to]);
  if (to === 'reviewer') await notifyReviewersMissing(context, ids);
}

/** E17: notifies the reviewer, who must submit it again, and the subject about the outcome of the dispute. */
export async function notifyReturnedAfterDispute(context: NotifyContext, id: number): Promise<void> {
  const audience = unionOf(withVariant('own_after_dispute', subject([id])), reviewer([id]));
  await notify(context, 'kpi_evaluation_returned', audience);
  await notifyReviewersMissing(context, [id]);
}

/** E11: notifies the subject of the result; without a sign-in the reviewer, or HR, who records the answer. */
export async function notifyResult(context: NotifyContext, ids: Ids): Promise<void> {
  const { rows } = await sql<{ id: number; is_missing: boolean }>`
    select id, reviewer_missing_since is not null as is_missing from kpi_evaluations
    where id = any(${ids}::bigint[]) and not person_signs_in`.execute(context.db);
  const of = (missing: boolean) => rows.filter(({ is_missing }) => is_missing === missing).map(({ id }) => id);
  const others = [
    ...(of(false).length > 0 ? [withVariant('record', reviewer(of(false)))] : []),
    ...(of(true).length > 0 ? [withVariant('record', hr('kpi-evaluation.hr-review', of(true)))] : []),
  ];
  await notify(context, 'kpi_hr_review_submitted', unionOf(subject(ids), ...others));
}

/** E12: notifies HR that it can be completed. */
export const notifyAccepted = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_accepted', hr('kpi-evaluation.hr-review', ids));

/** E13: notifies the reviewer, and the HR users who can decide the dispute. */
export const notifyDisputed = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_disputed', unionOf(hr('kpi-evaluation.hr-review', ids, reviewersOf), reviewer(ids)));

/** E14: notifies the subject and HR that the time is over. */
export const notifyLapsed = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_acceptance_lapsed', unionOf(subject(ids), hr('kpi-evaluation.hr-review', ids)));

/** E18, E19 and E15: notifies the subject that it is complete, and after a dispute also the reviewer. */
export const notifyCompleted = (context: NotifyContext, ids: Ids) =>
  notify(
    context,
    'kpi_evaluation_completed',
    unionOf(
      subject(ids),
      sql`select r.* from (${reviewer(ids)}) as r
          join kpi_evaluations v on v.id = r.subject_id and v.dispute_reason is not null`,
    ),
  );

/** E16: notifies both of the old and the new result. */
export const notifyModified = (
  context: NotifyContext,
  id: number,
  scores: { before: number | null; after: number | null },
) =>
  notify(
    context,
    'kpi_evaluation_completed',
    unionOf(withVariant('own_modified', subject([id])), withVariant('modified', reviewer([id]))),
    { params: sql`${JSON.stringify(scores)}::jsonb` },
  );

/** E20: notifies the subject and the reviewer that nothing is left to do. */
export const notifyCancelled = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_cancelled', unionOf(subject(ids), reviewer(ids)), { often: true });

/** Notifies the reviewers that an evaluation is cancelled; the subject is notified of its replacement. */
export const notifyCancelledToReviewers = (context: NotifyContext, ids: Ids) =>
  notify(context, 'kpi_evaluation_cancelled', reviewer(ids), { often: true });

/** E21, E22: notifies both that there is a new task; HR if the reviewer can no longer act. */
export async function notifyReopened(context: NotifyContext, { id, to }: { id: number; to: string }): Promise<void> {
  await notify(context, 'kpi_evaluation_reopened', unionOf(subject([id]), reviewer([id])), { often: true });
  if (['self_assessment', 'manager_review'].includes(to)) await notifyReviewersMissing(context, [id]);
}
