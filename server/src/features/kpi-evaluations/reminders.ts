import type { remindStages } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { JobContext } from '../../jobs/task.ts';
import type { Telling } from '../../notifications/notify.ts';
import { lockReminders, notRemindedSince, remind, remindOf } from '../../notifications/reminders.ts';
import type { Reminder } from '../../notifications/reminders.ts';

/** Reminders of what waits for one person: by hand for a whole stage of a cycle, and by the clock. */

type Stage = (typeof remindStages)[number];

const stages = {
  self: { status: 'self_assessment', assignee: sql`v.employee_id`, variant: 'own' },
  manager: { status: 'manager_review', assignee: sql`v.reviewer_id`, variant: 'plain' },
  acceptance: { status: 'pending_acceptance', assignee: sql`v.employee_id`, variant: 'own' },
} as const satisfies Record<Stage, { status: string; assignee: RawBuilder<unknown>; variant: string }>;

/** What waits in a stage of a published cycle. */
function reminderOf(stage: Stage): Reminder {
  const { status, assignee, variant } = stages[stage];
  return {
    tells: 'kpi_deadline_reminder',
    type: 'kpi_evaluation',
    kind: stage,
    every: 7,
    items: sql`
      select v.id as subject_id, v.entity_id, v.due_on, v.status_changed_at as since, v.round::text as round,
             '/kpi/evaluations/' || v.id as url, ${assignee} as assignee_id,
             jsonb_build_object('person', p.name, 'cycle', c.name, 'date', v.due_on) as params
      from kpi_evaluations v
      join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
      join employees p on p.id = v.employee_id
      where v.status = ${status}`,
    to: sql`select a.user_id, ${variant}::text as variant from employees a where a.id = i.assignee_id`,
  };
}

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
  const reminder = reminderOf(stage);
  const waiting = sql`
    v.cycle_id = ${cycle_id} and v.status = ${status} and ${assignee} is not null and ${within}`;
  await lockReminders(db);
  const reminded = await remindOf(
    telling,
    reminder,
    sql`select v.id as subject_id, (now() at time zone n.timezone)::date as day
        from kpi_evaluations v join entities n on n.id = v.entity_id
        where ${waiting} and ${notRemindedSince(reminder, sql`v.id`, sql`now() - interval '24 hours'`)}`,
  );
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from kpi_evaluations v where ${waiting}`.execute(db);
  return { reminded, open: rows[0]?.open ?? 0 };
}

/**
 * J6: reminds of self-assessments, reviews and results to accept.
 * @returns how many were reminded
 */
export async function remindDue(ctx: JobContext): Promise<number> {
  let reminded = 0;
  for (const stage of Object.keys(stages) as Stage[]) reminded += await remind(ctx, reminderOf(stage));
  return reminded;
}
