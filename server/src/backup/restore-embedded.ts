import { copyFile, mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { clusterFolder, hasCluster, lockDataDir, prepareDataDir } from '../db/data-dir.ts';
import { startEmbedded, startLocked } from '../db/embedded.ts';
import { stopStray } from '../db/embedded/processes.ts';
import { finishMoves, moveIntoPlace } from '../db/restore-moves.ts';
import type { Moves, ScratchName } from '../db/restore-moves.ts';
import { openIncoming } from '../files/incoming.ts';
import { diskBackend, prepareFolder } from '../files/disk-backend.ts';
import type { ReadChunk } from './chunks.ts';
import { claimScratch } from './claim-scratch.ts';
import type { Claim } from './claim-scratch.ts';
import { nameOfTime } from './manifest.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { refusalOnDisk, watchFreeSpace } from './free-space.ts';
import { restoreDatabase } from './restore.ts';
import type { RestoreTask, Restored } from './restore.ts';
import { markStore, restoreFiles } from './restore-files.ts';
import type { FilesPlace } from './restore-files.ts';
import { rowsOfBackup } from './rows.ts';
import type { Content } from './rows.ts';

type Rest = Pick<RestoreTask, 'mail' | 'checks' | 'restore' | 'step'>;

// the new cluster need not survive a crash until it is in place; the shutdown writes everything to disk
const fast = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  // a single transaction creates and drops all tables and indexes
  max_locks_per_transaction: 1_024,
};

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

type Wanted = {
  /** False if the files are stored elsewhere. */
  withFiles?: boolean;
  /** Bytes to keep free. */
  reserve?: number;
};

/** The bytes that the rows, their indexes and the files may take. */
export function requiredBytes(
  { manifest }: Pick<Content, 'manifest'>,
  { withFiles = true, reserve = 0 }: Wanted = {},
): number {
  const rows = Object.values(manifest.tables).reduce((total, { bytes }) => total + bytes, 0);
  const files = withFiles ? manifest.files.reduce((total, { size }) => total + size, 0) : 0;
  return 3 * rows + files + 200_000_000 + reserve;
}

/** Refuses a folder without enough space for the rows, their indexes and the files. */
const requireSpaceFor = (folder: string, content: Content, wanted: Wanted = {}): Promise<void> =>
  requireFreeBytes(folder, requiredBytes(content, wanted), 'restore');

/** Refuses a folder with fewer free bytes than the work needs. */
export async function requireFreeBytes(folder: string, needed: number, work: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new Refusal(
      `${folder} has ${Math.round((bavail * bsize) / 1e6)} MB free, but the ${work} needs about ` +
        `${Math.round(needed / 1e6)} MB: free some space, or choose another folder.`,
    );
}

type Scratch = {
  scratch: string;
  log: Logger;
  /** Aborts the work with the signal's reason as the error. */
  signal?: AbortSignal;
  /** The caller holds the lock of the folder. */
  isLocked?: boolean;
};

/** Builds a cluster with its files in its own folder below `dataDir` and returns it stopped. */
async function buildCluster(
  place: Scratch,
  { manifest, read }: Content,
  { files, ...rest }: Rest & { files: FilesPlace },
): Promise<Restored> {
  const storeMark = await restoreFiles(files, manifest, read);
  rest.step?.('Files copied');
  const mark = () => markStore(files, storeMark);
  return fillCluster(place, { ...rest, storeMark, markStore: mark, rows: rowsOfBackup(manifest, read) });
}

/** The same without files. */
export async function fillCluster(
  { scratch, log, signal, isLocked = false }: Scratch,
  task: Omit<RestoreTask, 'ownerUrl' | 'appRole'>,
): Promise<Restored> {
  signal?.throwIfAborted();
  const start = isLocked ? startLocked : startEmbedded;
  const database = await start({ dataDir: scratch, log, settings: fast });
  // building an index does not check the signal
  const cutOff = () => void database.stop('immediate').catch(() => undefined);
  signal?.addEventListener('abort', cutOff);
  try {
    signal?.throwIfAborted();
    return await restoreDatabase({ ...task, ownerUrl: database.ownerUrl, appRole: 'tenure_app' });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', cutOff);
    await database.stop();
  }
}

/** A place for files in the folder of a cluster that is being built. */
async function folderIn(scratch: string): Promise<FilesPlace> {
  const root = join(scratch, 'files');
  await prepareFolder(root);
  return { incoming: await openIncoming(root), kept: diskBackend(root) };
}

/** Removes the remains of a killed restore. */
export async function clearScratch(scratch: string): Promise<void> {
  if (!(await exists(scratch))) return;
  const lock = await lockDataDir(scratch).catch(() => {
    throw new Refusal(`Another restore is running in ${scratch}: wait until it has ended.`);
  });
  await stopStray(clusterFolder(scratch));
  lock.release();
  await rm(scratch, { recursive: true, force: true });
}

type Place = { dataDir: string; log: Logger };

/**
 * Restores into a scratch cluster and deletes it. The service may run meanwhile, and `reserve` bytes of the disk stay
 * free: the restore stops when it, or anything else, would take more.
 */
export async function checkRestore(
  { dataDir, log, reserve }: Place & { reserve: number },
  content: Content,
  rest: Rest,
): Promise<Restored> {
  const scratch = join(dataDir, 'restore-check');
  const space = watchFreeSpace(dataDir, reserve);
  const read: ReadChunk = async (name, most) => {
    await space.checkNow();
    space.signal.throwIfAborted();
    return content.read(name, most);
  };
  let claim: Claim | undefined;
  try {
    await prepareDataDir(dataDir);
    claim = await claimScratch(scratch);
    await requireSpaceFor(dataDir, content, { reserve });
    const files = await folderIn(scratch);
    const place = { scratch, log, signal: space.signal, isLocked: true };
    return await buildCluster(place, { ...content, read }, { ...rest, files });
  } catch (error) {
    throw refusalOf(error, dataDir);
  } finally {
    space.stop();
    await claim?.remove();
  }
}

export type Plan = {
  /** Keeps existing data under another name. */
  replace: boolean;
  /** Whether the files are in the folder that belongs to the cluster. */
  withFiles: boolean;
};

/** Describes what a restore into DATA_DIR will do. Whatever it refuses, nothing has changed. */
export async function planEmbedded(dataDir: string, plan: Plan, content: Content): Promise<string[]> {
  if (await exists(dataDir)) {
    await refuseRunning(dataDir);
    await requireSpaceFor(dataDir, content, plan);
  }
  return planReplace(dataDir, plan);
}

/** What happens to the existing database; refused unless it is to be kept. */
export async function planReplace(dataDir: string, { replace, withFiles }: Plan): Promise<string[]> {
  if (!(await hasCluster(dataDir))) return [`put the database of the backup into ${clusterFolder(dataDir)}`];
  if (!replace)
    throw new Refusal(
      `DATA_DIR ${dataDir} contains a database: add --replace to keep it beside the restored one, or choose another DATA_DIR.`,
    );
  for (const name of withFiles ? ['postgres', 'files'] : ['postgres'])
    if (await isMountPoint(dataDir, name))
      throw new Refusal(
        `${join(dataDir, name)} is a mount point of its own: mount its disk as DATA_DIR instead, or restore elsewhere.`,
      );
  const kept = `keep the database that is in ${dataDir} as postgres.before-<time>`;
  return withFiles
    ? [`${kept}, and its files as files.before-<time>`, 'put the database and the files of the backup in their place']
    : [kept, 'put the database of the backup in its place'];
}

/** @throws {Refusal} that names the process of the service */
export async function refuseRunning(dataDir: string): Promise<void> {
  const lock = await lockDataDir(dataDir).catch((error: Error) => {
    throw refusalOf(error, dataDir);
  });
  lock.release();
}

export async function isMountPoint(dataDir: string, name: string): Promise<boolean> {
  const [folder, inner] = await Promise.all([stat(dataDir), stat(join(dataDir, name)).catch(() => undefined)]);
  return inner !== undefined && inner.dev !== folder.dev;
}

type Target = Place & {
  /** The store of the settings, unless it is the folder in DATA_DIR that is swapped together with the cluster. */
  files: FilesPlace | undefined;
};

/**
 * Works in its own folder in DATA_DIR, whose service must not run. The folder starts with a copy of the passwords of
 * DATA_DIR, so that their file fits the database before and after, and is removed at the end.
 */
export async function withScratch<T>(
  dataDir: string,
  name: ScratchName,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = join(dataDir, name);
  try {
    await prepareDataDir(dataDir);
    const lock = await lockDataDir(dataDir);
    try {
      await finishMoves(dataDir);
      await clearScratch(scratch);
      await mkdir(scratch, { mode: 0o700 });
      if (await exists(join(dataDir, 'database.json')))
        await copyFile(join(dataDir, 'database.json'), join(scratch, 'database.json'));
      return await work(scratch);
    } catch (error) {
      // before removing the scratch folder frees the disk
      throw await refusalOnDisk(error, dataDir);
    } finally {
      await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
      lock.release();
    }
  } catch (error) {
    throw refusalOf(error, dataDir);
  }
}

/** Restores into DATA_DIR, whose service must not run. The previous data is kept beside it and survives any error. */
export async function restoreEmbedded(
  { dataDir, log, files }: Target,
  content: Content,
  rest: Rest,
): Promise<Restored & { kept: string | undefined }> {
  return withScratch(dataDir, 'restore', async (scratch) => {
    await requireSpaceFor(dataDir, content, { withFiles: files === undefined });
    const target = files ?? (await folderIn(scratch));
    const restored = await buildCluster({ scratch, log }, content, { ...rest, files: target });
    const suffix = `before-${nameOfTime(Temporal.Now.instant().toString())}`;
    const kept = (await hasCluster(dataDir)) ? `postgres.${suffix}` : undefined;
    await moveIntoPlace(dataDir, files ? movesOf(suffix).filter(isNotFilesMove) : movesOf(suffix));
    rest.step?.('Put in place');
    return { ...restored, kept };
  });
}

/** Skips files and folders that do not exist; no move overwrites an existing one. */
export const movesOf = (suffix: string): Moves => [
  ['postgres', `postgres.${suffix}`],
  ['files', `files.${suffix}`],
  ['restore/postgres', 'postgres'],
  ['restore/files', 'files'],
  ['restore/database.json', 'database.json'],
];

/** Files stored elsewhere stay where they are. */
export const isNotFilesMove = ([, to]: Moves[number]) => !to.startsWith('files');
