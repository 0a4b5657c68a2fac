import { messages, remindStages, text } from '@tenure/contract';
import type { kpiCycles, Reply } from '@tenure/contract';
import { sql } from 'kysely';
import * as z from 'zod';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { loadRequester } from '../../imports/requester.ts';
import { addJob } from '../../jobs/queue.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { remindOpen, remindSome } from '../kpi-evaluations/reminders.ts';
import type { ReminderScope } from '../kpi-evaluations/reminders.ts';
import { chosenDepartments } from './plan.ts';
import { companiesFor } from './policy.ts';
import type { CycleRecord } from './queries.ts';

type RemindCtx = HandlerCtx<typeof kpiCycles.remind>;

/** The remaining reminders of a job: the companies in scope when the request was made, null for all. */
const Rest = z.object({
  cycle_id: z.int(),
  stage: z.enum(remindStages),
  entity_ids: z.array(z.int()).nullable(),
  department_ids: z.array(z.int()).nullable(),
  after: z.int(),
  actor_id: z.int(),
});
type Scope = Omit<z.output<typeof Rest>, 'after' | 'actor_id'>;

async function refuseDepartments(ctx: RemindCtx, cycleId: number) {
  const named = ctx.body.department_ids;
  if (!named) return;
  const known = await chosenDepartments(ctx, cycleId, named, 'kpi-cycle.update');
  if (named.some((id) => !known.some((department) => department.id === id)))
    throw invalid('department_ids', messages.unavailable);
}

/** The evaluations of these companies in the actor's current scope. */
const reminderScopeOf = (actor: Actor, { cycle_id, stage, entity_ids, department_ids }: Scope): ReminderScope => ({
  cycle_id,
  stage,
  within: every([
    companiesFor(actor, 'kpi-cycle.update', 'v.entity_id'),
    ...oneOfIds(sql`v.entity_id`, entity_ids ?? undefined),
    ...oneOfIds(sql`v.department_id`, department_ids ?? undefined),
  ]),
});

/** Sends reminders up to the limit of a request and leaves the others to a job; they count as sent. */
async function remindAll(ctx: RemindCtx, scope: Scope): Promise<{ reminded: number; open: number }> {
  const { last, ...counts } = await remindOpen(ctx, reminderScopeOf(ctx.actor, scope));
  if (last !== null) await addJob(ctx.db, 'remind_kpi_cycle', { ...scope, after: last, actor_id: ctx.actor.user_id });
  return counts;
}

/** Reminds people with open tasks in the companies of the caller's scope. */
export async function remind(ctx: RemindCtx, cycle: CycleRecord): Promise<Reply<typeof kpiCycles.remind>['data']> {
  const { stage, department_ids } = ctx.body;
  await refuseDepartments(ctx, cycle.id);
  if (cycle.status !== 'published') throw conflict(text('kpi_cycles.only_published_remind'), cycle);
  const { everything, entity_ids } = reachOf(ctx.actor, 'kpi-cycle.update');
  const counts = await remindAll(ctx, {
    cycle_id: cycle.id,
    stage,
    entity_ids: everything ? null : [...entity_ids],
    department_ids: department_ids ?? null,
  });
  await record(ctx, {
    action: 'kpi_cycle.remind',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    changes: {
      stage: { from: null, to: stage },
      reminded: { from: null, to: counts.reminded },
      ...(department_ids && { department_ids: { from: null, to: department_ids } }),
    },
  });
  return counts;
}

/** Reminds the next batch with the sender's current rights. Returns the last evaluation of it. */
async function remindMore(db: Db, { after, actor_id, ...scope }: z.output<typeof Rest>): Promise<number | null> {
  const sender = await loadRequester(db, new Map(), actor_id);
  if (!sender || !holds(sender, 'kpi-cycle.update')) return null;
  const { last } = await remindSome({ db, actor: sender }, reminderScopeOf(sender, scope), after);
  return last;
}

/** Sends the reminders beyond a request. A restart repeats none. */
export async function remindRemaining({ deps }: JobContext, payload: unknown): Promise<void> {
  const rest = Rest.parse(payload);
  for (let last: number | null = rest.after; last !== null;) {
    const after: number = last;
    last = await inJobTransaction(deps.db, (db) => remindMore(db, { ...rest, after }));
  }
}
