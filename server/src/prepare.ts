import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { BadSetting } from './config.ts';
import type { Config } from './config.ts';
import { startHashPool } from './crypto/hash-pool.ts';
import { keyRing, parseKey } from './crypto/keys.ts';
import type { KeyRing } from './crypto/keys.ts';
import { loadAppKey } from './db/app-key.ts';
import { requireSchema } from './db/check-schema.ts';
import { connect } from './db/connect.ts';
import { applyContracts } from './db/contracts.ts';
import { migrate } from './db/migrate.ts';
import { dropSpool, openDatabase } from './db/open-database.ts';
import type { Addresses, Database } from './db/open-database.ts';
import type { DB } from './db/schema.ts';
import { notReached } from './db/not-reached.ts';
import { checkConnections, refuseSuperuser } from './db/start-check.ts';
import { createFirstAdmin } from './features/sessions/first-admin.ts';
import type { FirstAdmin } from './features/sessions/first-admin.ts';
import { deleteUsedFirstPassword } from './features/sessions/first-password.ts';
import { freeAbandonedJobs } from './jobs/abandoned.ts';
import { deleteProcesses } from './releases/processes.ts';
import { storePasskeyHost } from './sign-in/store-passkey-host.ts';
import { ownRelease } from './releases/release.ts';
import { storeWebRelease } from './releases/web-releases.ts';

export type StartOptions = {
  /** A person reads the output, so the first password can be printed; otherwise it is kept in a file. */
  hasTerminal?: boolean;
};

/** What is done once, however many processes serve afterwards. */
export type Prepared = { database: Database; firstAdmin: FirstAdmin | undefined };

/** The keys for sessions and CSRF tokens; creates one if none is set. */
export async function loadKeys(config: Config, log: Logger): Promise<KeyRing> {
  return keyRing(parseKey(await loadAppKey(config, log)), config.APP_PREVIOUS_KEYS.map(parseKey));
}

const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

/** The application role, if it needs rights from a separate role for migrations; a single role already has them. */
const appRole = ({ appUrl, ownerUrl }: Addresses) =>
  appUrl === ownerUrl || roleOf(appUrl) === roleOf(ownerUrl) ? undefined : roleOf(appUrl);

/** Brings the database and its stored browser application to this release; returns what was applied. */
async function bringUpToDate(database: Addresses): Promise<string[]> {
  const applied = await migrate(database.ownerUrl, appRole(database));
  await storeWebRelease(database.ownerUrl, await ownRelease());
  return applied;
}

/** What production never runs on: a role that could switch off every guard, and demo people. */
async function refuseUnsafeDatabase(db: Kysely<DB>, config: Config): Promise<void> {
  if (!config.production) return;
  const { is_demo } = await db.selectFrom('installation').select('is_demo').executeTakeFirstOrThrow();
  if (is_demo)
    throw new BadSetting(
      'DATA_DIR: contains demo data, which must not be used in production: choose another DATA_DIR or DATABASE_URL',
    );
  await refuseSuperuser(db);
}

type Preparing = StartOptions & {
  /** No process of the database is alive, so those that it lists were killed. */
  isAlone?: boolean;
};

/** Creates the first administrator and releases the jobs of killed processes. */
async function prepareContent(config: Config, database: Addresses, { hasTerminal, isAlone }: Required<Preparing>) {
  const { db } = connect({
    url: database.appUrl,
    max: 2,
    prepared: config.DATABASE_PREPARED,
    pooler: config.DATABASE_POOLER,
  });
  const hashing = startHashPool({ cost: config.BCRYPT_COST });
  try {
    await checkConnections(db, config.DATABASE_POOLER).catch((error: unknown) => {
      throw notReached(error);
    });
    await requireSchema(db);
    await refuseUnsafeDatabase(db, config);
    const firstAdmin = await createFirstAdmin({ db, hashing, config }, !hasTerminal);
    // now no other process is between writing its file and creating its account
    await deleteUsedFirstPassword(db, config.DATA_DIR);
    await storePasskeyHost(db, config);
    if (isAlone) {
      await freeAbandonedJobs(db);
      await deleteProcesses(db);
    }
    return firstAdmin;
  } finally {
    await hashing.close();
    await db.destroy();
  }
}

/**
 * Does what is required before the service can serve from a running database: migrates, creates the first
 * administrator, releases abandoned jobs.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function prepareDatabase(
  config: Config,
  database: Addresses,
  { hasTerminal = false, isAlone = false }: Preparing = {},
): Promise<FirstAdmin | undefined> {
  if (config.MIGRATE !== 'off') await bringUpToDate(database);
  return prepareContent(config, database, { hasTerminal, isAlone });
}

/**
 * Starts the embedded database if there is no other, and prepares it.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function prepare(
  config: Config,
  log: Logger,
  { hasTerminal = false }: StartOptions = {},
): Promise<Prepared> {
  // before the database, because a key created for an existing database ends all sessions
  if (!config.APP_KEY && !config.DATABASE_URL) await loadKeys(config, log);
  const database = await openDatabase(config, log);
  try {
    await dropSpool(config, log);
    // the embedded database has one service, so earlier processes were killed
    const isAlone = !config.DATABASE_URL;
    return { database, firstAdmin: await prepareDatabase(config, database, { hasTerminal, isAlone }) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/**
 * Brings the database to this release and exits: MIGRATE=only. Also removes what only earlier releases use, as far as
 * no process uses it any more.
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
