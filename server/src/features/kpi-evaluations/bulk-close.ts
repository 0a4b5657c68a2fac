import type { Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { closedCycle } from './guards.ts';
import { judge } from './transitions.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { moveEvaluations } from './bulk-transitions.ts';
import { judgedColumns, judgedTables, capacitiesOf } from './capacities.ts';
import type { JudgedEvaluation } from './capacities.ts';
import { notifyCompleted } from './notify.ts';
import { recordMoves } from './history.ts';
import type { WriteCtx } from '../../http/context.ts';

export type BulkClosed = { closed: number[]; refused: { id: number; reason: Text }[] };

/** Why the actor may not complete an evaluation; undefined when nothing is in the way. */
function refusalFor({ actor }: WriteCtx, row: JudgedEvaluation | undefined): Text | undefined {
  if (!row) return text('general.not_found');
  const verdict = judge('close', row, capacitiesOf(actor, row));
  if (verdict === 'forbidden') return text('general.unauthorized');
  if (row.cycle_status === 'closed') return closedCycle;
  return 'refusal' in verdict ? verdict.refusal : undefined;
}

/** E18 for each of the named evaluations that is ready for it; the others are named with what is in the way. */
export async function closeMany(ctx: WriteCtx, ids: readonly number[]): Promise<BulkClosed> {
  const { rows } = await sql<JudgedEvaluation>`
    select ${judgedColumns} from ${judgedTables}
    where v.id = any(${ids}::bigint[]) and ${evaluationsIn(ctx.actor, 'kpi-evaluation.hr-review')}
    order by v.id for update of v`.execute(ctx.db);
  const found = new Map(rows.map((row) => [row.id, row]));
  const refused = [...new Set(ids)].flatMap((id) => {
    const reason = refusalFor(ctx, found.get(id));
    return reason === undefined ? [] : [{ id, reason }];
  });
  const ready = rows.map(({ id }) => id).filter((id) => !refused.some((one) => one.id === id));
  const set = sql`completed_at = now()`;
  const moved = await moveEvaluations(ctx.db, { ids: ready, from: ['accepted'], to: 'completed', set });
  const closed = moved.map(({ id }) => id);
  await recordMoves(ctx, 'close', moved);
  await notifyCompleted(ctx, closed);
  return { closed, refused };
}
