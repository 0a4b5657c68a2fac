import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { ownReasons } from '../../wording.ts';
import { ableReviewers } from '../../people/reviewers.ts';
import { othersIn } from '../../access/evaluation-scope.ts';
import { notifyReviewerChanged } from './notify.ts';
import { eraseDrafts, noDraft } from './steps/reviewer.ts';
import { recordMoves } from './history.ts';
import type { WriteCtx } from '../../http/context.ts';

type Open = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  cycle_name: string;
  status: EvaluationStatus;
  round: number;
  is_unsent: boolean;
  in_scope: boolean;
};

/** Open evaluations that somebody reviews, held until the end of the transaction. */
async function openOf(
  { db, actor }: WriteCtx,
  reviewerId: number,
  only: readonly number[] | undefined,
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select v.id, v.employee_id, v.entity_id, v.status, v.round, v.manager_submitted_at is null as is_unsent,
           p.name as person_name, c.name as cycle_name, ${othersIn(actor, 'employees.deactivate')} as in_scope
    from kpi_evaluations v
    join kpi_cycles c on c.id = v.cycle_id
    join employees p on p.id = v.employee_id
    where v.reviewer_id = ${reviewerId} and v.status not in ('completed', 'cancelled')
      and (${only ?? null}::bigint[] is null or v.id = any(${only ?? null}::bigint[]))
    order by v.id for update of v`.execute(db);
  return rows;
}

/**
 * Gives the open evaluations that somebody reviews to another person, each with its history; both hear of it. What the
 * former reviewer had not handed in is erased.
 * @returns how many; or what the other person cannot take over, and then nothing is changed
 */
export async function reassignEvaluations(
  ctx: WriteCtx,
  { from, to, only }: { from: number; to: number; only?: readonly number[] | undefined },
): Promise<string | number> {
  const { db } = ctx;
  const open = await openOf(ctx, from, only);
  if (open.length === 0) return 0;
  if (open.some(({ in_scope }) => !in_scope)) return 'evaluations outside of your scope';
  if (open.some(({ employee_id }) => employee_id === to)) return 'the evaluation of oneself';
  const { rows: able } = await sql`select 1 from (${ableReviewers}) as able where id = ${to}`.execute(db);
  if (able.length === 0) return 'evaluations without the right to review';
  const unsent = open.filter(({ is_unsent }) => is_unsent).map(({ id }) => id);
  const ids = open.map(({ id }) => id);
  await eraseDrafts(ctx, unsent);
  const taken = { reviewer_id: to, reviewer_missing_since: null };
  for (const set of [
    { ids, set: taken },
    { ids: unsent, set: noDraft },
  ])
    await db
      .updateTable('kpi_evaluations')
      .set(set.set)
      .where('id', '=', sql<number>`any(${set.ids}::bigint[])`)
      .execute();
  const changes = { reviewer_id: { from, to } };
  const moved = open.map(({ status, ...row }) => ({ ...row, from: status, to: status, changes }));
  await recordMoves(ctx, 'reviewer', moved, ownReasons.handedOver);
  await notifyReviewerChanged(
    ctx,
    ids.map((id) => ({ id, former_id: from })),
  );
  return open.length;
}
