import { sql } from 'kysely';
import type { ControlledTransaction, Kysely, RawBuilder } from 'kysely';
import type { Db } from './connect.ts';
import { rollBack } from './roll-back.ts';
import type { DB } from './schema.ts';

/** Ids from one snapshot in order: their number, the first ones, and the others once they are read. */
export type IdsOfMoment = { count: number; first: readonly number[]; others: Promise<readonly number[]> };

const many = 1_000;

type Ids = { ids: number[] };

async function readAll(db: Db, ordered: RawBuilder<unknown>): Promise<IdsOfMoment> {
  const { rows } = await sql<Ids>`select array(${ordered}) as ids`.execute(db);
  const first = rows[0]?.ids ?? [];
  return { count: first.length, first, others: Promise.resolve([]) };
}

async function readOthers(transaction: ControlledTransaction<DB>, ordered: RawBuilder<unknown>): Promise<number[]> {
  try {
    const { rows } = await sql<Ids>`select array(${ordered} offset ${sql.lit(many)}) as ids`.execute(transaction);
    return rows[0]?.ids ?? [];
  } finally {
    // it has changed nothing
    await rollBack(transaction);
  }
}

/**
 * Reads the ids of an ordered query. With a cheap `count`, the first ids are available immediately, and the others
 * follow from the same snapshot. The connection is released as soon as the database has read them, however slowly they
 * are consumed.
 */
export async function idsOfMoment(
  db: Kysely<DB>,
  { ordered, count }: { ordered: RawBuilder<unknown>; count: RawBuilder<unknown> | undefined },
): Promise<IdsOfMoment> {
  if (!count) return readAll(db, ordered);
  const transaction = await db.startTransaction().setIsolationLevel('repeatable read').execute();
  try {
    const { rows } = await sql<Ids & { count: number }>`
      select (${count})::int as count, array(${ordered} limit ${sql.lit(many)}) as ids`.execute(transaction);
    const { count: all, ids: first } = rows[0] as Ids & { count: number };
    const others = readOthers(transaction, ordered);
    // the consumer may be gone by then
    others.catch(() => undefined);
    return { count: all, first, others };
  } catch (error) {
    await rollBack(transaction);
    throw error;
  }
}

/** The ids in parts of at most this size. */
export async function* partsOf({ first, others }: IdsOfMoment, size: number): AsyncGenerator<readonly number[]> {
  for (const ids of [first, others]) {
    const found = await ids;
    for (let start = 0; start < found.length; start += size) yield found.slice(start, start + size);
  }
}
