import { sql } from 'kysely';
import * as z from 'zod';
import { addJob } from '../../jobs/queue.ts';
import { inJob } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyEach } from '../../notifications/notify.ts';
import type { Telling } from '../../notifications/notify.ts';

/** A cycle whose windows moved; the revision tells one move from the next. */
const Moved = z.object({ id: z.int(), name: z.string(), revision: z.int() });
type Moved = z.output<typeof Moved>;
const Rest = z.object({ cycle: Moved, after: z.int(), actor_id: z.int() });

/** So many evaluations are moved at once; a request moves no more than that. */
const together = 5_000;

/** Whoever is to act hears of the new day, once for each day however many evaluations wait for them. */
const tell = (telling: Telling, { id, name, revision }: Moved, moved: readonly number[]) =>
  notifyEach(
    telling,
    'kpi_cycle_window_changed',
    { type: 'kpi_cycle' },
    sql`
      select e.user_id, ${id}::bigint as subject_id, ${revision}::int || ':' || v.due_on as round,
             case when count(*) = 1 then '/kpi/evaluations/' || min(v.id) else '/kpi/evaluations' end as url,
             jsonb_build_object('cycle', ${name}::text, 'date', v.due_on) as params,
             'plain' as variant, null::text as copy_to
      from kpi_evaluations v
      join employees e on e.id = case v.status when 'self_assessment' then v.employee_id
                                               when 'manager_review' then v.reviewer_id end
      where v.id = any(${moved}::bigint[])
      group by e.user_id, v.due_on`,
  );

/** Moves the next evaluations whose day is another by now. @returns the last of them, null when none are left */
async function moveSome(telling: Telling, cycle: Moved, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    update kpi_evaluations v set due_on = kpi_due_on(v)
    where v.id = any(array(
      select w.id from kpi_evaluations w
      where w.cycle_id = ${cycle.id} and w.id > ${after} and w.status not in ('completed', 'cancelled')
        and w.due_on is distinct from kpi_due_on(w)
      order by w.id limit ${together}))
    returning v.id`.execute(telling.db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tell(telling, cycle, ids);
  return ids.length < together ? null : Math.max(...ids);
}

/**
 * The open evaluations of a cycle are due when its windows say. A job does what is too much for a request, and looks
 * again at what went from step to step at the same moment, by the windows of before.
 */
export async function moveDueDays(
  telling: Telling & { actor: { user_id: number } },
  { id, name, revision }: Moved,
): Promise<void> {
  const cycle = { id, name, revision };
  await moveSome(telling, cycle, 0);
  await addJob(telling.db, 'move_kpi_due_days', { cycle, after: 0, actor_id: telling.actor.user_id });
}

/** The rest of a move; what was moved before it was cut off is not moved, and nobody told, again. */
export async function moveRemainingDueDays({ deps }: JobContext, payload: unknown): Promise<void> {
  const { cycle, after, actor_id } = Rest.parse(payload);
  for (let last: number | null = after; last !== null;) {
    const from: number = last;
    last = await inJob(deps.db, (db) => moveSome({ db, actor: { user_id: actor_id } }, cycle, from));
  }
}
