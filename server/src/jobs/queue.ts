import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';

/** The schema of the queue; its migrations fix the name. */
const queueSchema = 'graphile_worker';

export type JobSpec = {
  /** Jobs of one queue run one after the other. */
  queue?: string;
  /** A pending job of the same key is replaced, so that it runs once. */
  key?: string;
  runAt?: Temporal.Instant;
  maxAttempts?: number;
};

/** Adds a job in the caller's transaction; it runs only after the commit. */
export async function addJob(
  db: Db,
  name: string,
  payload: Readonly<Record<string, unknown>> = {},
  spec: JobSpec = {},
): Promise<void> {
  await sql`select ${sql.id(queueSchema, 'add_job')}(
    ${name}::text, payload => ${JSON.stringify(payload)}::json, queue_name => ${spec.queue ?? null}::text,
    run_at => coalesce(${spec.runAt?.toString() ?? null}::timestamptz, now()),
    max_attempts => ${spec.maxAttempts ?? 25}::int, job_key => ${spec.key ?? null}::text)`.execute(db);
}

/** SQL that is true when a job of this key runs or will run; false when all its attempts failed. */
export const isUnderWay = (key: RawBuilder<string>) => sql<boolean>`exists (
  select from ${sql.id(queueSchema, '_private_jobs')} j
  where j.key = ${key} and (j.attempts < j.max_attempts or j.locked_at is not null))`;
