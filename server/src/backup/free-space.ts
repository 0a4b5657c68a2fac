import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Archive } from './archive.ts';
import { noSpaceIn, Refusal, refusalOf } from './refusal.ts';

const everyMs = 500;
const inMegabytes = (bytes: number) => Math.round(bytes / 1_048_576);

/** Free bytes; for a folder that does not exist yet, those where it would be. */
async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestOf(resolve(folder)));
  return bavail * bsize;
}

/** The folder, or its nearest existing parent. */
const nearestOf = async (path: string): Promise<string> =>
  (await stat(path).catch(() => undefined)) || dirname(path) === path ? path : nearestOf(dirname(path));

/** One segment of WAL. A server that cannot write another one exits, without telling its clients about the disk. */
const fullBelow = 16 * 1_048_576;

/** An error of work in `folder` as a line for the operator, if its cause is a full disk. */
export async function refusalOnDisk(thrown: unknown, folder: string): Promise<unknown> {
  const known = refusalOf(thrown, folder);
  if (known instanceof Refusal) return known;
  const isFull =
    /No space left on device/.test((thrown as Error).message) ||
    (await freeOf(folder).catch(() => Infinity)) < fullBelow;
  return isFull ? noSpaceIn(folder, thrown) : thrown;
}

export type SpaceWatch = {
  /** Aborts once less than the reserve is free, with a refusal as its reason. */
  signal: AbortSignal;
  /** Checks now, in addition to every half second. */
  checkNow: () => Promise<void>;
  stop: () => void;
};

/** Watches that `reserve` bytes of a disk stay free, no matter what fills it. */
export function watchFreeSpace(folder: string, reserve: number): SpaceWatch {
  const low = new AbortController();
  const checkNow = async () => {
    if ((await freeOf(folder)) >= reserve || low.signal.aborted) return;
    low.abort(
      new Refusal(
        `${folder} has less than DISK_RESERVE_MB (${inMegabytes(reserve)} MB) left, so the restore was stopped: ` +
          'free some space, or choose another folder.',
      ),
    );
  };
  // if the folder cannot be read, the work itself reports it
  const timer = setInterval(() => void checkNow().catch(() => undefined), everyMs).unref();
  return { signal: low.signal, checkNow, stop: () => clearInterval(timer) };
}

type Disk = {
  dataDir: string;
  /** Bytes to keep free. */
  reserve: number;
};

/**
 * An archive that refuses to write when less than the reserve would be free on the disk of DATA_DIR, if both share it.
 * @throws {Refusal} if less is free already
 */
export async function keepReserve(archive: Archive, disk: Disk): Promise<Archive> {
  if (!archive.isOnDisk) return archive;
  const checkNow = async (needed: number) => {
    if (await shareDisk(archive.root, disk.dataDir)) await refuseLow(archive.root, disk, needed);
  };
  await checkNow(0);
  const write: Archive['write'] = async (path, content) => {
    await checkNow(content.length);
    await archive.write(path, content);
  };
  return { ...archive, write };
}

async function refuseLow(root: string, { dataDir, reserve }: Disk, needed: number): Promise<void> {
  if ((await freeOf(dataDir)) - needed >= reserve) return;
  throw new Refusal(
    `${root} is on the disk of DATA_DIR, which would have less than DISK_RESERVE_MB (${inMegabytes(reserve)} MB) left: ` +
      'free some space, or give a folder on another disk.',
  );
}

/** An archive that is mounted in the meantime is on another disk from then on. */
async function shareDisk(root: string, dataDir: string): Promise<boolean> {
  const [one, other] = await Promise.all([diskOf(resolve(root)), diskOf(resolve(dataDir))]);
  return one === other;
}

const diskOf = async (path: string): Promise<number> => (await stat(await nearestOf(path))).dev;
