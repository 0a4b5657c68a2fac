import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { startSender } from './features/webhooks/sending/sender.ts';
import { startSpooling } from './backup/points/spooling.ts';
import type { Spooling } from './backup/points/spooling.ts';
import { logRestored } from './backup/restored.ts';
import type { Config } from './config.ts';
import { startHashPool } from './crypto/hash-pool.ts';
import { requireSchema } from './db/check-schema.ts';
import { connect } from './db/connect.ts';
import type { Addresses } from './db/open-database.ts';
import { watchDatabase } from './db/watch.ts';
import { claimStore } from './files/claim.ts';
import { guardDisk } from './files/disk-guard.ts';
import { openFiles } from './files/open.ts';
import type { Deps } from './http/context.ts';
import { openDoor } from './http-out/door.ts';
import { openSessionCookies } from './http/session-cookies.ts';
import { openMetrics } from './http/metrics.ts';
import { listenForOperators } from './http/operators.ts';
import { freeJobsOf } from './jobs/abandoned.ts';
import { collectForWebhooks } from './jobs/schedule.ts';
import { databaseNow } from './jobs/task.ts';
import { startWorker } from './jobs/worker.ts';
import type { RunningWorker } from './jobs/worker.ts';
import { openLog } from './logging.ts';
import { openMailer } from './mail/mailer.ts';
import { openLive } from './notifications/live.ts';
import { openOpenId } from './sso/openid.ts';
import { loadKeys, prepare } from './prepare.ts';
import type { Prepared, StartOptions } from './prepare.ts';
import { announceProcess } from './releases/processes.ts';
import type { Presence } from './releases/processes.ts';
import { ownRelease } from './releases/release.ts';

/** One of several processes on a machine that another process supervises. */
export type Supervised = {
  /** Names of killed workers, whose jobs are released. */
  lostWorkers: readonly string[];
  /** Receives the name under which this process takes jobs. */
  onWorker: (name: string) => void;
};

export type Served = {
  app: FastifyInstance;
  deps: Deps;
  /** The address that it listens on, as a browser reaches it. */
  address: string;
  /** Resolves when this release may no longer run on the database; it must stop then. */
  refused: Promise<Error>;
  /** Becomes unready and keeps serving for SHUTDOWN_DELAY_SECONDS, before `stop`. */
  leave: () => Promise<void>;
  /** Idle connections stay open for this many milliseconds, because a request may be on its way. */
  stop: (idleMilliseconds?: number) => Promise<void>;
};

export type Service = Omit<Served, 'stop'> &
  Prepared & {
    /** Also stops the embedded database. */
    stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  };

type Opened = { deps: Deps; stopping: AbortController; close: () => Promise<void> };

const megabyte = 1_024 * 1_024;
const drainMilliseconds = 10_000;

const metricsOf = (
  config: Config,
  watched: Omit<Parameters<typeof openMetrics>[0], 'config' | 'idleSeconds' | 'ofProcess'>,
) =>
  openMetrics({
    ...watched,
    config,
    idleSeconds: config.SESSION_IDLE_MINUTES * 60,
    ofProcess: config.METRICS_PORT > 0,
  });

async function openDeps(config: Config, log: Logger, database: Addresses): Promise<Opened> {
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
  // separate connections for the metrics, which then never wait behind requests
  const { db: watching } = connect({
    url: database.appUrl,
    max: 1,
    prepared: false,
    pooler: config.DATABASE_POOLER,
    queryTimeout: 3_000,
  });
  const hashing = startHashPool({ cost: config.BCRYPT_COST, processes: config.processes });
  const files = await openFiles(config, log);
  const live = openLive({ db, url: database.directUrl, config, log });
  const spooling = openSpooling(config, database, log);
  const stopping = new AbortController();
  const door = openDoor({ config, log });
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
    door,
    openId: openOpenId(door, config),
    live,
    metrics: metricsOf(config, { db: watching, pool, hashing, files, live, spooling }),
    log,
    stopping: stopping.signal,
  };
  const close = async () => {
    watch.stop();
    await spooling?.stop();
    await hashing.close();
    await watching.destroy();
    await db.destroy();
  };
  return { deps, stopping, close };
}

/** Sends the WAL of the embedded database; of several processes, only the one for jobs does. */
const openSpooling = (config: Config, { ownerUrl }: Addresses, log: Logger): Spooling | undefined =>
  config.BACKUP_WAL && config.ROLE !== 'api' ? startSpooling(config, ownerUrl, log) : undefined;

/** Jobs have their own connections, because they may take a minute where requests may take seconds. */
async function startJobs(deps: Deps, { directUrl }: Addresses, supervised?: Supervised): Promise<RunningWorker> {
  const { db, pool } = connect({
    url: directUrl,
    max: 5,
    prepared: deps.config.DATABASE_PREPARED,
    queryTimeout: 70_000,
  });
  await freeJobsOf(db, supervised?.lostWorkers ?? []);
  const own = { ...deps, db, pool };
  const worker = await startWorker(own, { onName: supervised?.onWorker });
  const sender = deps.config.WEBHOOKS
    ? startSender(own, { collect: async () => collectForWebhooks({ deps: own, now: await databaseNow(db) }) })
    : undefined;
  return {
    stop: async () => {
      await Promise.all([worker.stop(), sender?.stop()]);
      await db.destroy();
    },
  };
}

/** Resolves when the work is done, or after the given time. */
const atMost = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);

/** Accepts no new requests and lets the running ones finish; aborts those that do not. */
async function closeListener(app: FastifyInstance, idleMilliseconds: number) {
  const { server } = app;
  if (idleMilliseconds > 0) server.closeIdleConnections = () => undefined;
  const closing = app.close();
  if (idleMilliseconds > 0) {
    await atMost(idleMilliseconds, closing);
    // restores the method of the class
    Reflect.deleteProperty(server, 'closeIdleConnections');
    server.closeIdleConnections();
  }
  await atMost(drainMilliseconds, closing);
  server.closeAllConnections();
  await closing;
}

/** Starts what the role requires and returns how to stop it: requests first, then jobs. */
async function startRole(app: FastifyInstance, deps: Deps, database: Addresses, supervised?: Supervised) {
  const { config } = deps;
  if (config.ROLE !== 'worker') await app.listen({ port: config.PORT, host: config.HOST });
  const jobs = config.ROLE === 'api' ? undefined : await startJobs(deps, database, supervised);
  const listensForOperators = config.METRICS_PORT > 0 && !supervised;
  const operators = listensForOperators ? await listenForOperators(deps) : undefined;
  return async (idleMilliseconds: number) => {
    await closeListener(app, idleMilliseconds);
    // an aborted job runs again at the next start
    if (jobs) await atMost(drainMilliseconds, jobs.stop());
    await operators?.close();
  };
}

/** Load balancers notice by `/readyz` and send requests elsewhere meanwhile; a worker gets none. */
const leaving =
  ({ config, log }: Deps, stopping: AbortController): Service['leave'] =>
  async () => {
    stopping.abort();
    const seconds = config.ROLE === 'worker' ? 0 : config.SHUTDOWN_DELAY_SECONDS;
    if (seconds === 0) return;
    log.info({ event: 'stopping', seconds }, 'a stop began: the service is no longer ready, but still serves');
    await sleep(seconds * 1_000);
  };

/** Logs why this release may no longer run on the database. */
export const sayRefused = (log: Logger, { message }: Error): void =>
  log.fatal(
    { event: 'schema_refused', reason: message },
    'this release may not use the database any more: the service stops',
  );

/**
 * Serves on a prepared database what the role requires: a listener, jobs or both.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function serve(
  config: Config,
  log: Logger,
  database: Addresses,
  supervised?: Supervised,
): Promise<Served> {
  const { deps, stopping, close } = await openDeps(config, log, database);
  let presence: Presence | undefined;
  try {
    await requireSchema(deps.db);
    await claimStore(deps.db, deps.files.places);
    await logRestored(deps.db, log);
    const { promise: refused, resolve: onRefused } = Promise.withResolvers<Error>();
    // checks again, because a contract migration only waits for processes that are registered
    presence = await announceProcess(deps.db, { release: await ownRelease(), role: config.ROLE, onRefused });
    // load balancers send requests elsewhere from now on
    void refused.then(() => stopping.abort());
    const app = await buildApp(deps);
    const endRole = await startRole(app, deps, database, supervised);
    const stop: Served['stop'] = async (idleMilliseconds = 0) => {
      await endRole(idleMilliseconds);
      await presence?.end();
      await close();
    };
    return { app, deps, address: config.APP_URL, refused, leave: leaving(deps, stopping), stop };
  } catch (error) {
    await presence?.end();
    await close();
    throw error;
  }
}

/**
 * Starts everything that the configuration requires: database, migrations, the first administrator, listener and jobs.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function startService(
  config: Config,
  log: Logger = openLog(config),
  options: StartOptions = {},
): Promise<Service> {
  const { database, firstAdmin } = await prepare(config, log, options);
  try {
    const served = await serve(config, log, database);
    const stop: Service['stop'] = async (mode) => {
      await served.stop();
      await database.stop(mode);
    };
    return { ...served, database, firstAdmin, stop };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
