import type { remindStages } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputyOf, isAbsent } from '../../access/absences.ts';
import type { JobContext } from '../../jobs/task.ts';
import type { NotifyContext } from '../../notifications/notify.ts';
import { lockReminders, notRemindedSince, remind, remindOf } from '../../notifications/reminders.ts';
import type { Due, Reminder } from '../../notifications/reminders.ts';
import { cycleInTexts } from './parts.ts';

/** Reminders of the tasks of one person: manual ones for a stage of a cycle, and scheduled ones. */

type Stage = (typeof remindStages)[number];

const stages = {
  self: { status: 'self_assessment', assignee: sql`v.employee_id`, variant: 'own' },
  manager: {
    status: 'manager_review',
    // a reviewer who cannot act is not reminded
    assignee: sql`case when v.reviewer_missing_since is null then coalesce(${deputyOf('v', 'kpi_reviews')}, v.reviewer_id) end`,
    variant: 'plain',
  },
  acceptance: {
    status: 'pending_acceptance',
    // the reviewer records the answer of a person without a sign-in
    assignee: sql`case when v.person_signs_in then v.employee_id
                       when v.reviewer_missing_since is null then v.reviewer_id end`,
    variant: 'own',
  },
} as const satisfies Record<Stage, { status: string; assignee: RawBuilder<unknown>; variant: string }>;

const event = 'kpi_deadline_reminder';

/** The open evaluations in a stage of a published cycle. */
function reminderOf(stage: Stage): Reminder {
  const { status, assignee, variant } = stages[stage];
  return {
    event,
    type: 'kpi_evaluation',
    kind: stage,
    every: 7,
    items: sql`
      select v.id as subject_id, v.entity_id, v.due_on, v.status_changed_at as since, v.round::text as round,
             '/kpi/evaluations/' || v.id as url, ${assignee} as assignee_id,
             v.status = 'pending_acceptance' and not v.person_signs_in as is_recorded,
             jsonb_build_object('person', p.name, 'cycle', ${cycleInTexts}, 'date', v.due_on) as params
      from kpi_evaluations v
      join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
      join employees p on p.id = v.employee_id
      where v.status = ${status}`,
    to: sql`
      select a.user_id, case when i.is_recorded then 'answer' else ${variant}::text end as variant
      from employees a where a.id = i.assignee_id`,
  };
}

/** Which open evaluations get manual reminders. */
export type ReminderScope = {
  cycle_id: number;
  stage: Stage;
  /** A condition on `v`. */
  within: RawBuilder<SqlBool>;
};

/** The maximum number of evaluations in one statement; a request handles no more. */
const together = 5_000;

const waiting = ({ cycle_id, stage, within }: ReminderScope) => sql`
  v.cycle_id = ${cycle_id} and v.status = ${stages[stage].status} and ${stages[stage].assignee} is not null
  and ${within}`;

const notToday = (reminder: Reminder) => notRemindedSince(reminder, sql`v.id`, sql`now() - interval '24 hours'`);

/**
 * Reminds the assignees of the next evaluations, unless they got a reminder within a day.
 * @param after the last processed evaluation
 * @returns how many got a reminder, and the last processed evaluation; null if there are no more
 */
export async function remindSome(
  context: NotifyContext,
  scope: ReminderScope,
  after: number,
): Promise<{ reminded: number; last: number | null }> {
  const { db } = context;
  const reminder = reminderOf(scope.stage);
  await lockReminders(db);
  const { rows } = await sql<Due>`
    select v.id as subject_id, (now() at time zone n.timezone)::date as day
    from kpi_evaluations v join entities n on n.id = v.entity_id
    where ${waiting(scope)} and v.id > ${after} and ${notToday(reminder)}
    order by v.id limit ${together}`.execute(db);
  const reminded = await remindOf(context, reminder, rows);
  return { reminded, last: rows.length < together ? null : (rows.at(-1)?.subject_id ?? null) };
}

/** The number of open evaluations, and of those after the last processed one that still need a reminder. */
async function countOpen(
  { db, actor }: NotifyContext,
  scope: ReminderScope,
  last: number | null,
): Promise<{ open: number; left: number }> {
  const left = sql`
    select count(*) from kpi_evaluations v
    join employees a on a.id = ${stages[scope.stage].assignee}
    join reachable_users u on u.user_id = a.user_id
    where ${waiting(scope)} and not ${isAbsent(sql`a.id`)} and v.id > ${last} and ${notToday(reminderOf(scope.stage))}
      and a.user_id is distinct from ${actor?.user_id ?? null}::bigint`;
  const { rows } = await sql<{ open: number; left: number }>`
    select (select count(*) from kpi_evaluations v where ${waiting(scope)}) as open,
           ${last === null ? sql`0` : sql`(${left})`} as left`.execute(db);
  return rows[0] ?? { open: 0, left: 0 };
}

/**
 * Sends as many reminders as a request handles.
 * @returns how many reminders are sent or left to send, how many evaluations are open, and the last processed one; null
 * if there are no more
 */
export async function remindOpen(
  context: NotifyContext,
  scope: ReminderScope,
): Promise<{ reminded: number; open: number; last: number | null }> {
  const { reminded, last } = await remindSome(context, scope, 0);
  const { open, left } = await countOpen(context, scope, last);
  return { reminded: reminded + left, open, last };
}

/** An evaluation whose step someone can be reminded of now. */
export type Remindable = Due & { stage: Stage };

/** The evaluations with an open step, a person who can be notified, and no reminder within 24 hours. */
export async function remindableOf({ db, actor }: NotifyContext, ids: readonly number[]): Promise<Remindable[]> {
  const parts = (Object.keys(stages) as Stage[]).map(
    (stage) => sql`
      select v.id as subject_id, ${stage}::text as stage, (now() at time zone n.timezone)::date as day
      from kpi_evaluations v
      join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
      join entities n on n.id = v.entity_id
      join employees a on a.id = ${stages[stage].assignee}
      join reachable_users u on u.user_id = a.user_id
      where v.id = any(${ids}::bigint[]) and v.status = ${stages[stage].status} and not ${isAbsent(sql`a.id`)} and ${notToday(reminderOf(stage))}
        and a.user_id is distinct from ${actor?.user_id ?? null}::bigint`,
  );
  const { rows } = await sql<Remindable>`${sql.join(parts, sql` union all `)} order by subject_id`.execute(db);
  return rows;
}

/** Sends reminders of the steps of these evaluations. */
export async function remindThese(context: NotifyContext, due: readonly Remindable[]): Promise<void> {
  for (const stage of Object.keys(stages) as Stage[])
    // oxlint-disable-next-line no-await-in-loop -- one statement for each of three stages
    await remindOf(
      context,
      reminderOf(stage),
      due.filter((one) => one.stage === stage),
    );
}

/**
 * Sends reminders of self-assessments, reviews and results to accept.
 * @returns how many were sent
 */
export async function remindDue(ctx: JobContext): Promise<number> {
  let reminded = 0;
  for (const stage of Object.keys(stages) as Stage[]) reminded += await remind(ctx, reminderOf(stage));
  return reminded;
}
