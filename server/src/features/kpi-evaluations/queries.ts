import type { KpiEvaluation, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { readItems } from './items.ts';
import { countedParts, partColumns, personResult, readWhole } from './parts.ts';
import type { CountedPart } from './parts.ts';
import { presentEvaluation } from './present.ts';
import type { ListedEvaluation, StoredEvaluation } from './record.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { nameColumns, nameTables } from '../../workflow/row.ts';
import { factColumns, factTables } from './capacities.ts';
import { sightOf } from './visibility.ts';

/** The tables of the columns below; `v` is the evaluation. */
export const listedTables = sql`${factTables} ${nameTables}`;

/** The name of the band in the cycle, for a completed evaluation. */
const bandName = sql`c.bands -> lower(kpi_band(c.id, v.status, v.overall_percentage)) ->> 'name'`;

// without the texts, which are most of a row and appear in no list
export const listedColumns = sql<ListedEvaluation>`${factColumns}, ${nameColumns}, ${partColumns}, v.employed_days,
  v.job_title, v.template_id, v.template_name, v.template_version, v.scale_min, v.scale_max, v.score_step,
  v.status_changed_at, v.due_on, v.self_overall_score, v.overall_score, v.overall_percentage,
  ${bandName} as band_name, v.overall_achievement_pct, v.suggested_flag, v.performance_flag, v.self_skipped, v.acceptance_mode,
  v.self_submitted_at, v.manager_submitted_at, v.manager_submitted_by_name, v.hr_submitted_at, v.hr_submitted_by,
  v.hr_submitted_by_name, v.responded_at, v.completed_at, v.created_at, v.updated_at, v.flag_reason`;

async function readStored(db: Db, condition: ReturnType<typeof evaluationsIn>): Promise<StoredEvaluation> {
  const { rows } = await sql<StoredEvaluation>`
    select ${allColumns('kpi_evaluations', 'v')}, c.manager_weight_pct, c.self_weight_pct, c.pip_below_pct, c.hipo_from_pct, c.bands,
      ${bandName} as band_name, ${partColumns},
      ${factColumns}, ${nameColumns}
    from ${listedTables} where ${condition}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/**
 * Finds the evaluation of a path.
 * @throws 404 for an evaluation outside the scope of all these permissions
 */
export const findEvaluation = ({ db, actor }: ReadCtx, id: number, permissions: Permission | readonly Permission[]) =>
  readStored(db, sql`v.id = ${id} and ${evaluationsIn(actor, permissions)}`);

/**
 * The person's result in the previous completed cycle, if the actor has it in scope: with all of its parts, if there
 * are any.
 */
async function readPrevious({ db, actor }: ReadCtx, row: StoredEvaluation): Promise<KpiEvaluation['previous']> {
  const { rows } = await sql<{
    id: number;
    cycle_id: number;
    cycle_name: string;
    overall_score: number | null;
    overall_percentage: number | null;
    parts: CountedPart[] | null;
  }>`
    select v.id, c.id as cycle_id, c.name as cycle_name, v.overall_score, v.overall_percentage,
           ${countedParts(actor)} as parts
    from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id
    where v.employee_id = ${row.employee_id} and v.status = 'completed' and v.id <> ${row.id}
      and c.start_date < (select start_date from kpi_cycles where id = ${row.cycle_id})
      and ${evaluationsIn(actor, 'kpi-evaluation.view')}
      and (v.part is null or not exists (
        select from kpi_evaluations x
        where x.cycle_id = v.cycle_id and x.employee_id = v.employee_id and x.status <> 'cancelled'
          and not (x.status = 'completed' and coalesce(${evaluationsIn(actor, 'kpi-evaluation.view', 'x')}, false))))
    order by c.start_date desc, v.id desc limit 1`.execute(db);
  const [last] = rows;
  if (!last) return null;
  const { cycle_id, cycle_name, parts, ...result } = last;
  const cycle = { id: cycle_id, name: cycle_name };
  // the scales of the parts may differ, so only the percentage has a mean
  return parts
    ? { ...result, cycle, overall_score: null, overall_percentage: personResult(parts) }
    : { ...result, cycle };
}

/** A loaded evaluation with its items and figures, with the fields that the actor sees. */
export async function showEvaluation(ctx: ReadCtx, row: StoredEvaluation): Promise<KpiEvaluation> {
  const sight = sightOf(ctx.actor, row);
  const items = await readItems(ctx.db, row.id, sight);
  const [previous, whole] = [await readPrevious(ctx, row), await readWhole(ctx, row)];
  return presentEvaluation(ctx.actor, row, { sight, items, previous, whole });
}

/** The current evaluation with the fields that the actor sees: the response of each change. */
export async function readEvaluation(ctx: ReadCtx, id: number): Promise<KpiEvaluation> {
  return showEvaluation(ctx, await readStored(ctx.db, sql`v.id = ${id}`));
}
