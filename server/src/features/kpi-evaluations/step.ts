import type { Endpoint, EvaluationStatus, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { KpiEvaluations } from '../../db/schema.ts';
import type { Changes } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { conflict, forbidden, notFound } from '../../http/errors.ts';
import { checkRevision, transition } from '../../workflow/transition.ts';
import { judge, refusalOf } from './transitions.ts';
import type { Rule } from './transitions.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { judgedColumns, judgedTables, capacitiesOf } from './capacities.ts';
import type { JudgedEvaluation, Capacity } from './capacities.ts';
import { recordMoves } from './history.ts';
import type { Snapshot } from './history.ts';

type Settings = {
  acceptance_days: number;
  manager_weight_pct: number;
  self_weight_pct: number;
  pip_below_pct: number;
  hipo_from_pct: number;
};

/** An evaluation as stored, with what the rules and the figures need of its cycle and its person. */
export type EvaluationRecord = Omit<Selectable<KpiEvaluations>, keyof JudgedEvaluation> & JudgedEvaluation & Settings;

/** An item as stored, with how many pieces of evidence its subject gave. */
export type ItemRecord = {
  id: number;
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
  self_not_applicable: boolean;
  self_score: number | null;
  self_comment: string | null;
  self_actual_value: number | null;
  manager_not_applicable: boolean | null;
  manager_score: number | null;
  manager_comment: string | null;
  manager_actual_value: number | null;
  final_score: number | null;
  final_note: string | null;
};

const permissionsOf = ({ permission }: Endpoint) => [permission].flat() as Permission[];

/** The action of an endpoint: the last part of its path, `update` for the evaluation itself. */
export const actionOf = ({ path }: Endpoint) => (path.endsWith(':id') ? 'update' : (path.split('/').at(-1) as string));

type Visiting = { db: Db; actor: Actor; params: { id: number } };

/** Finds the evaluation of a path in the caller's scope and holds it until the end of the request. */
async function findForStep({ db, actor, params }: Visiting, permissions: Permission[]): Promise<EvaluationRecord> {
  const { rows } = await sql<EvaluationRecord>`
    select v.*, c.acceptance_days, c.manager_weight_pct, c.self_weight_pct, c.pip_below_pct, c.hipo_from_pct,
           ${judgedColumns}
    from ${judgedTables} where v.id = ${params.id} and ${evaluationsIn(actor, permissions)}
    for update of v`.execute(db);
  return rows[0] ?? Promise.reject(notFound());
}

/** What every step asks before the body: a visible evaluation, and a caller whom this step is for. */
export function stepOf(endpoint: Endpoint) {
  const [permissions, action] = [permissionsOf(endpoint), actionOf(endpoint)];
  return {
    find: (ctx: Visiting) => findForStep(ctx, permissions),
    allow: ({ actor }: Visiting, row: EvaluationRecord) => {
      if (judge(action, row, capacitiesOf(actor, row)) === 'forbidden') throw forbidden();
    },
  };
}

/** The rule by which the actor goes on and how the actor stands; 422 when state, window or revision are against it. */
export function requireStep(
  actor: Actor,
  row: EvaluationRecord,
  action: string,
  sent: { revision?: number | undefined },
): { rule: Rule; capacity: Capacity } {
  const verdict = judge(action, row, capacitiesOf(actor, row));
  if (verdict === 'forbidden') throw forbidden();
  checkRevision(row, sent, row.status);
  if ('refusal' in verdict) throw conflict(verdict.refusal, row);
  return verdict;
}

/** The items of an evaluation in their order. */
export async function itemsOfEvaluation(db: Db, id: number): Promise<ItemRecord[]> {
  const { rows } = await sql<ItemRecord>`
    select i.*, (select count(*) from kpi_evidence f
                 where f.item_id = i.id and f.stage = 'self' and f.scan_status is distinct from 'infected') as evidence
    from kpi_evaluation_items i where i.evaluation_id = ${id} order by i.sort_order, i.id`.execute(db);
  return rows;
}

export type Move = {
  action: string;
  /** The state it comes to; the present one when absent. */
  to?: EvaluationStatus;
  set?: Readonly<Record<string, unknown>>;
  reason?: string | null | undefined;
  snapshot?: Snapshot | undefined;
  changes?: Changes;
};

/** A request for more time that nobody decided is over when the step is. */
const withdrawn = { extension_requested_at: null, extension_reason: null, extension_status: null };

function ofStatus({ extension_status }: EvaluationRecord) {
  return {
    status_changed_at: sql`now()`,
    stage_open_until: null,
    ...(extension_status === 'pending' && withdrawn),
  };
}

/** Moves an evaluation in one guarded statement and writes its history. */
export async function move(doing: WriteCtx, row: EvaluationRecord, step: Move): Promise<void> {
  const { action, to = row.status, set = {}, reason, snapshot, changes } = step;
  await transition(doing.db, {
    table: 'kpi_evaluations',
    column: 'status',
    id: row.id,
    from: [row.status],
    to,
    revision: row.revision,
    set: { ...(to !== row.status && ofStatus(row)), ...set },
    refusal: refusalOf,
  });
  const round = typeof set['round'] === 'number' ? set['round'] : row.round;
  const moved = { ...row, from: row.status, to, round, snapshot, changes };
  await recordMoves(doing, action, [moved], reason ?? null);
}
