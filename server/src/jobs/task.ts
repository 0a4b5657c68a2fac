import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Deps } from '../http/context.ts';

/** The context of a job. `now` is the database's clock, or a moment set by a test. */
export type JobContext = { deps: Deps; now: Temporal.Instant };

/** A task requested by another part of the service or the clock; it validates its `payload` itself. */
export type Task = (ctx: JobContext, payload: unknown) => Promise<unknown>;

/** A timed task; `at` is a cron pattern in UTC. */
export type TimedTask = { name: string; at: string; run: (ctx: JobContext) => Promise<unknown> };

export async function databaseNow(db: Kysely<DB>): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db);
  return Temporal.Instant.from((rows[0] as { now: string }).now);
}

const jobLimits = sql`select set_config('statement_timeout', '60s', true), set_config('lock_timeout', '5s', true),
                             set_config('idle_in_transaction_session_timeout', '60s', true)`;

/** Runs a transaction with the time limits of a job instead of those of a request. */
export const inJobTransaction = <T>(db: Kysely<DB>, work: (db: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await jobLimits.execute(trx);
    return work(trx);
  });

/** Repeats bounded work until a round finds less than a full batch. Returns the total number of rows. */
export async function inBatches(size: number, round: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await round();
    total += count;
    if (count < size) return total;
  }
}
