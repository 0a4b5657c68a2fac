import { sql } from 'kysely';
import { hrOfEach } from '../../notifications/hr-pool.ts';
import type { NotifyContext } from '../../notifications/notify.ts';
import { withVariant, notifiersOf, plainAudience, unionOf } from '../../workflow/notify.ts';
import type { Audience, Ids, ReviewerChange } from '../../workflow/notify.ts';
import { decidersOf } from './hr-pool.ts';

/** Who gets which notification about probation reviews. */

const { notify, notifyReviewers, notifyMissing, reviewer, subject } = notifiersOf({
  type: 'probation_review',
  table: 'probation_reviews',
  page: '/probation/',
  params: sql`jsonb_build_object('person', p.name, 'date', v.probation_end_date)`,
});

const reviews = (ids: Ids) => sql`
  select id as subject_id, id, employee_id, entity_id, department_id, reviewer_id from probation_reviews
  where id = any(${ids}::bigint[])`;

const organisers = (ids: Ids): Audience => plainAudience(hrOfEach('probation-review.create', reviews(ids)));
const deciders = (ids: Ids): Audience => plainAudience(decidersOf(reviews(ids)));

/** P1, and when a reviewer leaves: notifies the reviewer of a review to write; HR if there is no reviewer. */
export const notifyOpened = (context: NotifyContext, ids: Ids) =>
  notify(
    context,
    'probation_review_created',
    unionOf(
      reviewer(ids),
      withVariant(
        'unassigned',
        plainAudience(hrOfEach('probation-review.create', sql`${reviews(ids)} and reviewer_id is null`)),
      ),
    ),
    { params: sql`jsonb_build_object('date', v.due_date)` },
  );

/** P3: notifies HR that there is a decision to make. */
export const notifySubmitted = (context: NotifyContext, ids: Ids) =>
  notify(
    context,
    'probation_review_submitted',
    unionOf(
      plainAudience(decidersOf(sql`${reviews(ids)} and milestone = 'final'`)),
      withVariant('on_the_way', plainAudience(decidersOf(sql`${reviews(ids)} and milestone <> 'final'`))),
    ),
    { often: true },
  );

/** P4: notifies HR that there is no decision to make for now. */
export const notifyRecalled = (context: NotifyContext, ids: Ids) =>
  notify(context, 'probation_review_recalled', deciders(ids), { often: true });

/** P5: notifies the reviewer that the review needs a revision. */
export async function notifySentBack(context: NotifyContext, ids: Ids): Promise<void> {
  await notify(context, 'probation_review_sent_back', reviewer(ids));
  await notifyReviewersMissing(context, ids);
}

/** Notifies HR that reviewers can no longer act. */
export const notifyReviewersMissing = (context: NotifyContext, ids: Ids) =>
  notifyMissing(context, 'probation_reviewer_changed', organisers, ids);

/**
 * The employee and the reviewer. If the employee has no sign-in, the reviewer, or HR if no reviewer can act, is asked
 * to record the acknowledgement.
 */
async function sharedWith({ db }: NotifyContext, ids: Ids): Promise<Audience> {
  const { rows } = await sql<{ id: number; is_missing: boolean }>`
    select id, reviewer_id is null or reviewer_missing_since is not null as is_missing from probation_reviews
    where id = any(${ids}::bigint[]) and not person_signs_in`.execute(db);
  if (rows.length === 0) return unionOf(subject(ids), reviewer(ids));
  const of = (missing: boolean) => rows.filter(({ is_missing }) => is_missing === missing).map(({ id }) => id);
  const byHand = new Set(rows.map(({ id }) => id));
  const signingIn = ids.filter((id) => !byHand.has(id));
  return unionOf(
    subject(signingIn),
    reviewer(signingIn),
    withVariant('record', reviewer(of(false))),
    withVariant('record', plainAudience(hrOfEach('probation-review.approve', reviews(of(true))))),
  );
}

/** P6: notifies the employee and the reviewer of the decision; the day of an extension is its new end. */
export const notifyApproved = async (context: NotifyContext, ids: Ids) =>
  notify(context, 'probation_review_approved', await sharedWith(context, ids), {
    params: sql`jsonb_build_object(
      'outcome', v.outcome,
      'date', case when v.outcome = 'extend' then p.probation_end_date else v.effective_date end)`,
  });

/** P6: notifies the employee and the reviewer that an interim review was shared. */
export const notifyShared = async (context: NotifyContext, ids: Ids) =>
  notify(context, 'probation_review_shared', await sharedWith(context, ids));

/** P8: notifies the reviewer that nothing is left to do. */
export const notifyCancelled = (context: NotifyContext, ids: Ids) =>
  notify(context, 'probation_review_cancelled', reviewer(ids), { often: true });

/** P9, and when a reviewer leaves: notifies the former and the current reviewers. */
export const notifyReviewerChanged = (context: NotifyContext, changes: readonly ReviewerChange[]) =>
  notifyReviewers(context, 'probation_reviewer_changed', changes);

/** P10: notifies the employee, the reviewer and HR of the new end of the probation. */
export const notifyReverted = (context: NotifyContext, ids: Ids) =>
  notify(context, 'probation_review_reverted', unionOf(subject(ids), reviewer(ids), organisers(ids)), {
    params: sql`jsonb_build_object('date', p.probation_end_date)`,
  });
