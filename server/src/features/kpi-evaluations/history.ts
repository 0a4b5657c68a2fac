import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Acting, Changes } from '../../audit.ts';

/** A result that is given up, as the history keeps it. */
export type Snapshot = {
  self_overall_score: number | null;
  overall_score: number | null;
  overall_percentage: number | null;
  suggested_flag: string | null;
  performance_flag: string | null;
  items: { id: number; name: string; final_score: number | null; manager_score: number | null }[];
};

/** One evaluation that went through a transition. */
export type Moved = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  cycle_name: string;
  from: EvaluationStatus;
  to: EvaluationStatus;
  /** The round that holds now. */
  round: number;
  snapshot?: Snapshot | undefined;
  /** What changed beside the state. */
  changes?: Changes | undefined;
};

async function writeActivity({ db, actor }: Acting, action: string, moved: readonly Moved[], reason: string | null) {
  const rows = moved.map(({ id, from, to, round, snapshot }) => ({ id, from, to, round, snapshot: snapshot ?? null }));
  await sql`
    insert into kpi_evaluation_activity (evaluation_id, actor_id, actor_name, action, from_status, to_status, reason,
                                         round, snapshot)
    select id, ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}, ${action}, "from", "to", ${reason}::text,
           round, nullif(snapshot, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id bigint, "from" text, "to" text, round integer, snapshot jsonb)`.execute(db);
}

/** Writes the history and the audit log of what happened to evaluations, in the transaction in which it happened. */
export async function recordMoves(
  acting: Acting,
  action: string,
  moved: readonly Moved[],
  reason: string | null = null,
): Promise<void> {
  if (moved.length === 0) return;
  await writeActivity(acting, action, moved, reason);
  await record(
    acting,
    ...moved.map(({ id, employee_id, entity_id, person_name, cycle_name, from, to, changes }) => ({
      action: `kpi_evaluation.${action}` as const,
      subject_id: id,
      subject_label: `${person_name}, ${cycle_name}`,
      entity_id,
      about_employee_id: employee_id,
      changes: { ...(from !== to && { status: { from, to } }), ...changes },
      reason,
    })),
  );
}
