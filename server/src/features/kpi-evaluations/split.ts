import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import { settleDaysOf } from './days.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';

/**
 * Ends the evaluation's part of the cycle on this day and recomputes prorated targets and their scores. Another
 * evaluation starts on the next day.
 */
export async function endPart(acting: Acting, id: number, until: string, reason: string): Promise<void> {
  const { rows } = await sql<Moved>`
    update kpi_evaluations v
    set part = 1, covers_until = ${until}, moved_since = null,
        cycle_days = coalesce(v.cycle_days, c.end_date - c.start_date + 1),
        employed_days = coalesce(v.employed_days, kpi_employed_days(v.cycle_id, v.employee_id, null, ${until}::date))
    from employees p, kpi_cycles c
    where v.id = ${id} and p.id = v.employee_id and c.id = v.cycle_id
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, v.status as "from", v.status as "to", v.round,
              c.name as cycle_name`.execute(acting.db);
  const changes = { covers_until: { from: null, to: until } };
  await recordMoves(
    acting,
    'split',
    rows.map((row) => ({ ...row, changes })),
    reason,
  );
  for (const { employee_id } of rows) await settleDaysOf(acting.db, employee_id);
}
