import pg from 'pg';
import { fileColumns } from '../files/references.ts';
import type { PendingJob } from './manifest.ts';
import { Refusal } from './refusal.ts';
import { copySettings } from './tables.ts';

const lockKey = 7_365_042;

/** A snapshot of the database, shared by two connections. */
export type Snapshot = {
  clients: [pg.Client, pg.Client];
  /** Releases the snapshot, which holds back vacuum, but keeps the lock. */
  release: () => Promise<void>;
  close: () => Promise<void>;
};

export async function connectFor(work: string, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `tenure ${work}`, keepAlive: true });
  // a connection that breaks between two statements must not end the process: the next statement reports it
  client.on('error', () => undefined);
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      `The database does not answer (${error.message || error.code}): start it, or check its address.`,
      {
        cause: error,
      },
    );
  });
  return client;
}

export async function withConnection<T>(work: string, url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectFor(work, url);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Only one backup of a database runs at a time. */
async function takeLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [lockKey]);
  if (rows[0]?.locked) return;
  const { rows: holders } = await client.query<{ since: string | null }>(
    `select to_char(a.xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as since
     from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.objid = $1 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  );
  const since = holders[0]?.since;
  throw new Refusal(
    `A backup of this database is running${since ? ` since ${since} UTC` : ''}: wait until it has ended.`,
  );
}

/** Does the work while no backup runs, and blocks backups meanwhile. */
export const withoutBackups = <T>(url: string, work: () => Promise<T>): Promise<T> =>
  withConnection('backup', url, async (client) => {
    await client.query(copySettings);
    await client.query('begin');
    await takeLock(client);
    return work();
  });

export async function openSnapshot(url: string): Promise<Snapshot> {
  const opened: pg.Client[] = [];
  const close = async () => {
    for (const client of opened) await client.end().catch(() => undefined);
  };
  const begin = async (isolation: string) => {
    const client = await connectFor('backup', url);
    opened.push(client);
    await client.query(copySettings);
    await client.query(`begin isolation level ${isolation} read only`);
    return client;
  };
  try {
    // in its own transaction, because poolers do not keep session locks
    await takeLock(await begin('read committed'));
    const first = await begin('repeatable read');
    const { rows } = await first.query<{ name: string }>('select pg_export_snapshot() as name');
    const second = await begin('repeatable read');
    await second.query(`set transaction snapshot ${pg.escapeLiteral(rows[0]?.name ?? '')}`);
    const release = async () => {
      for (const client of [first, second]) await client.query('commit');
    };
    return { clients: [first, second], release, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type Facts = {
  at: string;
  postgres: string;
  lsn: string | null;
  audit_head: string | null;
  migrations: string[];
};

export async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
            current_setting('server_version') as postgres,
            case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as lsn,
            (select position || ':' || encode(hash, 'hex') from audit_chain order by position desc limit 1) as audit_head,
            array(select name from schema_migrations order by name) as migrations`,
  );
  return rows[0] as Facts;
}

/** The queue hides its rows from roles other than its owner. Without this error it would look empty. */
const refuseHidden = (error: Error & { code?: string }): never => {
  if (error.code !== '42501') throw error;
  throw new Refusal(
    `The role of DATABASE_BACKUP_URL cannot read all data (${error.message}): grant it pg_read_all_data and BYPASSRLS.`,
    { cause: error },
  );
};

/** Jobs that are still to run, as calls of `add_job`; the scheduler adds those of timed tasks by itself. */
export async function readJobs(client: pg.Client): Promise<PendingJob[]> {
  await client.query('set local row_security = off');
  const read = client.query<PendingJob>(
    `select t.identifier as task, j.payload, q.queue_name as queue, j.key, j.run_at::text as run_at,
            j.max_attempts::int as max_attempts, j.priority::int as priority
     from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
     where j.attempts < j.max_attempts and j.payload::jsonb -> '_cron' is null
     order by j.id`,
  );
  const { rows } = await read.catch(refuseHidden);
  return rows;
}

/** The keys of all files that rows of the snapshot refer to. */
export async function readFileKeys(client: pg.Client): Promise<string[]> {
  const parts = fileColumns.map(({ of, key }) => `select ${key} as key from ${of} where ${key} is not null`);
  const { rows } = await client.query<{ key: string }>(`select key from (${parts.join(' union ')}) as f order by 1`);
  return rows.map(({ key }) => key);
}
