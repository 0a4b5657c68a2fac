import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import type { KpiEvaluations } from '../../db/schema.ts';
import { stepsOf } from '../../workflow/step.ts';
import type { Move as WorkflowMove } from '../../workflow/step.ts';
import { factColumns, factTables } from './capacities.ts';
import type { EvaluationFacts } from './capacities.ts';
import { recordMoves } from './history.ts';
import { allowStep, refusalOf } from './transitions.ts';

type Settings = {
  acceptance_days: number;
  manager_weight_pct: number;
  self_weight_pct: number;
  pip_below_pct: number;
  hipo_from_pct: number;
};

/** An evaluation as stored, with the values of its cycle and its person that rules and figures need. */
export type EvaluationRecord = Omit<Selectable<KpiEvaluations>, keyof EvaluationFacts> & EvaluationFacts & Settings;

/** An item as stored, with the number of pieces of evidence from its subject. */
export type ItemRecord = {
  id: number;
  evaluation_id: number;
  template_item_id: number;
  description: string | null;
  unit: string | null;
  sort_order: number;
  name: string;
  weight: number;
  evidence_required: boolean;
  evidence: number;
  item_type: 'rating' | 'measured';
  direction: 'higher_better' | 'lower_better' | 'target' | 'boolean' | null;
  target_value: number | null;
  baseline_value: number | null;
  tolerance_pct: number | null;
  cap_pct: number | null;
  prorate: boolean;
  self_not_applicable: boolean;
  self_score: number | null;
  self_comment: string | null;
  self_actual_value: number | null;
  manager_not_applicable: boolean | null;
  manager_score: number | null;
  manager_comment: string | null;
  manager_actual_value: number | null;
  final_score: number | null;
  final_actual_value: number | null;
  final_note: string | null;
};

/** The items of an evaluation in their order. */
export async function itemsOfEvaluation(db: Db, id: number): Promise<ItemRecord[]> {
  const { rows } = await sql<ItemRecord>`
    select ${allColumns('kpi_evaluation_items', 'i')}, (select count(*) from kpi_evidence f
                 where f.item_id = i.id and f.stage = 'self' and f.scan_status is distinct from 'infected') as evidence
    from kpi_evaluation_items i where i.evaluation_id = ${id} order by i.sort_order, i.id`.execute(db);
  return rows;
}

export type Move = WorkflowMove<EvaluationRecord>;

/** An undecided extension request ends with the step. */
const withdrawn = { extension_requested_at: null, extension_reason: null, extension_status: null };

/** The columns that are read besides those of the evaluation. */
export const recordColumns = sql<EvaluationRecord>`c.acceptance_days, c.manager_weight_pct, c.self_weight_pct, c.pip_below_pct,
  c.hipo_from_pct, ${factColumns}`;

export const { stepOf, move } = stepsOf<EvaluationRecord>({
  table: 'kpi_evaluations',
  tables: factTables,
  columns: recordColumns,
  inScope: evaluationsIn,
  transitions: { allowStep, refusalOf },
  recordMoves,
  onStateChange: ({ extension_status }) => ({
    stage_open_until: null,
    ...(extension_status === 'pending' && withdrawn),
  }),
});
