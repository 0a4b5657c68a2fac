import type { NotificationEvent } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { hrOfEach } from '../../notifications/hr-pool.ts';
import { notifyEach } from '../../notifications/notify.ts';
import type { Telling } from '../../notifications/notify.ts';
import { decidersOf } from './hr-pool.ts';

/**
 * What is told about probation reviews, about many in one statement. Called when the rows hold their new state. Nobody
 * is told twice of one event in one round; what may happen several times in a round has the revision beside it.
 */

type Ids = readonly number[];
/** SQL with the columns review_id, user_id and variant. */
type Audience = RawBuilder<unknown>;

const subject = (ids: Ids): Audience => sql`
  select v.id as review_id, p.user_id, 'own' as variant
  from probation_reviews v join employees p on p.id = v.employee_id where v.id = any(${ids}::bigint[])`;

const reviewer = (ids: Ids): Audience => sql`
  select v.id as review_id, r.user_id, 'plain' as variant
  from probation_reviews v join employees r on r.id = v.reviewer_id where v.id = any(${ids}::bigint[])`;

const reviews = (ids: Ids) => sql`
  select id as subject_id, id, employee_id, entity_id, department_id, reviewer_id from probation_reviews
  where id = any(${ids}::bigint[])`;

const asPool = (pool: RawBuilder<unknown>): Audience => sql`
  select h.subject_id as review_id, h.user_id, 'plain' as variant from (${pool}) as h`;

const organisers = (ids: Ids): Audience => asPool(hrOfEach('probation-review.create', reviews(ids)));
const deciders = (ids: Ids): Audience => asPool(decidersOf(reviews(ids)));

const together = (...audiences: Audience[]): Audience =>
  sql.join(
    audiences.map((audience) => sql`select review_id, user_id, variant from (${audience}) as one`),
    sql` union all `,
  );

type Words = {
  /** Tells one time in a round from another. */
  often?: boolean;
  /** The day the texts name. */
  day?: RawBuilder<unknown>;
};

async function tell(
  telling: Telling,
  event: NotificationEvent,
  audience: Audience,
  { often = false, day = sql`v.probation_end_date` }: Words = {},
): Promise<void> {
  const round = often ? sql`v.round || '-' || v.revision` : sql`v.round::text`;
  await notifyEach(
    telling,
    event,
    { type: 'probation_review' },
    sql`
      select a.user_id, v.id as subject_id, ${round} as round, '/probation/' || v.id as url,
             jsonb_build_object('person', p.name, 'date', ${day}) as params, a.variant, null::text as copy_to
      from (${audience}) as a
      join probation_reviews v on v.id = a.review_id
      join employees p on p.id = v.employee_id`,
  );
}

/** Nobody reviews: HR hears that somebody is to be named. */
export const notifyUnassigned = (telling: Telling, ids: Ids) =>
  tell(
    telling,
    'probation_review_created',
    sql`select h.subject_id as review_id, h.user_id, 'unassigned' as variant
        from (${hrOfEach('probation-review.create', reviews(ids))}) as h`,
    { day: sql`v.due_date` },
  );

/** P3: HR hears that there is something to decide. */
export const notifySubmitted = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_submitted', deciders(ids), { often: true });

/** P4: HR hears that there is nothing to decide for now. */
export const notifyRecalled = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_recalled', deciders(ids), { often: true });

/** P5: the reviewer hears that it is to be looked at again. */
export const notifySentBack = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_sent_back', reviewer(ids));

/** P6: the employee and the reviewer hear what was decided. */
export const notifyApproved = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_approved', together(subject(ids), reviewer(ids)));

/** P8: the reviewer hears that there is nothing left to do. */
export const notifyCancelled = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_cancelled', reviewer(ids), { often: true });

/** P9, M4, M5: the former reviewers and the present one hear of it. */
export async function notifyReviewerChanged(
  telling: Telling,
  changes: readonly { id: number; former_id: number | null }[],
): Promise<void> {
  const former = sql`
    select t.id as review_id, r.user_id, 'former' as variant
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as t (id bigint, former_id bigint)
    join employees r on r.id = t.former_id`;
  const ids = changes.map(({ id }) => id);
  await tell(telling, 'probation_reviewer_changed', together(reviewer(ids), former), { often: true });
}

/** P10: the employee, the reviewer and HR hear until when the probation goes on. */
export const notifyReverted = (telling: Telling, ids: Ids) =>
  tell(telling, 'probation_review_reverted', together(subject(ids), reviewer(ids), organisers(ids)), {
    day: sql`p.probation_end_date`,
  });
