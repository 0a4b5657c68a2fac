import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { deputyOf, isAbsent } from '../../access/absences.ts';
import type { Db } from '../../db/connect.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { hrOfEach } from '../../notifications/hr-pool.ts';
import { leadDaysOf } from '../../notifications/lead-days.ts';
import { notifyEach } from '../../notifications/notify.ts';
import { decidersOf } from './hr-pool.ts';
import { openReviewStates } from '../../workflow/open.ts';

/** Reminders of undecided probations: to reviewer and HR before the end, to HR every day after it. */

const event = 'probation_ending_reminder';
/** The time of day in the company from which reminders are sent. */
const morning = '08:00';
const batch = 1_000;
const remindersLock = 7_365_049;

type Due = {
  employee_id: number;
  review_id: number | null;
  status: string | null;
  /** The latest reminder day that has come. */
  day: string;
  /** True if the reviewer gets the reminder too. */
  to_reviewer: boolean;
};

/** The latest reminder day that has come: the configured days before the end, and each day after it. */
const lastDay = (leadDays: readonly number[]) => sql`greatest(
  (select max(e.probation_end_date - lead) from unnest(${leadDays}::int[]) as lead
   where e.probation_end_date - lead <= n.today),
  case when e.probation_end_date < n.today then n.today end)`;

/**
 * The next people whose reminder day has come and whose probation is undecided. No one gets two reminders about a
 * person on that day, or within a day; minus ten minutes, because the schedule is not exact to the second. A reviewer
 * who was asked on that day or later counts as notified.
 */
async function duePeople(
  db: Db,
  { now, after }: { now: Temporal.Instant; after: number },
  leadDays: readonly number[],
): Promise<Due[]> {
  const moment = sql`${now.toString()}::timestamptz`;
  const { rows } = await sql<Due>`
    with n as materialized (
      select id, timezone, (${moment} at time zone timezone)::date as today from entities
      where (${moment} at time zone timezone)::time >= ${morning}::time)
    select e.id as employee_id, v.id as review_id, v.status, day.day,
           coalesce(e.probation_end_date >= n.today
             and day.day > (v.status_changed_at at time zone n.timezone)::date, false) as to_reviewer
    from n
    join employees e on e.entity_id = n.id and e.employment_lifecycle = 'probationary' and e.activity_status = 'active'
      and e.deleted_at is null and e.probation_paused_from is null
      and e.probation_end_date <= n.today + ${Math.max(0, ...leadDays)}::int
    left join lateral (
      select v.id, v.status, v.status_changed_at from probation_reviews v
      where v.employee_id = e.id and v.status in ${openReviewStates} and v.milestone = 'final') as v on true
    cross join lateral (select ${lastDay(leadDays)} as day) as day
    where e.id > ${after} and day.day is not null
      and not exists (
        select from probation_reviews x
        where x.employee_id = e.id and x.status = 'approved' and x.milestone = 'final'
          and x.probation_end_date = e.probation_end_date)
      and not exists (
        select from notifications r
        where r.event = ${event} and r.subject_id = e.id
          and r.created_at > least(day.day::timestamp at time zone n.timezone,
                                   ${moment} - interval '23 hours 50 minutes'))
    order by e.id limit ${batch}`.execute(db);
  return rows;
}

const dueWhere = (condition: RawBuilder<unknown>) => sql`
  select e.id as subject_id, e.id as employee_id, e.entity_id, e.department_id, v.id, v.reviewer_id
  from due join employees e on e.id = due.employee_id left join probation_reviews v on v.id = due.review_id
  where ${condition}`;

/** HR for the next step: the deciders of a submitted review, otherwise those who open reviews and find reviewers. */
const deciders = decidersOf(dueWhere(sql`due.status = 'submitted'`));
const organisers = hrOfEach('probation-review.create', dueWhere(sql`due.status is distinct from 'submitted'`));

/** To the reviewer or, during an absence, the deputy. Absent people get no reminders. */
const remind = (db: Db, people: readonly Due[], now: Temporal.Instant): Promise<number> =>
  notifyEach(
    { db, actor: null },
    event,
    { type: 'employee' },
    sql`
      with due as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
          as d (employee_id bigint, review_id bigint, status text, day date, to_reviewer boolean)
      ), told as (
        select h.subject_id as employee_id, h.user_id from (${deciders}) as h
        union
        select h.subject_id, h.user_id from (${organisers}) as h
        union
        select due.employee_id, r.user_id from due
        join probation_reviews v on v.id = due.review_id and due.to_reviewer and due.status <> 'submitted'
        join employees r on r.id = coalesce(${deputyOf('v', 'probation_reviews')}, v.reviewer_id)
          and v.reviewer_missing_since is null
      )
      select told.user_id, e.id as subject_id, e.probation_end_date || '-' || due.day as round,
             coalesce('/probation/' || due.review_id, '/employees/' || e.id) as url,
             jsonb_build_object('person', e.name, 'date', e.probation_end_date) as params,
             'plain' as variant, null::text as copy_to
      from told
      join due on due.employee_id = told.employee_id
      join employees e on e.id = told.employee_id
      where not exists (select from employees p
                        where p.user_id = told.user_id and ${isAbsent(sql`p.id`, sql`${now.toString()}::timestamptz`)})`,
  );

/**
 * Sends reminders of ending probations from eight in the morning in the company. Reminders missed while no job ran are
 * sent once.
 * @returns how many reminders were sent
 */
export async function remindOfEndings({ deps, now }: JobContext): Promise<number> {
  const leadDays = await leadDaysOf(deps.db, event);
  if (!leadDays) return 0;
  let reminded = 0;
  for (let after = 0, found = batch; found === batch;) {
    const due = await inJobTransaction(deps.db, async (db) => {
      // locked until the end of the transaction, so that a second process sees what the first one sent
      await sql`select pg_advisory_xact_lock(${remindersLock})`.execute(db);
      const people = await duePeople(db, { now, after }, leadDays);
      if (people.length > 0) reminded += await remind(db, people, now);
      return people;
    });
    found = due.length;
    after = due.at(-1)?.employee_id ?? after;
  }
  return reminded;
}
