import type { ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { WriteCtx } from '../../http/context.ts';
import { ownReasons } from '../../wording.ts';
import { isAble } from './reviewers.ts';
import { othersIn } from '../../access/review-scope.ts';
import { voidOf } from './signatures.ts';
import { notifyReviewerChanged } from './notify.ts';
import { recordMoves } from './history.ts';
import { noDraft } from './steps/hr.ts';

type Open = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  probation_end_date: string;
  status: ProbationStatus;
  round: number;
  in_scope: boolean;
};

/**
 * Open reviews that somebody writes, held until the end of the transaction; not the one about whoever asks, who is not to
 * know of it: that one waits for HR to name another reviewer.
 */
async function openOf(
  { db, actor }: WriteCtx,
  reviewerId: number,
  only: readonly number[] | undefined,
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select v.id, v.employee_id, v.entity_id, v.status, v.round, v.probation_end_date, p.name as person_name,
           ${othersIn(actor, 'employees.deactivate')} as in_scope
    from probation_reviews v join employees p on p.id = v.employee_id
    where v.reviewer_id = ${reviewerId} and v.employee_id is distinct from ${actor.employee_id}::bigint
      and v.status in ('pending', 'submitted', 'sent_back')
      and (${only ?? null}::bigint[] is null or v.id = any(${only ?? null}::bigint[]))
    order by v.id for update of v`.execute(db);
  return rows;
}

/**
 * Gives the open reviews that somebody writes to another person, each with its history; both hear of it. What the former
 * reviewer had not handed in is erased; what was handed in stays as it was signed.
 * @returns how many; or what the other person cannot take over, and then nothing is changed
 */
export async function reassignReviews(
  ctx: WriteCtx,
  { from, to, only }: { from: number; to: number; only?: readonly number[] | undefined },
): Promise<string | number> {
  const { db } = ctx;
  const open = await openOf(ctx, from, only);
  if (open.length === 0) return 0;
  if (open.some(({ in_scope }) => !in_scope)) return 'probation reviews outside of your scope';
  if (open.some(({ employee_id }) => employee_id === to)) return 'the probation review of oneself';
  const { rows: able } = await sql`select from employees e where e.id = ${to} and ${isAble('e')}`.execute(db);
  if (able.length === 0) return 'probation reviews without the right to submit them';
  const ids = open.map(({ id }) => id);
  const unsent = open.filter(({ status }) => status !== 'submitted').map(({ id }) => id);
  const any = (these: readonly number[]) => sql<number>`any(${these}::bigint[])`;
  const taken = { reviewer_id: to, reviewer_missing_since: null };
  await db.updateTable('probation_reviews').set(taken).where('id', '=', any(ids)).execute();
  await db.updateTable('probation_reviews').set(noDraft).where('id', '=', any(unsent)).execute();
  for (const id of unsent) await voidOf(ctx, id);
  const changes = { reviewer_id: { from, to } };
  const moved = open.map(({ status, ...row }) => ({ ...row, from: status, to: status, changes }));
  await recordMoves(ctx, 'reviewer', moved, ownReasons.handedOver);
  await notifyReviewerChanged(
    ctx,
    ids.map((id) => ({ id, former_id: from })),
  );
  return open.length;
}
