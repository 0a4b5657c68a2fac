import type { kpiEvaluations } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, peopleOfDepartments, placesIn } from '../../access/scope.ts';
import { every } from '../../db/lists.ts';
import type { FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import { evaluationColumns, exportedEvaluations } from './export-rows.ts';
import { evaluationsMatching } from './filters.ts';

/** Evaluations of the companies and departments whose results the actor can export. */
function companies(actor: Actor): RawBuilder<SqlBool>[] {
  const reach = reachOf(actor, 'kpi-cycle.export');
  return reach.everything ? [] : [either([...placesIn(reach, 'v'), ...peopleOfDepartments(reach, 'v')])];
}

/** The evaluations of a list as a file, with the figures that the actor sees. */
export async function exportEvaluations(ctx: HandlerCtx<typeof kpiEvaluations.export>): Promise<FileReply> {
  const { db, actor, query } = ctx;
  const wantedBy = async (reader: Actor) => {
    const { asked } = await evaluationsMatching(db, reader, query);
    return every([asked, ...companies(reader)]);
  };
  const wanted = await wantedBy(actor);
  const order = query.sort_direction === 'desc' ? sql`v.person_sort desc, v.id` : sql`v.person_sort, v.id`;
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(v.id order by ${order}), '{}') as ids from kpi_evaluations v where ${wanted}`.execute(db);
  const ids = rows[0]?.ids ?? [];
  return exportFile(ctx, {
    name: 'kpi-evaluations',
    columns: evaluationColumns,
    rows: exportedEvaluations(ctx, ids, wantedBy),
    count: ids.length,
  });
}
