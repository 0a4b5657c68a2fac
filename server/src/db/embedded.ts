import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { randomToken } from '../crypto/crypto.ts';
import { clusterFolder, hasCluster, loadOrCreateKey, lockDataDir, prepareDataDir, writeOnce } from './data-dir.ts';
import { type Account, barredFolder, chownTree, serverAccount } from './embedded/account.ts';
import { mayReplicate, prepareSpool } from './embedded/archiving.ts';
import { type Binaries, findBinaries } from './embedded/binaries.ts';
import { effortOf, majorOf } from './embedded/cluster-facts.ts';
import {
  allowReplication,
  type ClusterPlan,
  createCluster,
  type Passwords,
  resetPasswords,
} from './embedded/create-cluster.ts';
import { isServerOf, readPidFile, stopStray } from './embedded/processes.ts';
import type { StopMode } from './embedded/server.ts';
import { choosePort, embeddedSettings, type Settings } from './embedded/settings.ts';
import { supervise, type Supervisor } from './embedded/supervisor.ts';
import { finishMoves, removeScratches } from './restore-moves.ts';
import { type DatabaseUrls, loopbackUrls, socketUrls } from './embedded/urls.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** PostgreSQL settings that add to ours or replace them. */
  settings?: Settings;
  /** Puts WAL into the folder `wal-spool` of DATA_DIR, and lets the owner make base backups. */
  archiveWal?: boolean;
  /** The cluster has other passwords than the file in DATA_DIR, and gets those of the file. */
  resetPasswords?: boolean;
  /** Called when the server has ended by itself, and is being restarted. */
  onDown?: (reason: string) => void;
  onUp?: () => void;
  /** The programs, if they are not this release's: for a cluster of an earlier major version. */
  binaries?: Binaries;
}

export interface EmbeddedDatabase extends DatabaseUrls {
  /** The process id of the running server; changes when the server is restarted. */
  pid(): number;
  /** Shuts down fast and releases DATA_DIR. `immediate` is for a second Ctrl-C: safe, but the next start recovers. */
  stop(mode?: StopMode): Promise<void>;
}

/**
 * Starts PostgreSQL in DATA_DIR and keeps it running. Throws with one line for the operator if DATA_DIR is in use or
 * belongs to another major version, or if the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new Error(
      'The embedded PostgreSQL runs on Linux and macOS. Set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const dataDir = resolve(options.dataDir);
  await prepareDataDir(dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    await finishMoves(dataDir);
    await removeScratches(dataDir);
    const database = await startLocked({ ...options, dataDir });
    const stop = async (mode?: StopMode): Promise<void> => {
      await database.stop(mode);
      lock.release();
    };
    return { ...database, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The same in a DATA_DIR whose lock the caller holds and keeps after `stop`. */
export async function startLocked(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const plan = await prepareCluster(options);
  const port = await choosePort(plan.cluster);
  const urls = port === undefined ? socketUrls(plan.cluster, plan.passwords) : loopbackUrls(port, plan.passwords);
  const settings = {
    ...embeddedSettings(port),
    ...(options.archiveWal && (await prepareSpool(options.dataDir, plan))),
    ...options.settings,
  };
  const start = () => superviseLogged(plan, settings, options);
  const supervisor = await (options.archiveWal ? startReplicating(plan, urls.ownerUrl, start) : start());
  return { ...urls, pid: () => supervisor.pid(), stop: (mode) => supervisor.stop(mode) };
}

/**
 * Starts a server whose owner may make base backups. This takes a second start once in the life of a cluster: only a
 * stopped server can grant the right without a superuser's password, and there is none.
 */
async function startReplicating(
  plan: ClusterPlan,
  ownerUrl: string,
  start: () => Promise<Supervisor>,
): Promise<Supervisor> {
  const first = await start();
  const may = await mayReplicate(ownerUrl).catch(async (error) => {
    await first.stop();
    throw error;
  });
  if (may) return first;
  await first.stop();
  await allowReplication(plan);
  return start();
}

/** The addresses of the database that another process runs in DATA_DIR; undefined if none is running. */
export async function addressesOfRunning(dataDir: string): Promise<DatabaseUrls | undefined> {
  const cluster = clusterFolder(resolve(dataDir));
  const passwords = await readPasswords(resolve(dataDir));
  const file = await readPidFile(cluster);
  if (!passwords || !file?.ready || !(await isServerOf(cluster, file.pid))) return undefined;
  return file.port === 5432 ? socketUrls(cluster, passwords) : loopbackUrls(file.port, passwords);
}

async function prepareCluster({
  dataDir,
  log,
  binaries: given,
  resetPasswords: isReset,
}: EmbeddedOptions): Promise<ClusterPlan> {
  const cluster = clusterFolder(dataDir);
  const account = await serverAccount(cluster);
  await refuseBarred(dataDir, account);
  const binaries = given ?? (await findBinaries(account));
  const known = await readPasswords(dataDir);
  const passwords = known ?? { owner: randomToken(24), app: randomToken(24) };
  const plan: ClusterPlan = { cluster, binaries, account, passwords, durable: true };
  if (await hasCluster(dataDir)) {
    await refuseOtherMajor(cluster, binaries);
    await takeOver(plan, log);
    if (!known || isReset) await resetPasswords(plan);
  } else {
    // The key comes first: a database without a key means that the key was lost.
    await loadOrCreateKey(dataDir);
    await createCluster(plan);
  }
  await writeOnce(passwordFile(dataDir), `${JSON.stringify(passwords)}\n`);
  return plan;
}

async function takeOver({ cluster, account }: ClusterPlan, log: EmbeddedOptions['log']): Promise<void> {
  const stray = await stopStray(cluster);
  if (stray !== undefined) log.warn({ pid: stray }, 'stopped the embedded database that a killed service left running');
  if (account) await chownTree(cluster, account);
}

async function refuseBarred(dataDir: string, account: Account | undefined): Promise<void> {
  if (!account || process.platform === 'linux') return;
  const barred = await barredFolder(dataDir, account);
  if (barred)
    throw new Error(
      `The system user of the database cannot enter ${barred}. Choose another DATA_DIR, or do not start as root.`,
    );
}

async function refuseOtherMajor(cluster: string, { major }: Binaries): Promise<void> {
  const found = await majorOf(cluster);
  if (found === major) return;
  const made = `${cluster} was made by PostgreSQL ${found}, but this release contains PostgreSQL ${major}. Nothing was changed. `;
  if (found > major) throw new Error(`${made}Start the release that made it.`);
  const { megabytes, minutes } = await effortOf(cluster);
  throw new Error(
    `${made}The command upgrade-database copies its ${megabytes} MB into a new cluster, in about ${minutes} min: ` +
      'docs/operations.md, "PostgreSQL major version".',
  );
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'database.json');
}

async function readPasswords(dataDir: string): Promise<Passwords | undefined> {
  const text = await readFile(passwordFile(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Passwords;
  } catch {
    // the error would repeat a part of a password
    throw new Error(
      `${passwordFile(dataDir)} is damaged. Restore the file, or remove it: the next start then sets new passwords.`,
    );
  }
}

function superviseLogged(plan: ClusterPlan, settings: Settings, options: EmbeddedOptions): Promise<Supervisor> {
  const { log, onDown, onUp } = options;
  return supervise(
    { ...plan, settings, onLog: (line) => forward(log, line), whenOrphaned: 'stop' },
    {
      onDown: (reason) => {
        log.error({ reason }, 'the embedded database ended and is restarted');
        onDown?.(reason);
      },
      onUp: () => {
        log.info('the embedded database answers again');
        onUp?.();
      },
      onFailedStart: (error) => log.error({ err: error }, 'the embedded database did not start; the start is retried'),
    },
  );
}

function forward(log: EmbeddedOptions['log'], line: string): void {
  const [, level, message] = /^([A-Z]+\d?):\s+(.*)/.exec(line) ?? [];
  const fields = { source: 'postgres' };
  if (level === 'PANIC') log.error(fields, message);
  else if (level === 'FATAL' || level === 'WARNING') log.warn(fields, message);
  else log.debug(fields, message ?? line);
}
