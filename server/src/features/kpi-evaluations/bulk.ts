import { evaluationStatuses, text } from '@tenure/contract';
import type { BodyOut, evaluationBulk, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import type { WriteCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { lockReminders } from '../../notifications/reminders.ts';
import { moveEvaluations } from './bulk-transitions.ts';
import { capacitiesOf, fourEyesOf, judgedColumns, judgedTables } from './capacities.ts';
import type { JudgedEvaluation } from './capacities.ts';
import { closedCycle } from './guards.ts';
import { recordMoves } from './history.ts';
import { notifyCompleted, notifyResult } from './notify.ts';
import { remindableOf, remindThese } from './reminders.ts';
import type { Remindable } from './reminders.ts';
import { aloneReason } from './steps/hr.ts';
import { judge, refusalOf } from './transitions.ts';

/** One step of HR with many evaluations: each is judged by the rules of the single step, the others are named. */

type Body = BodyOut<typeof evaluationBulk.change>;
type Row = JudgedEvaluation & {
  revision: number;
  hr_comment: string | null;
  performance_flag: string | null;
  suggested_flag: string | null;
  flag_reason: string | null;
};

async function readRows({ db, actor }: WriteCtx, { ids, dry_run: isDry }: Body): Promise<Map<number, Row>> {
  const { rows } = await sql<Row>`
    select ${judgedColumns}, v.revision, v.hr_comment, v.performance_flag, v.suggested_flag, v.flag_reason
    from ${judgedTables}
    where v.id = any(${ids}::bigint[]) and ${evaluationsIn(actor, 'kpi-evaluation.hr-review')}
    order by v.id ${isDry ? sql`` : sql`for update of v`}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What is missing for a result: HR comments each review, and says why its flag is not the suggested one. */
function missingFor(row: Row, { hr_comment: comment }: Body): Text | undefined {
  const flag = row.performance_flag ?? row.suggested_flag;
  if ((row.hr_comment ?? comment ?? null) === null) return text('evaluations.hr_comment_needed');
  if (flag === null) return text('evaluations.flag_needed');
  return flag !== row.suggested_flag && row.flag_reason === null ? text('evaluations.flag_reason_needed') : undefined;
}

function stepRefusal({ actor }: WriteCtx, row: Row, action: 'hr-review' | 'close'): Text | undefined {
  const verdict = judge(action, row, capacitiesOf(actor, row));
  if (verdict === 'forbidden' && action === 'hr-review' && fourEyesOf(actor, row) === 'other_hr')
    return text('evaluations.own_review_needs_other_hr');
  if (verdict === 'forbidden') return text('general.unauthorized');
  if (row.cycle_status === 'closed') return closedCycle;
  return 'refusal' in verdict ? verdict.refusal : undefined;
}

const remindedIn: readonly Row['status'][] = ['self_assessment', 'manager_review', 'pending_acceptance'];

function reminderRefusal({ actor }: WriteCtx, row: Row, due: readonly Remindable[]): Text | undefined {
  const isHr = capacitiesOf(actor, row).has('hr');
  if (!isHr || !reachesEntity(reachOf(actor, 'kpi-cycle.update'), row.entity_id)) return text('general.unauthorized');
  if (row.cycle_status === 'closed') return closedCycle;
  if (!remindedIn.includes(row.status)) return refusalOf(row.status);
  return due.some(({ subject_id: id }) => id === row.id) ? undefined : text('evaluations.no_reminder_possible');
}

type Judged = { row: Row | undefined; id: number; refusal: Text | undefined };

function judged(ctx: WriteCtx, body: Body, rows: ReadonlyMap<number, Row>, due: readonly Remindable[]): Judged[] {
  const seen = new Map((body.revisions ?? []).map(({ id, revision }) => [id, revision]));
  return [...new Set(body.ids)].map((id) => {
    const row = rows.get(id);
    if (!row) return { id, row, refusal: text('general.not_found') };
    if ((seen.get(id) ?? row.revision) !== row.revision) return { id, row, refusal: text('general.changed_meanwhile') };
    if (body.kind === 'remind') return { id, row, refusal: reminderRefusal(ctx, row, due) };
    const refusal = stepRefusal(ctx, row, body.kind);
    return { id, row, refusal: refusal ?? (body.kind === 'hr-review' ? missingFor(row, body) : undefined) };
  });
}

/** E11 for many: the scores of the reviewers become final. */
async function releaseMany(ctx: WriteCtx, chosen: readonly Row[], comment: string | null): Promise<void> {
  const ids = chosen.map(({ id }) => id);
  await sql`
    update kpi_evaluation_items
    set final_score = case when manager_not_applicable then null else manager_score end, final_note = null,
        final_actual_value = null
    where evaluation_id = any(${ids}::bigint[])`.execute(ctx.db);
  const moved = await moveEvaluations(ctx.db, {
    ids,
    from: ['hr_review'],
    to: 'pending_acceptance',
    set: sql`hr_comment = coalesce(v.hr_comment, ${comment}),
      performance_flag = coalesce(v.performance_flag, v.suggested_flag),
      acceptance_mode = null, talked_on = null, answer_recorded_by = null, answer_recorded_by_name = null,
      hr_submitted_at = now(), hr_submitted_by = ${ctx.actor.user_id},
      hr_submitted_by_name = ${ctx.actor.name}`,
  });
  const reasons = new Map(chosen.map((row) => [row.id, aloneReason(ctx.actor, row)]));
  for (const [reason, some] of Map.groupBy(moved, ({ id }) => reasons.get(id) ?? null))
    await recordMoves(ctx, 'hr-review', some, reason);
  await notifyResult(
    ctx,
    moved.map(({ id }) => id),
  );
}

/** E18 for many. */
async function completeMany(ctx: WriteCtx, ids: readonly number[]): Promise<void> {
  const set = sql`completed_at = now()`;
  const moved = await moveEvaluations(ctx.db, { ids, from: ['accepted'], to: 'completed', set });
  await recordMoves(ctx, 'close', moved);
  await notifyCompleted(
    ctx,
    moved.map(({ id }) => id),
  );
}

const present = ({ id, row, refusal }: Judged) => ({
  id,
  label: row ? row.person_name : null,
  cycle: row ? row.cycle_name : null,
  status: evaluationStatuses.find((status) => status === row?.status) ?? null,
  revision: row ? row.revision : null,
  outcome: refusal === undefined ? ('changed' as const) : ('refused' as const),
  reason: refusal ?? null,
});

/** Takes the step with each evaluation that is ready for it, or says what would happen. */
export async function changeManyEvaluations(ctx: WriteCtx, body: Body) {
  if (body.kind === 'remind' && !holds(ctx.actor, 'kpi-cycle.update')) throw forbidden();
  const isDry = body.dry_run === true;
  if (body.kind === 'remind' && !isDry) await lockReminders(ctx.db);
  const rows = await readRows(ctx, body);
  const due = body.kind === 'remind' ? await remindableOf(ctx, [...rows.keys()]) : [];
  const all = judged(ctx, body, rows, due);
  const ready = all.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
  if (!isDry && ready.length > 0) {
    if (body.kind === 'hr-review') {
      const chosen = ready.flatMap((id) => rows.get(id) ?? []);
      await releaseMany(ctx, chosen, body.hr_comment ?? null);
    }
    if (body.kind === 'close') await completeMany(ctx, ready);
    if (body.kind === 'remind')
      await remindThese(
        ctx,
        due.filter(({ subject_id: id }) => ready.includes(id)),
      );
  }
  const counts = { total: all.length, changed: ready.length, refused: all.length - ready.length };
  return { kind: body.kind, dry_run: isDry, counts, rows: all.map(present) };
}
