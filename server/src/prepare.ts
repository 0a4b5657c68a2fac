import { mkdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { BadSetting } from './config.ts';
import { externalAddresses } from './db/addresses.ts';
import type { Config } from './config.ts';
import { startHashPool } from './crypto/hash-pool.ts';
import { keyRing, parseKey } from './crypto/keys.ts';
import type { KeyRing } from './crypto/keys.ts';
import { requireSchema } from './db/check-schema.ts';
import { connect } from './db/connect.ts';
import { applyContracts } from './db/contracts.ts';
import { loadOrCreateKey } from './db/data-dir.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import type { DB } from './db/schema.ts';
import { checkConnections } from './db/start-check.ts';
import { createFirstAdmin } from './features/sessions/first-admin.ts';
import type { FirstAdmin } from './features/sessions/first-admin.ts';
import { forgetUsedFirstPassword } from './features/sessions/first-password.ts';
import { freeAbandonedJobs } from './jobs/abandoned.ts';
import { forgetProcesses } from './releases/processes.ts';
import { ownRelease } from './releases/release.ts';
import { storeWebRelease } from './releases/web-releases.ts';

export type Database = {
  appUrl: string;
  ownerUrl: string;
  /** Past a pooler, for what needs a connection of its own; `appUrl` where there is none. */
  directUrl: string;
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

export type StartOptions = {
  /** A person reads the output, so that the first password can be printed; without one it is kept in a file. */
  hasTerminal?: boolean;
};

/** What is done once, however many processes serve afterwards. */
export type Prepared = { database: Database; firstAdmin: FirstAdmin | undefined };

async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const external = externalAddresses(config);
  if (external) {
    // the file of the first password may be the first one there
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
    return { ...external, stop: async () => undefined };
  }
  const embedded = await startEmbedded({ dataDir: config.DATA_DIR, log });
  return { ...embedded, directUrl: embedded.appUrl };
}

/** The keys of sessions and CSRF tokens; one is made where none is set. */
export async function loadKeys(config: Config, log: Logger): Promise<KeyRing> {
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

/** Brings the database and what it knows of the browser application to this release; returns what was applied. */
async function bringUpToDate(database: Database): Promise<string[]> {
  const applied = await migrate(database.ownerUrl, appRole(database));
  await storeWebRelease(database.ownerUrl, await ownRelease());
  return applied;
}

/** What production never runs on: a role that could switch every guard off, and people that were made up. */
async function refuseUnsafeDatabase(db: Kysely<DB>, config: Config): Promise<void> {
  if (!config.production) return;
  const { is_demo } = await db.selectFrom('installation').select('is_demo').executeTakeFirstOrThrow();
  if (is_demo) throw new BadSetting('DATA_DIR: holds demo data, which production must not serve');
  const { rows } = await sql<{ rolsuper: boolean }>`select rolsuper from pg_roles where rolname = current_user`.execute(
    db,
  );
  if (rows[0]?.rolsuper) throw new BadSetting('DATABASE_URL: the application must not be a database superuser');
}

/** The first administrator, and jobs that killed processes left. */
async function prepareContent(config: Config, database: Database, hasTerminal: boolean) {
  const { db } = connect({
    url: database.appUrl,
    max: 2,
    prepared: config.DATABASE_PREPARED,
    pooler: config.DATABASE_POOLER,
  });
  const hashing = startHashPool({ cost: config.BCRYPT_COST });
  try {
    await checkConnections(db, config.DATABASE_POOLER);
    await requireSchema(db);
    await refuseUnsafeDatabase(db, config);
    const firstAdmin = await createFirstAdmin({ db, hashing, config }, !hasTerminal);
    // now that no other process is between its file and its account
    await forgetUsedFirstPassword(db, config.DATA_DIR);
    // the embedded database has one service: earlier processes were killed
    if (!config.DATABASE_URL) {
      await freeAbandonedJobs(db);
      await forgetProcesses(db);
    }
    return firstAdmin;
  } finally {
    await hashing.close();
    await db.destroy();
  }
}

/**
 * Does what must be done before the service can serve: starts the embedded database, migrates, creates the first
 * administrator, frees abandoned jobs.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function prepare(
  config: Config,
  log: Logger,
  { hasTerminal = false }: StartOptions = {},
): Promise<Prepared> {
  // before the database, because a key made for a database that is already there ends all sessions
  if (!config.APP_KEY && !config.DATABASE_URL) await loadKeys(config, log);
  const database = await openDatabase(config, log);
  try {
    if (config.MIGRATE !== 'off') await bringUpToDate(database);
    return { database, firstAdmin: await prepareContent(config, database, hasTerminal) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/**
 * Brings the database to this release and ends: MIGRATE=only. Also removes what only earlier releases use, as far as no
 * process uses it any more.
 * @returns a line for each thing that was done or has to wait
 */
export async function migrateOnly(config: Config, log: Logger): Promise<string[]> {
  const database = await openDatabase(config, log);
  try {
    const expanded = await bringUpToDate(database);
    const { applied, waiting } = await applyContracts(database.ownerUrl);
    const lines = [...expanded, ...applied].map((name) => `Applied ${name}`);
    if (waiting) lines.push(waiting);
    return lines.length > 0 ? lines : ['The database is up to date'];
  } finally {
    await database.stop();
  }
}
