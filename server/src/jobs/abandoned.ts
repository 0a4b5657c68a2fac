import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';

/** Milliseconds. A worker without heartbeats for `timeout` is dead; `beat` allows for some lost heartbeats. */
export type Pulse = { beat: number; timeout: number };
const usual: Pulse = { beat: 20_000, timeout: 120_000 };

const locks = ['_private_jobs', '_private_job_queues'].map((name) => sql.id('graphile_worker', name));

/**
 * Releases the jobs, queues and imports of a killed process immediately. Only for the sole process of a database,
 * because the jobs of a live process would run twice.
 */
export async function freeAbandonedJobs(db: Db): Promise<void> {
  for (const table of locks)
    await sql`update ${table} set locked_by = null, locked_at = null where locked_at is not null`.execute(db);
  await sql`update imports set leased_until = now() where status = 'processing' and leased_until > now()`.execute(db);
}

/** Releases the jobs, queues and imports of killed workers, by name; other workers may be alive. */
export async function freeJobsOf(db: Db, workers: readonly string[]): Promise<void> {
  if (workers.length === 0) return;
  const held = sql`j.locked_by = any(${workers}::text[])`;
  await sql`
    update imports set leased_until = now() where status = 'processing' and leased_until > now() and id in (
      select (j.payload->>'id')::int from graphile_worker._private_jobs as j
      join graphile_worker._private_tasks as t on t.id = j.task_id
      where t.identifier = 'run_import' and ${held})`.execute(db);
  await sql`select graphile_worker.force_unlock_workers(${workers}::text[])`.execute(db);
  await sql`delete from job_workers where id = any(${workers}::text[])`.execute(db);
}

/** Releases what dead workers hold; the queue itself would wait four hours. */
async function freeSilent(db: Db, timeout: number): Promise<string[]> {
  const silent = sql`now() - make_interval(secs => ${timeout / 1_000})`;
  const holders = locks.map((table) => sql`select locked_by from ${table} where locked_at < ${silent}`);
  const { rows } = await sql<{ id: string }>`
    select distinct locked_by as id from (${sql.join(holders, sql` union all `)}) as held
    where locked_by is not null and not exists (
      select from job_workers w where w.id = locked_by and w.last_seen_at >= ${silent})`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`select graphile_worker.force_unlock_workers(${ids}::text[])`.execute(db);
  await sql`delete from job_workers where last_seen_at < ${silent}`.execute(db);
  return ids;
}

const signOfLife = (db: Db, id: string) =>
  sql`insert into job_workers (id) values (${id}) on conflict (id) do update set last_seen_at = now()`.execute(db);

export type Heartbeat = { stop: () => Promise<void> };

/** Sends heartbeats for the worker `id` and releases the jobs of workers without any. */
export function startHeartbeat(
  { db, log }: { db: Db; log: Pick<Logger, 'warn'> },
  id: string,
  { beat, timeout }: Pulse = usual,
): Heartbeat {
  const stopping = new AbortController();
  let last = -Infinity;

  async function once() {
    await signOfLife(db, id);
    // after an outage all workers look dead: wait for their heartbeats first
    const wasAway = performance.now() - last > timeout / 2;
    last = performance.now();
    const freed = wasAway ? [] : await freeSilent(db, timeout);
    if (freed.length > 0)
      log.warn({ event: 'worker_lost', workers: freed }, 'a worker sent no heartbeat: other workers take its jobs');
  }

  const beating = (async () => {
    while (!stopping.signal.aborted) {
      // without a database there are no jobs either
      await once().catch(() => undefined);
      await wait(beat, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await beating;
      await sql`delete from job_workers where id = ${id}`.execute(db).catch(() => undefined);
    },
  };
}
