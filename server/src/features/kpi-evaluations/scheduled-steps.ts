import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isAway } from '../../access/absences.ts';
import type { Db } from '../../db/connect.ts';
import { inBatches, inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { ownReason } from '../../languages/answer.ts';
import { moveEvaluations, skipMany, withoutSignIn } from './bulk-transitions.ts';
import { notifyLapsed } from './notify.ts';
import { recordMoves } from './history.ts';

/** Steps that the scheduler takes if the cycle allows it, after midnight in the company, including missed days. */

const batch = 500;
const over = ownReason('reasons.time_is_over');

/**
 * Ids of evaluations of published cycles whose person is not absent; locks them, except those another process locks.
 */
async function due(db: Db, { now }: JobContext, condition: (today: RawBuilder<unknown>) => RawBuilder<SqlBool>) {
  const today = sql`(${now.toString()}::timestamptz at time zone n.timezone)::date`;
  const { rows } = await sql<{ id: number }>`
    select v.id from kpi_evaluations v
    join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
    join entities n on n.id = v.entity_id
    where ${condition(today)} and not ${isAway(sql`v.employee_id`, sql`${now.toString()}::timestamptz`)}
    order by v.id limit ${batch} for update of v skip locked`.execute(db);
  return rows.map(({ id }) => id);
}

type Which = (today: RawBuilder<unknown>) => RawBuilder<SqlBool>;

const skipAll = (ctx: JobContext, which: Which, reason: string): Promise<number> =>
  inBatches(batch, () =>
    inJobTransaction(ctx.deps.db, async (db) => {
      const ids = await due(db, ctx, which);
      await skipMany({ db, actor: null }, ids, reason);
      return ids.length;
    }),
  );

/** E6: skips the self-assessments of people without a sign-in, and overdue ones unless an extension was requested. */
export async function skipSelfAssessments(ctx: JobContext): Promise<number> {
  const none = await skipAll(ctx, () => sql`v.status = 'self_assessment' and not v.person_signs_in`, withoutSignIn);
  const late = await skipAll(
    ctx,
    (today) => sql`
      v.status = 'self_assessment' and c.auto_skip_self and c.self_assessment_closes_on < ${today}
      and v.extension_status is distinct from 'pending'
      and (v.stage_open_until is null or v.stage_open_until < ${today})`,
    over,
  );
  return none + late;
}

/** The number of reminders that the subject got since the result was released. */
const reminders = sql`(
  select count(*) from notifications r join employees p on p.user_id = r.user_id and p.id = v.employee_id
  where r.event = 'kpi_deadline_reminder' and r.subject_id = v.id and r.created_at > v.status_changed_at
    and r.dedupe_key like 'kpi_deadline_reminder:' || v.id || ':' || v.round || '-acceptance-%')`;

/** E14: marks results as accepted that got no answer in time, despite two reminders. */
export const acceptLapsedResults = (ctx: JobContext): Promise<number> =>
  inBatches(batch, () =>
    inJobTransaction(ctx.deps.db, async (db) => {
      const acting = { db, actor: null };
      const ids = await due(
        db,
        ctx,
        (today) => sql`
          v.status = 'pending_acceptance' and c.auto_accept and v.acceptance_due_on < ${today} and ${reminders} >= 2`,
      );
      const set = sql`acceptance_mode = 'deemed_job'`;
      const moved = await moveEvaluations(db, { ids, from: ['pending_acceptance'], to: 'accepted', set });
      await recordMoves(acting, 'deem-accepted', moved, over);
      await notifyLapsed(acting, ids);
      return ids.length;
    }),
  );
