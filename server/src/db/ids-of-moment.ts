import { sql } from 'kysely';
import type { ControlledTransaction, Kysely, RawBuilder } from 'kysely';
import type { Db } from './connect.ts';
import { rollBack } from './roll-back.ts';
import type { DB } from './schema.ts';

/** Ids of one moment in their order: how many there are, the first of them, and the others once they are read. */
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
 * Reads the ids of a query that ends with an order. With a `count` that costs little, the first ids are there at once and
 * the others follow from the same snapshot. Its connection is free as soon as the database has read them, however slowly
 * they are used.
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
    // the reader may have gone by then
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
