import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from '../crypto/crypto.ts';
import { makeFolder } from '../make-folder.ts';

/** The disk calls that write or query free space, so that tests can inject failures. */
export type Disk = Pick<typeof fs, 'open' | 'rename' | 'rm' | 'statfs'>;

/** The disk or the object store is full, broken or unavailable; nothing was stored. */
export class StoreUnavailable extends Error {
  readonly code: string;
  readonly retryAfter = 30;
  constructor(cause: Error & { code?: string }, message = `The file store answered ${cause.code ?? cause.message}`) {
    super(message, { cause });
    this.code = cause.code ?? 'UNKNOWN';
  }
}

/** Older remains of interrupted requests are removed. */
export const sweepAgeMs = 60 * 60 * 1_000;

/** A random name for a file. */
export const randomKey = (): string => randomBytes(16).toString('hex');
export const isKey = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

export async function ownFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await fs.chmod(folder, 0o700);
}

export async function syncFolder(disk: Pick<Disk, 'open'>, folder: string): Promise<void> {
  // Windows cannot sync a folder handle; its file system journals the names itself.
  if (process.platform === 'win32') return;
  const handle = await disk.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The keys in a folder that have existed since before a moment, in milliseconds since 1970. */
export async function namesOlderThan(folder: string, moment: number): Promise<string[]> {
  const old: string[] = [];
  for await (const entry of await onDisk(fs.opendir(folder))) {
    if (!isKey(entry.name)) continue;
    const stats = await fs.stat(join(folder, entry.name)).catch(() => null);
    // The change time includes renames, the modification time does not.
    if (stats && stats.ctimeMs < moment) old.push(entry.name);
  }
  return old;
}

/** Converts disk errors to `StoreUnavailable`; the sender's errors stay as they are. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StoreUnavailable(error as NodeJS.ErrnoException);
  }
}
