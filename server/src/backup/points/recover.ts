import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { randomToken } from '../../crypto/crypto.ts';
import { afterRestore } from '../../db/after-restore.ts';
import { connect } from '../../db/connect.ts';
import { clusterFolder } from '../../db/data-dir.ts';
import { startEmbedded } from '../../db/embedded.ts';
import { serverAccount } from '../../db/embedded/account.ts';
import { migrate } from '../../db/migrate.ts';
import type { DB } from '../../db/schema.ts';
import type { Archive } from '../archive.ts';
import { checkIndexes } from '../check-indexes.ts';
import type { Cipher } from '../encryption.ts';
import { Refusal } from '../refusal.ts';
import { holdMails } from '../restore.ts';
import type { Checks } from '../restore.ts';
import { recordRestore } from '../restored.ts';
import type { Restore } from '../restored.ts';
import { readFileKeys } from '../snapshot.ts';
import { readFiles, readServerManifest } from './base.ts';
import type { BaseContent } from './base.ts';
import { restoreCommand, startFeed } from './feed.ts';
import { compareWithManifest, unpackTar } from './tar.ts';
import type { Chain } from './times.ts';

export type Moment = {
  archive: Archive;
  open: Cipher['open'];
  base: BaseContent;
  chain: Chain;
  /** Milliseconds since 1970. */
  time: number;
};

type Place = { scratch: string; log: Logger };

const passwordFile = 'database.json';

/** The server accepts no `T` and no `Z` in this setting. */
const targetOf = (time: number) => `${new Date(time).toISOString().slice(0, -1).replace('T', ' ')}+00`;

/** Restores a copy of the cluster to a moment, in its own folder; its server is stopped afterwards. */
export async function recover({ scratch, log }: Place, moment: Moment): Promise<void> {
  const { archive, open, base, chain, time } = moment;
  const cluster = clusterFolder(scratch);
  await mkdir(cluster, { mode: 0o700 });
  const sums = await unpackTar(readFiles(archive, base, open), cluster);
  compareWithManifest(sums, await readServerManifest(archive, base, open));
  // remove the lock of the copied cluster, because the socket of the embedded server is in the cluster too
  for (const name of await readdir(cluster)) if (/^\.s\.PGSQL\.\d+\.lock$/.test(name)) await rm(join(cluster, name));
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  // an existing password file keeps passwords from being set; no user signs in before the recovery has ended
  const unused = { owner: randomToken(24), app: randomToken(24) };
  await writeFile(join(scratch, passwordFile), JSON.stringify(unused), { mode: 0o600 });
  const feed = await startFeed(join(scratch, 'wal'), { archive, open, chain }, await serverAccount(cluster));
  try {
    await runRecovery({ scratch, log }, time).catch((error) => feedError(feed.done, error));
  } finally {
    feed.stop();
  }
  await feed.done;
  for (const name of ['wal', passwordFile]) await rm(join(scratch, name), { recursive: true, force: true });
}

/** Missing WAL in the archive makes the server fail too, so its error is the actual reason. */
async function feedError(done: Promise<void>, error: Error): Promise<never> {
  await Promise.race([done, new Promise((resolve) => setImmediate(resolve))]);
  throw error;
}

async function runRecovery({ scratch, log }: Place, time: number): Promise<void> {
  const settings = {
    restore_command: restoreCommand,
    recovery_target_time: targetOf(time),
    recovery_target_action: 'promote',
    // if the archive has several timelines, the base and its own line were those in use at the time
    recovery_target_timeline: 'current',
    hot_standby: 'off',
  };
  const database = await startEmbedded({ dataDir: scratch, log, settings }).catch((error: Error) => {
    throw tooEarly(error);
  });
  await database.stop();
}

/** The server reports this error when its WAL ends before a change after the target. */
function tooEarly(error: Error): Error {
  if (!/recovery ended before configured recovery target/.test(error.message)) return error;
  const [, last] = /last completed transaction was at log time (\S+ [\d:]+)/.exec(error.message) ?? [];
  return new Refusal(
    `The WAL in the archive ends before this time${last ? `: give ${last.replace(' ', 'T')}Z or an earlier one` : ''}.`,
    { cause: error },
  );
}

type Rest = {
  mail: 'hold' | 'send';
  checks: Checks;
  storeMark: string;
  /** The passwords of the present cluster, which the new one will use as well. */
  passwords: string;
  restore: Restore;
};

export type Recovered = {
  sessions: number;
  heldMails: number;
  indexes: number | null;
  faults: string[];
  /** Keys of all files that rows name. */
  fileKeys: string[];
};

/** Makes a recovered database ready for use: migrations, sessions, leases, mails, checks. */
export async function makeUsable({ scratch, log }: Place, rest: Rest): Promise<Recovered> {
  if (await exists(rest.passwords)) await copyFile(rest.passwords, join(scratch, passwordFile));
  const database = await startEmbedded({ dataDir: scratch, log, resetPasswords: true });
  try {
    await migrate(database.ownerUrl, 'tenure_app');
    const { db } = connect({ url: database.ownerUrl, max: 1, queryTimeout: 3_600_000 });
    try {
      return { ...(await settle(db, rest)), fileKeys: await fileKeysOf(database.ownerUrl) };
    } finally {
      await db.destroy();
    }
  } finally {
    await database.stop();
  }
}

async function settle(
  db: Kysely<DB>,
  { mail, checks, storeMark, restore }: Rest,
): Promise<Omit<Recovered, 'fileKeys'>> {
  // on the pool's only connection
  await sql`set statement_timeout = 0`.execute(db);
  // before the mails that the restore itself sends
  const heldMails = mail === 'hold' ? await holdMails(db) : 0;
  const { sessions } = await afterRestore(db);
  await db.updateTable('installation').set({ store_id: storeMark, store_marked: true }).execute();
  const indexes = await checkIndexes(db);
  const faults = [...(await checks(db)), ...(indexes?.faults ?? [])];
  await recordRestore(db, restore, faults.length);
  return { sessions, heldMails, indexes: indexes?.count ?? null, faults };
}

async function fileKeysOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readFileKeys(client);
  } finally {
    await client.end();
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
