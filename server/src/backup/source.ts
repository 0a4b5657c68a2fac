import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { externalAddresses } from '../db/addresses.ts';
import type { Config } from '../config.ts';
import { keyRing, parseKey } from '../crypto/keys.ts';
import { hasCluster, lockDataDir, usableKey } from '../db/data-dir.ts';
import { addressesOfRunning, startEmbedded } from '../db/embedded.ts';
import { withFallback } from '../files/backend.ts';
import { openPlaces } from '../files/open.ts';
import { version } from '../releases/release.ts';
import { refuseMoved } from '../db/moved.ts';
import { noDatabaseIn, Refusal } from './refusal.ts';
import { withConnection } from './snapshot.ts';
import type { BackupSource } from './write.ts';

/** The application key of this installation; undefined if there is none yet. */
export async function readKey({
  APP_KEY,
  DATA_DIR,
}: Pick<Config, 'APP_KEY' | 'DATA_DIR'>): Promise<string | undefined> {
  const path = join(DATA_DIR, 'app.key');
  const content = APP_KEY === undefined ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
  return content === undefined ? APP_KEY : usableKey(path, content);
}

/** The ids of the application keys of this installation. */
export async function keyIdsOf(config: Config): Promise<string[]> {
  const key = await readKey(config);
  if (key === undefined) return [];
  return keyRing(parseKey(key), config.APP_PREVIOUS_KEYS.map(parseKey)).all.map(({ kid }) => kid);
}

/** The owner's address of the configured database; undefined for an embedded one that is not running. */
export async function runningUrl(config: Config): Promise<string | undefined> {
  return externalAddresses(config)?.ownerUrl ?? (await addressesOfRunning(config.DATA_DIR))?.ownerUrl;
}

/** What to back up: the configured database, with or without a running service, and its files. */
export async function openSource(config: Config, log: Logger): Promise<BackupSource & { close: () => Promise<void> }> {
  const rest = { files: withFallback(openPlaces(config, log)), keyIds: await keyIdsOf(config), release: version };
  const url = await runningUrl(config);
  if (url) await withConnection('backup', url, (client) => refuseMoved((text, values) => client.query(text, values)));
  if (url) return { ...rest, readUrl: config.DATABASE_BACKUP_URL ?? url, writeUrl: url, close: async () => undefined };
  if (!(await hasCluster(config.DATA_DIR))) throw noDatabaseIn(config.DATA_DIR);
  await refuseAway(config.DATA_DIR);
  const own = await startEmbedded({ dataDir: config.DATA_DIR, log, archiveWal: config.BACKUP_WAL });
  return { ...rest, readUrl: own.ownerUrl, writeUrl: own.ownerUrl, close: () => own.stop() };
}

/** A running service restarts its database by itself, so the operator need not stop it for this. */
async function refuseAway(dataDir: string): Promise<void> {
  const lock = await lockDataDir(dataDir).catch((error: NodeJS.ErrnoException) => {
    // the folder cannot be used at all
    if (error.code !== undefined) throw error;
    throw new Refusal(
      `A service is running on ${dataDir}, but its database does not answer: check its log, and try again.`,
      {
        cause: error,
      },
    );
  });
  lock.release();
}
