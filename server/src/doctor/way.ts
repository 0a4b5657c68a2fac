import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sentence } from '../backup/refusal.ts';
import { BadSetting } from '../config.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { checkConnections } from '../db/start-check.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';
import { unreachable } from './reach.ts';

/** What lies between service and database: poolers that drop options, statements or notifications; other addresses. */

const milliseconds = 5_000;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: milliseconds,
    query_timeout: milliseconds,
    application_name: 'tenure doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    // a silent server must not hold up the check
    await Promise.race([client.end().catch(() => undefined), sleep(milliseconds, undefined, { ref: false })]);
  }
}

/** Time zone and time limit of connections that are opened as the service does. */
export async function checkOptions(db: Db, { DATABASE_POOLER }: Config): Promise<Finding> {
  try {
    await checkConnections(db, DATABASE_POOLER);
    return ok('options', 'Connections use UTC, and their statements have a time limit');
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    const [what = '', remedy = 'Set DATABASE_POOLER=on'] = error.message.split(/; (?=set |run )/);
    return fail('options', what, `${sentence(remedy)}.`);
  }
}

/**
 * Whether a statement prepared in one transaction exists in the next. Two other transactions occupy server connections
 * in turn, so that a pooler assigns a different one.
 */
const keepsPrepared = (url: string): Promise<boolean> =>
  withClient(url, (before) =>
    withClient(url, (after) =>
      withClient(url, async (tested) => {
        const named = { name: 'tenure_doctor', text: 'select 1' };
        await before.query('begin');
        await tested.query(named);
        await after.query('begin');
        await before.query('commit');
        return tested.query(named).then(
          () => true,
          (error: { code?: string }) => {
            if (error.code === '26000' || error.code === '42P05') return false;
            throw error;
          },
        );
      }),
    ),
  );

/** Prepared statements, where the service uses them. */
export async function checkPrepared(url: string, { DATABASE_PREPARED, DATABASE_POOLER }: Config): Promise<Finding> {
  if (!DATABASE_PREPARED) return ok('prepared', 'The service does not prepare statements (DATABASE_PREPARED)');
  if (await keepsPrepared(url)) return ok('prepared', 'Prepared statements work');
  const what = 'A pooler loses prepared statements after a transaction';
  return DATABASE_POOLER
    ? fail('prepared', what, 'Set DATABASE_PREPARED=off, or max_prepared_statements of PgBouncer 1.21 or newer.')
    : fail('prepared', what, 'Set DATABASE_POOLER=on and DATABASE_DIRECT_URL ("Pooler" in docs/operations.md).');
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

/** A server names its process when a connection starts; a pooler names another one. */
const namedPid = (client: pg.Client) => (client as unknown as { processID: number | null }).processID;

/**
 * How the pooler assigns server connections: per transaction, or as long as a client is connected. Another client takes
 * the one that was used last, so that the next transaction might get a different one.
 */
const poolMode = (url: string): Promise<'none' | 'session' | 'transaction'> =>
  withClient(url, (other) =>
    withClient(url, async (tested) => {
      const first = await pidOf(tested);
      if (namedPid(tested) === first) return 'none';
      await other.query('begin');
      return (await pidOf(other)) === first || (await pidOf(tested)) !== first ? 'transaction' : 'session';
    }),
  );

/** The mode of a pooler between service and database. */
export async function checkPooler(url: string, { DATABASE_POOLER }: Config): Promise<Finding> {
  const mode = await poolMode(url);
  if (mode === 'none') return ok('pooler', 'There is no pooler between service and database');
  if (mode === 'transaction' || !DATABASE_POOLER) return ok('pooler', `There is a pooler in ${mode} mode`);
  return warn(
    'pooler',
    'The pooler is in session mode, so each connection of the service occupies one of the database',
    'Set pool_mode of the pooler to transaction.',
  );
}

const channel = 'tenure_doctor';
const timeout = 3_000;

/** Whether a notification sent through one address arrives at the other. */
const arrives = (from: string, to: string): Promise<boolean> =>
  withClient(to, async (listener) => {
    const heard = new Promise<boolean>((resolve) => listener.on('notification', () => resolve(true)));
    await listener.query(`listen ${channel}`);
    await withClient(from, (sender) => sender.query(`notify ${channel}`));
    return Promise.race([heard, sleep(timeout, false, { ref: false })]);
  });

type Addresses = { appUrl: string; directUrl: string };

/** Notifications for open pages and for jobs. */
export async function checkNotify({ appUrl, directUrl }: Addresses, { DATABASE_DIRECT_URL }: Config): Promise<Finding> {
  if (await arrives(appUrl, directUrl)) return ok('notify', 'Notifications of the database arrive');
  return fail(
    'notify',
    'Notifications of the database do not arrive',
    DATABASE_DIRECT_URL
      ? 'Correct DATABASE_DIRECT_URL: it must lead to the same database, bypassing every pooler.'
      : 'Set DATABASE_POOLER=on and DATABASE_DIRECT_URL ("Pooler" in docs/operations.md).',
  );
}

const identityOf = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ identity: string }>(
      // in seconds, which do not depend on the time zone of the address
      `select extract(epoch from pg_postmaster_start_time()) || ' ' || current_database() as identity`,
    );
    return rows[0]?.identity ?? '';
  });

/** The other addresses of the same database. */
export async function checkOthers(appUrl: string, config: Config): Promise<Finding[]> {
  const names = ['DATABASE_DIRECT_URL', 'DATABASE_MIGRATION_URL', 'DATABASE_BACKUP_URL'] as const;
  const own = await identityOf(appUrl);
  const checked = names.map(async (name): Promise<Finding | undefined> => {
    const url = config[name];
    if (!url) return undefined;
    try {
      if ((await identityOf(url)) === own) return undefined;
      return fail('addresses', `${name} leads to another database than DATABASE_URL`, `Correct ${name}.`);
    } catch (error) {
      const { what, remedy } = unreachable(error, name);
      return fail('addresses', `${name}: ${what}`, remedy);
    }
  });
  const found = (await Promise.all(checked)).filter((finding) => finding !== undefined);
  return found.length > 0 ? found : [ok('addresses', 'All addresses lead to the same database')];
}
