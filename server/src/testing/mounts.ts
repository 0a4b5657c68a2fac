import { execFileSync, spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Disks in memory, for tests of full, read-only or missing ones. Only root can mount them. */

export const mayMount =
  process.geteuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

if (!mayMount)
  process.stdout.write('No disk can be mounted here (root may): tests of full and read-only disks are skipped.\n');

export type Disk = {
  folder: string;
  /** Uses up the free space. */
  fill: () => void;
  /** Releases all of it. */
  clear: () => void;
  remount: (mode: 'ro' | 'rw') => void;
  /** Like pulling the cable; later writes go to the folder below the mount. */
  unplug: () => void;
  plug: () => void;
};

/** A disk of this size until the end of the test, such as `64m`. */
export async function mountDisk(size: string): Promise<Disk> {
  const root = await mkdtemp(join(tmpdir(), 'tenure-disk-'));
  const [disk, folder] = [join(root, 'disk'), join(root, 'mounted')];
  await mkdir(disk);
  await mkdir(folder);
  const unmount = (path: string) => void spawnSync('umount', ['-l', path]);
  onTestFinished(async () => {
    for (const path of [folder, disk]) unmount(path);
    await rm(root, { recursive: true, force: true });
  });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'none', disk]);
  const plug = () => void execFileSync('mount', ['--bind', disk, folder]);
  plug();
  const filler = join(folder, 'filler');
  const clear = () => void spawnSync('rm', ['-f', filler]);
  return {
    folder,
    plug,
    unplug: () => unmount(folder),
    clear,
    fill: () => {
      clear();
      const { bavail, bsize } = statfsSync(folder);
      execFileSync('fallocate', ['-l', String(bavail * bsize), filler]);
    },
    remount: (mode) => void execFileSync('mount', ['-o', `remount,bind,${mode}`, folder]),
  };
}
