import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { BadSetting, externalAddresses } from './config.ts';
import type { Config } from './config.ts';
import { startHashPool } from './crypto/hash-pool.ts';
import { keyRing, parseKey } from './crypto/keys.ts';
import { connect } from './db/connect.ts';
import { loadOrCreateKey } from './db/data-dir.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { checkConnections } from './db/start-check.ts';
import { watchDatabase } from './db/watch.ts';
import { createFirstAdmin } from './features/sessions/first-admin.ts';
import type { FirstAdmin } from './features/sessions/first-admin.ts';
import { forgetUsedFirstPassword } from './features/sessions/first-password.ts';
import { guardDisk } from './files/disk-guard.ts';
import { openStore } from './files/store.ts';
import type { Deps } from './http/context.ts';
import { openSessionCookies } from './http/session-cookies.ts';
import { openMetrics } from './http/metrics.ts';
import { listenForOperators } from './http/operators.ts';
import { freeAbandonedJobs } from './jobs/abandoned.ts';
import { startWorker } from './jobs/worker.ts';
import type { RunningWorker } from './jobs/worker.ts';
import { logTo } from './logging.ts';
import { openMailer } from './mail/mailer.ts';
import { openLive } from './notifications/live.ts';

export type Database = {
  appUrl: string;
  ownerUrl: string;
  /** Past a pooler, for what needs a connection of its own; `appUrl` where there is none. */
  directUrl: string;
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

export type Service = {
  app: FastifyInstance;
  deps: Deps;
  database: Database;
  /** Where it listens, as a browser reaches it. */
  address: string;
  firstAdmin: FirstAdmin | undefined;
  /** Is no longer ready and serves on for SHUTDOWN_DELAY_SECONDS, before `stop`. */
  leave: () => Promise<void>;
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

type Opened = { deps: Deps; stopping: AbortController; close: () => Promise<void> };

const megabyte = 1_024 * 1_024;
const drainMilliseconds = 10_000;

async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const external = externalAddresses(config);
  if (external) return { ...external, stop: async () => undefined };
  const embedded = await startEmbedded({ dataDir: config.DATA_DIR, log });
  return { ...embedded, directUrl: embedded.appUrl };
}

async function loadKeys(config: Config, log: Logger) {
  const previous = config.APP_PREVIOUS_KEYS.map(parseKey);
  if (config.APP_KEY) return keyRing(parseKey(config.APP_KEY), previous);
  const { key, replaced } = await loadOrCreateKey(config.DATA_DIR);
  if (replaced) log.warn({ event: 'key_replaced' }, 'the key file was gone: everybody has to sign in again');
  return keyRing(parseKey(key), previous);
}

const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

/** The application role beside a role for migrations gets its rights there; one role alone has them already. */
const appRole = ({ appUrl, ownerUrl }: Database) =>
  appUrl === ownerUrl || roleOf(appUrl) === roleOf(ownerUrl) ? undefined : roleOf(appUrl);

/** What production never runs on: a role that could switch every guard off, and people that were made up. */
async function refuseUnsafeDatabase({ db, config }: Pick<Deps, 'db' | 'config'>) {
  if (!config.production) return;
  const { is_demo } = await db.selectFrom('installation').select('is_demo').executeTakeFirstOrThrow();
  if (is_demo) throw new BadSetting('DATA_DIR: holds demo data, which production must not serve');
  const { rows } = await sql<{ rolsuper: boolean }>`select rolsuper from pg_roles where rolname = current_user`.execute(
    db,
  );
  if (rows[0]?.rolsuper) throw new BadSetting('DATABASE_URL: the application must not be a database superuser');
}

async function openDeps(config: Config, log: Logger, database: Database): Promise<Opened> {
  const ring = await loadKeys(config, log);
  const watch = watchDatabase({ url: database.appUrl, log });
  const { db, pool } = connect({
    url: database.appUrl,
    max: config.DATABASE_POOL_SIZE,
    prepared: config.DATABASE_PREPARED,
    pooler: config.DATABASE_POOLER,
    planOnce: true,
    onError: watch.failed,
  });
  const hashing = startHashPool({ cost: config.BCRYPT_COST });
  const files = await openStore(join(config.DATA_DIR, 'files'));
  const stopping = new AbortController();
  const deps: Deps = {
    config,
    db,
    pool,
    ring,
    sessionCookies: openSessionCookies(config, ring),
    rights: new Map(),
    hashing,
    files,
    disk: guardDisk({ files, reserve: config.DISK_RESERVE_MB * megabyte, log }),
    mailer: openMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    live: openLive({ db, url: database.directUrl, config, log }),
    metrics: openMetrics({ pool, hashing, ofProcess: config.METRICS_PORT > 0 }),
    log,
    stopping: stopping.signal,
  };
  const close = async () => {
    watch.stop();
    await hashing.close();
    await db.destroy();
  };
  return { deps, stopping, close };
}

/** Jobs have connections of their own, because they may take a minute where a request may take seconds. */
async function startJobs(deps: Deps, { directUrl }: Database): Promise<RunningWorker> {
  const { db, pool } = connect({
    url: directUrl,
    max: 5,
    prepared: deps.config.DATABASE_PREPARED,
    queryTimeout: 70_000,
  });
  // the embedded database has one process: earlier holders of jobs were killed
  if (!deps.config.DATABASE_URL) await freeAbandonedJobs(db);
  const worker = await startWorker({ ...deps, db, pool });
  return {
    stop: async () => {
      await worker.stop();
      await db.destroy();
    },
  };
}

export const openLog = ({ LOG_LEVEL }: Config): Logger => logTo(LOG_LEVEL);

/** Resolves when the work is done, or after the given time. */
const atMost = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);

/** Takes no new requests and lets the running ones end; those that do not are cut off. */
async function closeListener(app: FastifyInstance) {
  const closing = app.close();
  await atMost(drainMilliseconds, closing);
  app.server.closeAllConnections();
  await closing;
}

/** Starts what the role asks for and returns how it ends: requests first, then jobs. */
async function startRole(app: FastifyInstance, deps: Deps, database: Database) {
  const { config } = deps;
  if (config.ROLE !== 'worker') await app.listen({ port: config.PORT, host: config.HOST });
  const jobs = config.ROLE === 'api' ? undefined : await startJobs(deps, database);
  const operators = config.METRICS_PORT > 0 ? await listenForOperators(deps) : undefined;
  return async () => {
    await closeListener(app);
    // a job that is cut off runs again at the next start
    if (jobs) await atMost(drainMilliseconds, jobs.stop());
    await operators?.close();
  };
}

/** Balancers notice by `/readyz` and send requests elsewhere meanwhile; a worker gets none. */
const leaving =
  ({ config, log }: Deps, stopping: AbortController): Service['leave'] =>
  async () => {
    stopping.abort();
    const seconds = config.ROLE === 'worker' ? 0 : config.SHUTDOWN_DELAY_SECONDS;
    if (seconds === 0) return;
    log.info({ event: 'stopping', seconds }, 'not ready any more, but serving');
    await sleep(seconds * 1_000);
  };

/** Logs the reason for operators and prints it for the person who started the service. */
export function refuseStart(error: Error): never {
  const cause = error.cause instanceof Error && !(error instanceof BadSetting) ? [error.cause.message] : [];
  // an address with several numbers fails without words
  const reason = error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
  logTo('info').fatal({ event: 'start_refused', reason }, 'the service did not start');
  for (const line of [reason, ...cause]) process.stderr.write(`${line}\n`);
  process.exit(1);
}

export type StartOptions = {
  /** A person reads the output, so that the first password can be printed; without one it is kept in a file. */
  hasTerminal?: boolean;
};

/**
 * Starts everything the configuration asks for: database, migrations, the first administrator, listener and jobs.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function startService(
  config: Config,
  log: Logger = openLog(config),
  { hasTerminal = false }: StartOptions = {},
): Promise<Service> {
  // before the database, because a key made for a database that is already there ends all sessions
  if (!config.APP_KEY && !config.DATABASE_URL) await loadKeys(config, log);
  const database = await openDatabase(config, log);
  let opened: Opened | undefined;
  try {
    await migrate(database.ownerUrl, appRole(database));
    const { deps, stopping, close } = (opened = await openDeps(config, log, database));
    await checkConnections(deps.db, config.DATABASE_POOLER);
    await refuseUnsafeDatabase(deps);
    const firstAdmin = await createFirstAdmin(deps, !hasTerminal);
    // now that no other process is between its file and its account
    await forgetUsedFirstPassword(deps.db, config.DATA_DIR);
    const app = await buildApp(deps);
    const endRole = await startRole(app, deps, database);
    const stop = async (mode?: 'fast' | 'immediate') => {
      await endRole();
      await close();
      await database.stop(mode);
    };
    return { app, deps, database, address: config.APP_URL, firstAdmin, leave: leaving(deps, stopping), stop };
  } catch (error) {
    await opened?.close();
    await database.stop();
    throw error;
  }
}
