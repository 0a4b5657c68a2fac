import type { kpiCycleFigures } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts } from '../../db/lists.ts';
import type { FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import { evaluationColumns, exportedEvaluations } from '../kpi-evaluations/export-rows.ts';
import { companiesFor } from './policy.ts';
import type { CycleRecord } from './queries.ts';

type Query = {
  department_id?: readonly number[] | undefined;
  status?: readonly string[] | undefined;
  search?: string | null | undefined;
  sort_direction?: 'asc' | 'desc' | null | undefined;
};
const seen = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${value} end`;

const asked = (actor: Actor, cycleId: number, query: Query) =>
  every([
    sql<boolean>`v.cycle_id = ${cycleId}`,
    companiesFor(actor, 'kpi-cycle.export', 'v.entity_id'),
    ...oneOfIds(sql`v.department_id`, query.department_id),
    ...oneOfTexts(sql`v.status`, query.status),
    ...holdsWords([sql`e.name`, sql`e.employee_number`, seen(visiblePeople(actor), sql`e.email`)], query.search),
  ]);

async function allIds(db: Db, actor: Actor, cycleId: number, query: Query): Promise<number[]> {
  const order = query.sort_direction === 'desc' ? sql`v.person_sort desc, v.id` : sql`v.person_sort, v.id`;
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(v.id order by ${order}), '{}') as ids
    from kpi_evaluations v ${query.search ? sql`join employees e on e.id = v.employee_id` : sql``}
    where ${asked(actor, cycleId, query)}`.execute(db);
  return rows[0]?.ids ?? [];
}

/** Exports the results of a cycle for finance. */
export async function exportResults(
  ctx: HandlerCtx<typeof kpiCycleFigures.export>,
  cycle: CycleRecord,
): Promise<FileReply> {
  const ids = await allIds(ctx.db, ctx.actor, cycle.id, ctx.query);
  return exportFile(ctx, {
    name: 'kpi-results',
    columns: evaluationColumns,
    rows: exportedEvaluations(ctx, ids, (actor) => asked(actor, cycle.id, ctx.query)),
    count: ids.length,
  });
}
