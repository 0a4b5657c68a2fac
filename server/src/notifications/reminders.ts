import type { NotificationEvent } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isAbsent } from '../access/absences.ts';
import type { Db } from '../db/connect.ts';
import { inJobTransaction } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import { leadDaysOf } from './lead-days.ts';
import { bundled, inBundle } from './bundle.ts';
import { notifyEach } from './notify.ts';
import type { SubjectType, NotifyContext } from './notify.ts';

/**
 * Reminders of open items with a due date. An item is due for a reminder on the lead days of its event, on the day
 * after the due date, and then every few days; at most once within 24 hours.
 */
export type Reminder = {
  event: NotificationEvent;
  type: SubjectType;
  /** The item's current task, as part of the key; a name without `%` and `_`. */
  kind: string;
  /** Days between reminders after the due date. */
  every: number;
  /** SQL of the open items: subject_id, entity_id, due_on, since (the start of the task), round, url and params. */
  items: RawBuilder<unknown>;
  /**
   * SQL for the recipients of an item `i` on the day `due.day`, who may change once it is late: user_id and variant.
   */
  to: RawBuilder<unknown>;
};

/** Reminders start at this local time of the company. */
const morning = '08:00';
const batch = 2_000;
const remindersLock = 7_365_047;

/** Locks reminders until the end of the transaction: a second sender sees the rows of the first. */
export const lockReminders = (db: Db) => sql`select pg_advisory_xact_lock(${remindersLock})`.execute(db);

/** True if the subject had no reminder since a moment. The key ends with round, kind and day. */
export const notRemindedSince = (
  { event, kind }: Pick<Reminder, 'event' | 'kind'>,
  subjectId: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
) => sql<SqlBool>`not exists (
  select from notifications r
  where r.event = ${event} and r.subject_id = ${subjectId} and r.dedupe_key like ${`%-${kind}-%`}
    and r.created_at > ${moment})`;

/** The recipients who are not absent, because no one is reminded during an absence. */
const present = (to: RawBuilder<unknown>, moment: RawBuilder<unknown>) => sql`
  select r.* from (${to}) as r
  where not exists (select from employees p where p.user_id = r.user_id and ${isAbsent(sql`p.id`, moment)})`;

/** An item and the reminder day that has come. */
export type Due = { subject_id: number; day: string };

/** Sends reminders about items now. Returns how many people were notified. */
export async function remindOf(
  context: NotifyContext,
  { event, type, kind, items, to }: Reminder,
  due: readonly Due[],
): Promise<number> {
  if (due.length === 0) return 0;
  const rows = sql`
    select t.user_id, i.subject_id, i.round || ${`-${kind}-`} || due.day as round, i.url, i.params, t.variant,
           null::text as copy_to
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as due (subject_id bigint, day date)
    join (${items}) as i on i.subject_id = due.subject_id
    cross join lateral (${present(to, sql`now()`)}) as t`;
  // each item must be recorded as reminded
  if (context.bundle) await notifyEach(context, event, { type, is_silent: true }, inBundle(rows));
  return notifyEach(context, event, { type }, bundled(rows, context.bundle));
}

/** The last reminder day of an item `i` in a company `n` that has come. */
const lastDay = ({ every }: Reminder, leadDays: readonly number[]) => sql`greatest(
  (select max(i.due_on - lead) from unnest(${leadDays}::int[]) as lead where i.due_on - lead <= n.today),
  case when i.due_on < n.today
       then i.due_on + 1 + (n.today - i.due_on - 1) / ${every}::int * ${every}::int end)`;

type Asked = { now: Temporal.Instant; after: number; leadDays: readonly number[] };

/**
 * Items after that subject whose reminder day has come. Skips items that began on that day or later, items already
 * reminded of for that day, and those reminded of within 24 hours.
 */
async function dueItems(db: Db, reminder: Reminder, { now, after, leadDays }: Asked): Promise<Due[]> {
  const moment = sql`${now.toString()}::timestamptz`;
  const since = sql`least(due.day::timestamp at time zone n.timezone, ${moment} - interval '24 hours')`;
  const { rows } = await sql<Due>`
    with n as materialized (
      select id, timezone, (${moment} at time zone timezone)::date as today from entities
      where (${moment} at time zone timezone)::time >= ${morning}::time)
    select i.subject_id, due.day
    from (${reminder.items}) as i
    join n on n.id = i.entity_id
    cross join lateral (select ${lastDay(reminder, leadDays)} as day) as due
    where i.subject_id > ${after} and due.day > (i.since at time zone n.timezone)::date
      and ${notRemindedSince(reminder, sql`i.subject_id`, since)}
      and exists (select from (${present(reminder.to, moment)}) as t join reachable_users u on u.user_id = t.user_id)
    order by i.subject_id limit ${batch}`.execute(db);
  return rows;
}

/**
 * Sends all due reminders from eight o'clock in each company's local time. Missed days result in a single reminder.
 * Returns how many people were notified.
 */
export async function remind({ deps, now }: JobContext, reminder: Reminder): Promise<number> {
  const leadDays = await leadDaysOf(deps.db, reminder.event);
  if (!leadDays) return 0;
  let notified = 0;
  for (let after = 0, found = batch; found === batch;) {
    const due = await inJobTransaction(deps.db, async (db) => {
      await lockReminders(db);
      const items = await dueItems(db, reminder, { now, after, leadDays });
      notified += await remindOf({ db, actor: null }, reminder, items);
      return items;
    });
    found = due.length;
    after = due.at(-1)?.subject_id ?? after;
  }
  return notified;
}
