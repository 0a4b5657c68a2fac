import type { Message } from '../http/errors.ts';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { conflict, notFound } from '../http/errors.ts';

/** Tables whose rows have states, with the column of the state. */
type Stateful = { [T in keyof DB]: DB[T] extends { id: unknown; revision: unknown } ? T : never }[keyof DB];

export type Transition = {
  table: Stateful;
  /** The column that holds the state. */
  column: string;
  id: number;
  /** States that the action may start from. */
  from: readonly string[];
  to: string;
  /** The revision that the caller saw; absent if it does not matter. */
  revision?: number | undefined;
  /** Other columns that change with the state. */
  set?: Readonly<Record<string, unknown>>;
  /** The message if the row is in another state. */
  refusal: (status: string) => Message;
};

const stale = text('general.changed_meanwhile');

async function current(db: Db, { table, column, id }: Transition) {
  const { rows } = await sql<{ status: string; revision: number }>`
    select ${sql.ref(column)} as status, revision from ${sql.table(table)} where id = ${id} for update`.execute(db);
  const row = rows[0];
  if (!row) throw notFound();
  return row;
}

/**
 * Moves a row from one of the states `from` to the state `to`, in one guarded statement: of two simultaneous callers,
 * only one succeeds. The other gets a 422 with the current state and revision.
 * @returns the new revision
 */
export async function transition(db: Db, step: Transition): Promise<number> {
  const assignments = Object.entries({ ...step.set, [step.column]: step.to }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  );
  const { rows } = await sql<{ revision: number }>`
    update ${sql.table(step.table)} set ${sql.join(assignments)}
    where id = ${step.id} and ${sql.ref(step.column)} = any(${step.from}::text[])
      ${step.revision === undefined ? sql`` : sql`and revision = ${step.revision}`}
    returning revision`.execute(db);
  const moved = rows[0];
  if (moved) return moved.revision;
  const now = await current(db, step);
  throw conflict(step.from.includes(now.status) ? stale : step.refusal(now.status), now);
}

/** Refuses a body whose revision differs from the stored one; accepts a body without one. */
export function checkRevision(record: { revision: number }, sent: { revision?: number | undefined }, status: string) {
  if (sent.revision !== undefined && sent.revision !== record.revision)
    throw conflict(stale, { status, revision: record.revision });
}
