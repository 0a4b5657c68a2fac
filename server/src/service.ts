import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { BadSetting } from './config.ts';
import type { Config } from './config.ts';
import { startHashPool } from './crypto/hash-pool.ts';
import { keyRing, parseKey } from './crypto/keys.ts';
import { connect } from './db/connect.ts';
import { loadOrCreateKey } from './db/data-dir.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { createFirstAdmin } from './features/sessions/first-admin.ts';
import type { FirstAdmin } from './features/sessions/first-admin.ts';
import { openStore } from './files/store.ts';
import type { Deps } from './http/context.ts';
import { openGate } from './http/gate.ts';
import { openMetrics } from './http/metrics.ts';
import { listenForOperators } from './http/operators.ts';
import { startWorker } from './jobs/worker.ts';
import { openMailer } from './mail/mailer.ts';

export type Database = { appUrl: string; ownerUrl: string; stop: (mode?: 'fast' | 'immediate') => Promise<void> };

export type Service = {
  app: FastifyInstance;
  deps: Deps;
  database: Database;
  /** Where it listens, as a browser reaches it. */
  address: string;
  firstAdmin: FirstAdmin | undefined;
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const { DATABASE_URL, DATABASE_MIGRATION_URL } = config;
  if (!DATABASE_URL) return startEmbedded({ dataDir: config.DATA_DIR, log });
  return { appUrl: DATABASE_URL, ownerUrl: DATABASE_MIGRATION_URL ?? DATABASE_URL, stop: async () => undefined };
}

async function loadKeys(config: Config, log: Logger) {
  const previous = config.APP_PREVIOUS_KEYS.map(parseKey);
  if (config.APP_KEY) return keyRing(parseKey(config.APP_KEY), previous);
  const { key, replaced } = await loadOrCreateKey(config.DATA_DIR);
  if (replaced) log.warn({ event: 'key_replaced' }, 'the key file was gone: everybody has to sign in again');
  return keyRing(parseKey(key), previous);
}

/** The application role of a separate migration address gets its rights there; one address alone has them already. */
const appRole = ({ appUrl, ownerUrl }: Database) =>
  appUrl === ownerUrl ? undefined : decodeURIComponent(new URL(appUrl).username);

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

async function openDeps(config: Config, log: Logger, database: Database): Promise<Deps> {
  const ring = await loadKeys(config, log);
  const { db, pool } = connect({
    url: database.appUrl,
    max: config.DATABASE_POOL_SIZE,
    prepared: config.DATABASE_PREPARED,
    onError: (error) => log.warn({ event: 'database_down', err: error.message }, 'a database connection broke'),
  });
  const hashing = startHashPool({ cost: config.BCRYPT_COST });
  return {
    config,
    db,
    pool,
    ring,
    gate: openGate(config, ring),
    rights: new Map(),
    hashing,
    files: await openStore(join(config.DATA_DIR, 'files')),
    mailer: openMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    metrics: openMetrics({ pool, hashing, ofProcess: config.METRICS_PORT > 0 }),
    log,
  };
}

async function closeDeps({ db, hashing }: Deps) {
  await hashing.close();
  await db.destroy();
}

/** The log: one JSON object per line, without anything a person typed. */
export const openLog = (config: Config): Logger =>
  pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });

/**
 * Starts everything the configuration asks for: database, migrations, the first administrator, the listener.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function startService(config: Config, log: Logger = openLog(config)): Promise<Service> {
  // before the database, because a key made for a database that is already there ends everybody's session
  if (!config.APP_KEY && !config.DATABASE_URL) await loadKeys(config, log);
  const database = await openDatabase(config, log);
  let deps: Deps | undefined;
  try {
    await migrate(database.ownerUrl, appRole(database));
    deps = await openDeps(config, log, database);
    await refuseUnsafeDatabase(deps);
    const firstAdmin = await createFirstAdmin(deps.db, deps.hashing, config);
    const app = await buildApp(deps);
    await app.listen({ port: config.PORT, host: config.HOST });
    const worker = config.ROLE === 'api' ? undefined : await startWorker(deps);
    const started = deps;
    const operators = config.METRICS_PORT > 0 ? await listenForOperators(deps) : undefined;
    const stop = async (mode?: 'fast' | 'immediate') => {
      await app.close();
      await operators?.close();
      await worker?.stop();
      await closeDeps(started);
      await database.stop(mode);
    };
    return { app, deps, database, address: config.APP_URL, firstAdmin, stop };
  } catch (error) {
    if (deps) await closeDeps(deps);
    await database.stop();
    throw error;
  }
}
