import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { record } from '../../audit.ts';
import type { ProbationMilestone } from '@tenure/contract';
import type { Acting } from '../../audit.ts';
import { sentOf } from '../../db/values.ts';
import { markReviewersMissing } from '../../workflow/missing-reviewers.ts';
import { proposedTo } from './begun-criteria.ts';
import { labelOf } from './history.ts';
import { notifyOpened } from './notify.ts';
import { defaultReviewer } from './reviewers.ts';

/** P1: opens reviews, manually for one person and scheduled for all people whose probation ends. */

export type ToOpen = {
  employee_id: number;
  /** The final review by default. */
  milestone?: ProbationMilestone | undefined;
  /** A person who can review it; by default the reporting manager, else the manager of the department. */
  reviewer_id?: number | null | undefined;
  review_date?: string | null | undefined;
  /** By default a week before the end, but not before today; for an interim review, two weeks from today. */
  due_date?: string | null | undefined;
};

type Opened = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  probation_end_date: string;
  reviewer_id: number | null;
};

/** How many days before the end of the probation a review is due. */
const daysBefore = 7;
/** Days for writing an interim review. */
const daysToWrite = 14;

/** The initial values of a review: the person's current place and probation, and the criteria the company proposes. */
const opening = (wanted: readonly ToOpen[], now: RawBuilder<unknown>) => sql`
  select e.id as employee_id, e.entity_id, e.department_id, e.probation_start_date, e.probation_end_date, chosen.reviewer_id,
         coalesce(latest.sequence, 0) + 1 as sequence,
         case when w.milestone = 'final' and decided.goes_on then decided.id end as previous_review_id, w.review_date,
         coalesce(w.due_date, case when w.milestone = 'final'
           then greatest(e.probation_end_date - ${daysBefore}::int, (${now} at time zone n.timezone)::date)
           else least((${now} at time zone n.timezone)::date + ${daysToWrite}::int, e.probation_end_date) end) as due_date,
         w.milestone,
         case when chosen.reviewer_id is null then now() end as reviewer_missing_since, fold(e.name) as person_sort,
         proposed.criteria, coalesce(not proposed.may_adapt, false) as criteria_fixed
  from jsonb_to_recordset(${JSON.stringify(wanted.map((one) => ({ milestone: 'final', ...sentOf(one) })))}::jsonb)
    as w (employee_id bigint, milestone text, reviewer_id bigint, review_date date, due_date date)
  join employees e on e.id = w.employee_id
  join departments d on d.id = e.department_id
  join entities n on n.id = e.entity_id
  cross join lateral (select coalesce(w.reviewer_id, ${defaultReviewer}) as reviewer_id) as chosen
  left join lateral (${proposedTo(sql`e.entity_id`)}) as proposed on true
  left join lateral (
    select v.sequence from probation_reviews v
    where v.employee_id = e.id order by v.sequence desc limit 1) as latest on true
  left join lateral (
    select v.id, v.status = 'reverted' or v.outcome = 'extend' as goes_on from probation_reviews v
    where v.employee_id = e.id and v.milestone = 'final'
      -- of this probation, not of an earlier one before a rehire
      and v.probation_start_date is not distinct from e.probation_start_date
    order by v.sequence desc limit 1) as decided on true
  where e.employment_lifecycle = 'probationary' and e.activity_status = 'active' and e.deleted_at is null
    and e.probation_end_date is not null and e.probation_paused_from is null
  order by e.id`;

const columns = sql`employee_id, entity_id, department_id, probation_start_date, probation_end_date, reviewer_id, sequence,
  previous_review_id, review_date, due_date, milestone, reviewer_missing_since, person_sort, criteria, criteria_fixed`;

async function insertReviews({ db, actor }: Acting, people: readonly ToOpen[], now: string | null): Promise<Opened[]> {
  const moment = sql`coalesce(${now}::timestamptz, now())`;
  const { rows } = await sql<Opened>`
    with opened as (
      insert into probation_reviews (${columns}) select ${columns} from (${opening(people, moment)}) as o
      on conflict do nothing
      returning id, employee_id, entity_id, probation_end_date, reviewer_id, round
    ), noted as (
      insert into probation_review_activity (review_id, actor_id, actor_name, action, to_status, round)
      select id, ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}, 'create', 'pending', round from opened
    )
    select o.id, o.employee_id, o.entity_id, e.name as person_name, o.probation_end_date, o.reviewer_id
    from opened o join employees e on e.id = o.employee_id order by o.id`.execute(db);
  return rows;
}

/**
 * Opens reviews of people on probation, with history, audit log and notifications, in the caller's transaction. Skips
 * people who already have an open or approved one for this end, or are no longer on probation.
 * @param now the time of a job; the database's clock by default
 * @returns the ids of the opened reviews
 */
export async function openReviews(
  acting: Acting,
  people: readonly ToOpen[],
  now: Temporal.Instant | null = null,
): Promise<number[]> {
  if (people.length === 0) return [];
  const opened = await insertReviews(acting, people, now?.toString() ?? null);
  if (opened.length === 0) return [];
  const ids = opened.map(({ id }) => id);
  await markReviewersMissing(acting.db, 'probation_reviews', ids);
  await record(
    acting,
    ...opened.map(({ id, employee_id, entity_id, reviewer_id, ...named }) => ({
      action: 'probation_review.create' as const,
      subject_id: id,
      subject_label: labelOf(named),
      entity_id,
      about_employee_id: employee_id,
      changes: { status: { from: null, to: 'pending' }, reviewer_id: { from: null, to: reviewer_id } },
    })),
  );
  await notifyOpened(acting, ids);
  return ids;
}
