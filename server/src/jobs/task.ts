import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Deps } from '../http/context.ts';

/** What a job works with. `now` is the database's clock, or whatever moment a test says it is. */
export type JobContext = { deps: Deps; now: Temporal.Instant };

/** Work that another part of the service, or the clock, asked for; `payload` is checked by the task itself. */
export type Task = (ctx: JobContext, payload: unknown) => Promise<unknown>;

/** A task the clock starts; `at` is a cron pattern in UTC. */
export type TimedTask = { name: string; at: string; run: (ctx: JobContext) => Promise<unknown> };

export async function databaseNow(db: Kysely<DB>): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db);
  return Temporal.Instant.from((rows[0] as { now: string }).now);
}

const jobLimits = sql`select set_config('statement_timeout', '60s', true), set_config('lock_timeout', '5s', true),
                             set_config('idle_in_transaction_session_timeout', '60s', true)`;

/** A transaction with the time limits of a job instead of those of a request. */
export const inJob = <T>(db: Kysely<DB>, work: (db: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await jobLimits.execute(trx);
    return work(trx);
  });

/** Repeats a bounded piece of work until a round finds less than a full batch. Returns how many rows it was in all. */
export async function inBatches(size: number, round: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await round();
    total += count;
    if (count < size) return total;
  }
}
