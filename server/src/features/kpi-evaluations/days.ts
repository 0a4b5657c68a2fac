import { sql } from 'kysely';
import * as z from 'zod';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import type { Days } from '../../scores/proration.ts';
import { scoreOf } from './answers.ts';
import { factTables } from './capacities.ts';
import { selfScoreOf } from './figures.ts';
import { recordMoves } from './history.ts';
import { itemsOfEvaluation, recordColumns } from './step.ts';
import type { EvaluationRecord, ItemRecord } from './step.ts';
import { storeAnswers } from './steps/draft.ts';

/** Targets depend on the person's days in the cycle until the review is submitted. */

const Payload = z.object({ employee_id: z.int() });
type Outdated = EvaluationRecord & { days_now: number };

/** Items whose scores follow from the targets prorated by these days. */
export const rescored = (items: readonly ItemRecord[], row: Days & { met_is_top: boolean }): ItemRecord[] =>
  items.map((item) =>
    item.prorate
      ? {
          ...item,
          self_score: scoreOf(item, item.self_actual_value, row),
          manager_score: scoreOf(item, item.manager_actual_value, row),
        }
      : item,
  );

/** Locks the evaluations of a person whose stored days differ from the record. */
async function outdatedOf(db: Db, employeeId: number): Promise<Outdated[]> {
  const { rows } = await sql<Outdated>`
    select ${allColumns('kpi_evaluations', 'v')}, ${recordColumns}, kpi_employed_days(v.cycle_id, v.employee_id, v.covers_from, v.covers_until) as days_now
    from ${factTables}
    where v.employee_id = ${employeeId} and v.status in ('self_assessment', 'manager_review') and c.status = 'published'
      and v.employed_days <> kpi_employed_days(v.cycle_id, v.employee_id, v.covers_from, v.covers_until)
    order by v.id for update of v`.execute(db);
  return rows;
}

async function settle(db: Db, row: Outdated): Promise<void> {
  const now = { ...row, employed_days: row.days_now };
  const stored = await itemsOfEvaluation(db, row.id);
  const items = rescored(stored, now);
  await storeAnswers(db, 'self', stored, items);
  await storeAnswers(db, 'manager', stored, items);
  const self_overall_score = row.self_submitted_at === null ? row.self_overall_score : selfScoreOf(now, items);
  await db
    .updateTable('kpi_evaluations')
    .set({ employed_days: row.days_now, self_overall_score })
    .where('id', '=', row.id)
    .execute();
  const changes = { employed_days: { from: row.employed_days, to: row.days_now } };
  await recordMoves({ db, actor: null }, 'days-changed', [{ ...row, from: row.status, to: row.status, changes }]);
}

/** Recomputes targets and scores of a person whose stored days differ from the record. */
export async function settleDaysOf(db: Db, employeeId: number): Promise<void> {
  for (const row of await outdatedOf(db, employeeId)) await settle(db, row);
}

/**
 * Recomputes targets and scores after a person's joining date or last working day changed. A trigger adds the job in
 * the transaction of the change.
 */
export async function settleKpiDays({ deps }: JobContext, payload: unknown): Promise<void> {
  const { employee_id } = Payload.parse(payload);
  await inJobTransaction(deps.db, (db) => settleDaysOf(db, employee_id));
}
