import { open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFolder, lockDataDir, prepareDataDir } from '../db/data-dir.ts';
import { stopStray } from '../db/embedded/processes.ts';
import { Refusal } from './refusal.ts';

const lockName = 'service.lock';

export type Claim = {
  /** Removes the folder and releases its lock. */
  remove: () => Promise<void>;
};

/** Takes a folder for this process and empties it. The lock is there before anything else is written. */
export async function claimScratch(scratch: string): Promise<Claim> {
  const inode = async () => (await stat(join(scratch, lockName))).ino;
  const empty = async () => {
    for (const name of await readdir(scratch))
      if (name !== lockName) await rm(join(scratch, name), { recursive: true, force: true });
  };
  const take = async () => {
    await (await open(join(scratch, lockName), 'a', 0o600)).close();
    const before = await inode();
    const lock = await lockDataDir(scratch);
    if ((await inode().catch(() => undefined)) === before) return lock;
    // another process removed the file between the two calls: this lock keeps no one out
    lock.release();
    throw new Error('The lock was removed.');
  };
  const busy = (cause: unknown) =>
    new Refusal(`Another restore is running in ${scratch}: wait until it has ended.`, { cause });
  await prepareDataDir(scratch).catch((error: NodeJS.ErrnoException) => {
    // another process has just removed it
    throw error.code === 'ENOENT' ? busy(error) : error;
  });
  const lock = await take().catch((error: NodeJS.ErrnoException) => {
    throw ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'].includes(error.code ?? '') ? error : busy(error);
  });
  const remove = async () => {
    try {
      await empty();
      // a restore that starts now locks a new file of its own, and the folder stays
      await rm(join(scratch, lockName));
      await rmdir(scratch);
    } catch {
      // the next restore clears it
    } finally {
      lock.release();
    }
  };
  try {
    await stopStray(clusterFolder(scratch));
    await empty();
  } catch (error) {
    lock.release();
    throw error;
  }
  return { remove };
}
