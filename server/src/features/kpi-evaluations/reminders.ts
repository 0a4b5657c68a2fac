import type { remindStages } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { inJob } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyEach } from '../../notifications/notify.ts';
import type { Telling } from '../../notifications/notify.ts';

/** Reminders of what waits for one person: by hand for a whole stage of a cycle, and by the clock. */

type Stage = (typeof remindStages)[number];

const stages = {
  self: { status: 'self_assessment', assignee: sql`v.employee_id`, variant: 'own' },
  manager: { status: 'manager_review', assignee: sql`v.reviewer_id`, variant: 'plain' },
  acceptance: { status: 'pending_acceptance', assignee: sql`v.employee_id`, variant: 'own' },
} as const satisfies Record<Stage, { status: string; assignee: RawBuilder<unknown>; variant: string }>;

/** Reminders go out from then on, where the company is. */
const morning = '08:00';
const batch = 2_000;
const remindersLock = 7_365_047;

/** Held until the end of the transaction: whoever comes second sees what the first one sent. */
const lockReminders = (db: Db) => sql`select pg_advisory_xact_lock(${remindersLock})`.execute(db);

/** True when nobody was reminded of the item since a moment. The key ends with round, stage and day. */
const notRemindedSince = (stage: Stage, moment: RawBuilder<unknown>) => sql<SqlBool>`not exists (
  select from notifications r
  where r.event = 'kpi_deadline_reminder' and r.subject_id = v.id and r.dedupe_key like ${`%-${stage}-%`}
    and r.created_at > ${moment})`;

/** Tells the assignees of one stage; `due` is SQL with the columns evaluation_id and day, one of the keys. */
const tell = (telling: Telling, stage: Stage, due: RawBuilder<unknown>): Promise<number> => {
  const { assignee, variant } = stages[stage];
  return notifyEach(
    telling,
    'kpi_deadline_reminder',
    { type: 'kpi_evaluation' },
    sql`
      select a.user_id, v.id as subject_id, v.round || ${`-${stage}-`} || due.day as round,
             '/kpi/evaluations/' || v.id as url,
             jsonb_build_object('person', p.name, 'cycle', c.name, 'date', v.due_on) as params,
             ${variant}::text as variant, null::text as copy_to
      from (${due}) as due
      join kpi_evaluations v on v.id = due.evaluation_id
      join kpi_cycles c on c.id = v.cycle_id
      join employees p on p.id = v.employee_id
      join employees a on a.id = ${assignee}`,
  );
};

/**
 * C6: reminds everybody in whose hands a stage of a cycle is, unless they were reminded within a day.
 * @param within which evaluations, as a condition on `v`
 * @returns how many were reminded, and how many evaluations wait in this stage
 */
export async function remindOpen(
  telling: Telling,
  { cycle_id, stage, within }: { cycle_id: number; stage: Stage; within: RawBuilder<SqlBool> },
): Promise<{ reminded: number; open: number }> {
  const { db } = telling;
  const { status, assignee } = stages[stage];
  const waiting = sql`
    v.cycle_id = ${cycle_id} and v.status = ${status} and ${assignee} is not null and ${within}`;
  await lockReminders(db);
  const reminded = await tell(
    telling,
    stage,
    sql`select v.id as evaluation_id, (now() at time zone n.timezone)::date as day
        from kpi_evaluations v join entities n on n.id = v.entity_id
        where ${waiting} and ${notRemindedSince(stage, sql`now() - interval '24 hours'`)}`,
  );
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from kpi_evaluations v where ${waiting}`.execute(db);
  return { reminded, open: rows[0]?.open ?? 0 };
}

type Due = { evaluation_id: number; day: string };

/**
 * The last day of reminder that has come: so many days before the item is due as the setting says, the day after, then
 * every week.
 */
const lastDay = (leadDays: readonly number[]) => sql`greatest(
  (select max(v.due_on - lead) from unnest(${leadDays}::int[]) as lead where v.due_on - lead <= n.today),
  case when v.due_on < n.today then v.due_on + 1 + (n.today - v.due_on - 1) / 7 * 7 end)`;

/**
 * Items whose day of reminder has come, after that evaluation. What began on that day or later was told when it began;
 * whoever was reminded on that day is not reminded again, and nobody twice within 24 hours.
 */
async function dueItems(
  db: Db,
  { stage, now, after }: { stage: Stage; now: Temporal.Instant; after: number },
  leadDays: readonly number[],
): Promise<Due[]> {
  const { status, assignee } = stages[stage];
  const moment = sql`${now.toString()}::timestamptz`;
  const { rows } = await sql<Due>`
    with n as materialized (
      select id, timezone, (${moment} at time zone timezone)::date as today from entities
      where (${moment} at time zone timezone)::time >= ${morning}::time)
    select v.id as evaluation_id, day.day
    from kpi_evaluations v
    join n on n.id = v.entity_id
    join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
    join employees a on a.id = ${assignee}
    join reachable_users u on u.user_id = a.user_id
    cross join lateral (select ${lastDay(leadDays)} as day) as day
    where v.status = ${status} and v.id > ${after} and day.day > (v.status_changed_at at time zone n.timezone)::date
      and ${notRemindedSince(stage, sql`least(day.day::timestamp at time zone n.timezone, ${moment} - interval '24 hours')`)}
    order by v.id limit ${batch}`.execute(db);
  return rows;
}

/** The days of the setting; undefined when nobody is to be reminded at all. */
async function leadDaysOf(db: Db): Promise<readonly number[] | undefined> {
  const setting = await db
    .selectFrom('notification_settings')
    .select(['in_app', 'email', 'lead_days'])
    .where('event', '=', 'kpi_deadline_reminder')
    .executeTakeFirst();
  return setting && (setting.in_app || setting.email) ? (setting.lead_days ?? []) : undefined;
}

/**
 * J6: reminds of self-assessments, reviews and results to accept from eight in the morning where the company is. What
 * was missed while nobody worked is made up for once.
 * @returns how many were reminded
 */
export async function remindDue({ deps, now }: JobContext): Promise<number> {
  const leadDays = await leadDaysOf(deps.db);
  if (!leadDays) return 0;
  let reminded = 0;
  for (const stage of Object.keys(stages) as Stage[]) {
    for (let after = 0, found = batch; found === batch;) {
      const due = await inJob(deps.db, async (db) => {
        await lockReminders(db);
        const items = await dueItems(db, { stage, now, after }, leadDays);
        const rows = sql`select * from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
                           as due (evaluation_id bigint, day date)`;
        if (items.length > 0) reminded += await tell({ db, actor: null }, stage, rows);
        return items;
      });
      found = due.length;
      after = due.at(-1)?.evaluation_id ?? after;
    }
  }
  return reminded;
}
