import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Moved } from './history.ts';

export type MoveOfMany<One extends Moved> = {
  table: 'kpi_evaluations' | 'probation_reviews';
  /** The records to move, as a condition on the table. */
  which: RawBuilder<SqlBool>;
  from: readonly One['from'][];
  to: One['to'];
  /** What is set together with the state: `v` is the record, `b` its id and previous status. */
  set: RawBuilder<unknown>;
  /** The fields of its history besides person and place. */
  columns: RawBuilder<Omit<One, keyof Moved>>;
};

/** Moves the records that are in one of the states `from`, in one statement, and returns them by id. */
export async function moveMany<One extends Moved>(db: Db, step: MoveOfMany<One>): Promise<One[]> {
  const { table, which, from, to, set, columns } = step;
  const { rows } = await sql<One>`
    with before as materialized (
      select id, status from ${sql.table(table)}
      where ${which} and status = any(${from}::text[]) order by id for update
    )
    update ${sql.table(table)} v set status = ${to}, status_changed_at = now(), ${set}
    from before b, employees p
    where v.id = b.id and p.id = v.employee_id
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, b.status as "from", v.status as "to", v.round,
              ${columns}`.execute(db);
  return rows.toSorted((a, b) => a.id - b.id);
}
