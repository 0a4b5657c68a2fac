import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { voidAllOf } from './signatures.ts';

export type Resumed = { from: string; back: string; until: string };
type Days = { probation_end_date: string; due_date: string };
type MovedReview = Omit<Moved, 'to' | 'changes'> & { before: Days; after: Days };

/**
 * Moves the open review to the new end, and its due day by the days of the pause, but not to a past day. A draft signed
 * for the former end must be signed again. The caller has locked the person.
 */
export async function moveToNewEnd(acting: Acting, employeeId: number, days: Resumed): Promise<void> {
  const { from, back, until } = days;
  const { rows } = await sql<MovedReview>`
    update probation_reviews v
    set probation_end_date = ${until}::date,
        due_date = greatest(v.due_date + (${back}::date - ${from}::date), (now() at time zone n.timezone)::date)
    from probation_reviews b, entities n, employees p
    where b.id = v.id and n.id = v.entity_id and p.id = v.employee_id and v.employee_id = ${employeeId}
      and v.status in ('pending', 'sent_back')
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, v.status as from, v.round, v.probation_end_date,
      json_build_object('probation_end_date', b.probation_end_date, 'due_date', b.due_date) as before,
      json_build_object('probation_end_date', v.probation_end_date, 'due_date', v.due_date) as after`.execute(
    acting.db,
  );
  await voidAllOf(
    acting,
    rows.map(({ id }) => id),
  );
  const moved = rows.map(({ before, after, ...row }) => ({
    ...row,
    to: row.from,
    changes: {
      probation_end_date: { from: before.probation_end_date, to: after.probation_end_date },
      due_date: { from: before.due_date, to: after.due_date },
    },
  }));
  await recordMoves(acting, 'update', moved);
}
