import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import * as z from 'zod';
import { deputyOf } from '../../access/absences.ts';
import { addJob } from '../../jobs/queue.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyEach } from '../../notifications/notify.ts';
import type { NotifyContext } from '../../notifications/notify.ts';
import { windowFields } from './rules.ts';
import type { Values } from './rules.ts';
import { endedEvaluations } from '../../workflow/open.ts';

/** A cycle with moved windows; the revision distinguishes the moves. */
const Moved = z.object({ id: z.int(), name: z.string(), revision: z.int() });
type Moved = z.output<typeof Moved>;
const DueRest = z.object({ cycle: Moved, after: z.int(), actor_id: z.int() });

/** A step that opens on another day; null means any day. */
const Opening = z.object({
  step: z.enum(['self_assessment', 'manager_review']),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
type Opening = z.output<typeof Opening>;
const OpeningRest = DueRest.extend({ opening: Opening });

type ActorContext = NotifyContext & { actor: { user_id: number } };

/** Evaluations per batch; a request handles one batch. */
const together = 5_000;

const lastOf = (ids: readonly number[]) => (ids.length < together ? null : Math.max(...ids));

/** The day in the notification, its key within this move, and its variant. */
type WindowNotice = { day: RawBuilder<unknown>; key: RawBuilder<unknown>; variant: RawBuilder<unknown> };

/** The assignee of the step: the deputy while the reviewer is absent; no one while the reviewer cannot act. */
const assignee = sql`case v.status
  when 'self_assessment' then v.employee_id
  when 'manager_review' then
    case when v.reviewer_missing_since is null then coalesce(${deputyOf('v', 'kpi_reviews')}, v.reviewer_id) end end`;

/** Notifies assignees of the new day, once per day for all of their evaluations. */
const notifyActing = (
  context: NotifyContext,
  { id, name, revision }: Moved,
  evaluations: readonly number[],
  notice: WindowNotice,
) =>
  notifyEach(
    context,
    'kpi_cycle_window_changed',
    { type: 'kpi_cycle' },
    sql`
      select user_id, ${id}::bigint as subject_id, ${revision}::int || ':' || key as round,
             case when count(*) = 1 then '/kpi/evaluations/' || min(evaluation_id) else '/kpi/evaluations' end as url,
             jsonb_build_object('cycle', ${name}::text, 'date', day) as params, variant, null::text as copy_to
      from (
        select e.user_id, v.id as evaluation_id, ${notice.day} as day, ${notice.key} as key, ${notice.variant} as variant
        from kpi_evaluations v
        join entities n on n.id = v.entity_id
        join employees e on e.id = ${assignee}
        where v.id = any(${evaluations}::bigint[])) as t
      group by user_id, day, key, variant`,
  );

const due: WindowNotice = { day: sql`v.due_on`, key: sql`v.due_on`, variant: sql`'plain'` };

/** Moves the due days of the next evaluations. Returns the last of them, or null if there are no more. */
async function moveSome(context: NotifyContext, cycle: Moved, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    update kpi_evaluations v set due_on = kpi_due_on(v)
    where v.id = any(array(
      select w.id from kpi_evaluations w
      where w.cycle_id = ${cycle.id} and w.id > ${after} and w.status not in ${endedEvaluations}
        and w.due_on is distinct from kpi_due_on(w)
      order by w.id limit ${together}))
    returning v.id`.execute(context.db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await notifyActing(context, cycle, ids, due);
  return lastOf(ids);
}

/**
 * Moves the due days of a cycle's open evaluations to its windows. A job handles those beyond a request, and
 * evaluations that changed step by the earlier windows meanwhile.
 */
async function moveDueDays(context: ActorContext, cycle: Moved): Promise<void> {
  await moveSome(context, cycle, 0);
  await addJob(context.db, 'move_kpi_due_days', { cycle, after: 0, actor_id: context.actor.user_id });
}

/** The rest of a move; a restart skips evaluations that were already moved. */
export async function moveRemainingDueDays({ deps }: JobContext, payload: unknown): Promise<void> {
  const { cycle, after, actor_id } = DueRest.parse(payload);
  for (let last: number | null = after; last !== null;) {
    const from: number = last;
    last = await inJobTransaction(deps.db, (db) => moveSome({ db, actor: { user_id: actor_id } }, cycle, from));
  }
}

const today = sql`(now() at time zone n.timezone)::date`;

/**
 * Notifies assignees of the next evaluations whose step opens earlier or later than before. Skips extended evaluations,
 * and windows that moved again. Returns the last evaluation, or null if there are no more.
 */
async function notifySome(
  context: NotifyContext,
  cycle: Moved,
  opening: Opening,
  after: number,
): Promise<number | null> {
  const { step, from, to } = opening;
  const first = (day: string | null) => sql`greatest(${day}::date, ${today})`;
  const { rows } = await sql<{ id: number }>`
    select v.id from kpi_evaluations v
    join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
    join entities n on n.id = v.entity_id
    where v.cycle_id = ${cycle.id} and v.id > ${after} and v.status = ${step} and v.stage_open_until is null
      and ${sql.ref(`c.${windowFields[step].opens}`)} is not distinct from ${to}::date and ${first(from)} <> ${first(to)}
    order by v.id limit ${together}`.execute(context.db);
  const ids = rows.map(({ id }) => id);
  const variant = sql`case when ${to}::date > ${today} then 'opens' else 'open' end`;
  if (ids.length > 0)
    await notifyActing(context, cycle, ids, {
      day: sql`${to}::date`,
      key: sql`${step}::text || ':' || ${variant}`,
      variant,
    });
  return lastOf(ids);
}

/** Notifies assignees that a step opens; a job notifies those beyond a request. */
async function notifyOpening(context: ActorContext, cycle: Moved, opening: Opening): Promise<void> {
  const last = await notifySome(context, cycle, opening, 0);
  if (last !== null)
    await addJob(context.db, 'notify_kpi_openings', { cycle, opening, after: last, actor_id: context.actor.user_id });
}

/** The remaining notifications; a restart repeats none. */
export async function notifyRemainingOpenings({ deps }: JobContext, payload: unknown): Promise<void> {
  const { cycle, opening, after, actor_id } = OpeningRest.parse(payload);
  for (let last: number | null = after; last !== null;) {
    const from: number = last;
    last = await inJobTransaction(deps.db, (db) =>
      notifySome({ db, actor: { user_id: actor_id } }, cycle, opening, from),
    );
  }
}

/** Moves the due days of open steps with the windows of a published cycle, and notifies assignees. */
export async function moveWindows(
  context: ActorContext,
  { id, name, revision }: Moved,
  { before, after }: { before: Values; after: Values },
): Promise<void> {
  const cycle = { id, name, revision };
  const steps = Opening.shape.step.options.map((step) => ({ step, ...windowFields[step] }));
  if (steps.some(({ closes }) => before[closes] !== after[closes])) await moveDueDays(context, cycle);
  for (const { step, opens, closes } of steps)
    if (before[opens] !== after[opens] && before[closes] === after[closes])
      await notifyOpening(context, cycle, { step, from: before[opens], to: after[opens] });
}
