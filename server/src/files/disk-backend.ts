import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isKey, namesOlderThan, onDisk, ownFolder, StoreUnavailable, syncFolder } from './disk.ts';
import type { Disk } from './disk.ts';
import { markName, markOf } from './backend.ts';
import type { FileBackend } from './backend.ts';

/** Stores files in the folder `kept` below `root`; creates nothing until `prepareFolder`. */
export function diskBackend(root: string, disk: Disk = fs): FileBackend {
  const folder = join(root, 'kept');
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('No key of a file');
    return join(folder, key);
  };
  const mark = join(root, markName);
  return {
    name: root,
    put: async ({ path }, key) => put(disk, path, pathOf(key)),
    open: async (key) => openFile(pathOf(key)),
    sizeOf: async (key) => (await orNull(fs.stat(pathOf(key))))?.size ?? null,
    remove: async (key) => onDisk(disk.rm(pathOf(key), { force: true })),
    list: () => list(folder),
    listOld: async function* (before) {
      yield* await namesOlderThan(folder, before);
    },
    readMark: async () => {
      const content = await orNull(fs.readFile(mark, 'utf8'));
      return content === null ? null : markOf(content);
    },
    writeMark: (id) => onDisk(writeMark(root, mark, id)),
    isAway: () => false,
  };
}

/** Creates the folders, accessible only to the service. Two stores may share them. */
export async function prepareFolder(root: string): Promise<void> {
  for (const folder of [root, join(root, 'kept')]) await onDisk(ownFolder(folder));
  for (const folder of [root, dirname(root)]) await onDisk(syncFolder(fs, folder));
}

async function put(disk: Disk, from: string, path: string): Promise<void> {
  try {
    await onDisk(move(disk, from, path));
    await onDisk(syncFolder(disk, dirname(path)));
  } catch (error) {
    for (const left of [from, path]) await disk.rm(left, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Files arrive on another disk if `STORAGE_URL` names a folder outside `DATA_DIR`. */
async function move(disk: Disk, from: string, path: string): Promise<void> {
  try {
    await disk.rename(from, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyWhole(from, `${path}.draft`);
    await disk.rename(`${path}.draft`, path);
    await disk.rm(from, { force: true });
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  try {
    await fs.copyFile(from, to);
    await using handle = await fs.open(to, 'r+');
    await handle.sync();
  } catch (error) {
    await fs.rm(to, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function openFile(path: string) {
  const handle = await orNull(fs.open(path, 'r'));
  if (!handle) return null;
  const { size } = await onDisk(handle.stat());
  return { stream: handle.createReadStream(), size };
}

async function* list(folder: string) {
  for await (const { name } of await onDisk(fs.opendir(folder))) {
    const stats = isKey(name) ? await orNull(fs.stat(join(folder, name))) : null;
    if (stats) yield { key: name, size: stats.size };
  }
}

async function writeMark(root: string, path: string, id: string): Promise<void> {
  const draft = `${path}.draft`;
  await fs.writeFile(draft, `${id}\n`, { mode: 0o600, flush: true });
  await fs.rename(draft, path);
  await syncFolder(fs, root);
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  return onDisk(work).catch((error: unknown) => {
    if (error instanceof StoreUnavailable && error.code === 'ENOENT') return null;
    throw error;
  });
}
