import type { Text } from '@tenure/contract';
import type { ReadStream, StatsFs } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes, startSha256 } from '../crypto/crypto.ts';
import { tooLarge } from './limits.ts';

/** The changing calls of the disk, so that tests can inject failures. */
export type Disk = Pick<typeof fs, 'open' | 'rename' | 'rm'>;

/** A completely received file, safe on disk and not yet referenced. */
export type Received = {
  /** Readable path until it is kept or discarded. */
  path: string;
  size: number;
  /** 64 lower-case hex digits. */
  sha256: string;
};

export type FileStore = {
  /** Receives a file of at most `maxBytes`. A source that fails or is larger leaves nothing. */
  receive: (source: Source, limit: { maxBytes: number }) => Promise<Received>;
  /** Moves a received file to its final place. After this the file survives a power cut; then its row is written. */
  keep: (received: Received) => Promise<string>;
  /** Discards a received file. Has no effect after `keep`, so that it can be in a `finally`. */
  discard: (received: Received) => Promise<void>;
  /** The content of a kept file, or null when there is none under the key. */
  open: (key: string) => Promise<{ stream: ReadStream; size: number } | null>;
  /** Removes a kept file; removing it twice is no error. */
  remove: (key: string) => Promise<void>;
  /**
   * Removes files of interrupted requests: received ones, and kept ones without a reference, both when older than an
   * hour. A file marked for deletion counts as referenced.
   */
  sweep: (task: SweepTask) => Promise<{ received: number; kept: number }>;
  freeBytes: () => Promise<number>;
};

export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export type SweepTask = {
  /** Returns the keys that have a row. */
  isReferenced: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds since 1970. */
  now: number;
};

/** The file exceeds the limit; `refusal` is the message about its field. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  readonly refusal: Text;
  constructor(maxBytes: number) {
    super(`The file has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
    this.refusal = tooLarge(maxBytes);
  }
}

/** The disk is full, broken or gone; nothing was stored. */
export class StoreUnavailable extends Error {
  readonly code: string;
  readonly retryAfter = 30;
  constructor(cause: NodeJS.ErrnoException) {
    super(`The file store answered ${cause.code ?? cause.message}`, { cause });
    this.code = cause.code ?? 'UNKNOWN';
  }
}

const SWEEP_AGE_MS = 60 * 60 * 1_000;
const SWEEP_BATCH = 500;
const randomName = () => randomBytes(16).toString('hex');
const isKey = (name: string) => /^[0-9a-f]{32}$/.test(name);

/** Opens or creates the store in the folder `root`. Two stores may share a folder. */
export async function openStore(root: string, disk: Disk = fs): Promise<FileStore> {
  const incoming = join(root, 'incoming');
  const kept = join(root, 'kept');
  for (const folder of [root, incoming, kept]) await onDisk(ownFolder(folder));
  for (const folder of [root, dirname(root)]) await onDisk(syncFolder(fs, folder));

  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('No key of a file');
    return join(kept, key);
  };
  const discard = ({ path }: Received) => onDisk(disk.rm(path, { force: true }));
  return {
    receive: (source, { maxBytes }) => receive(disk, join(incoming, randomName()), source, maxBytes),
    keep: (received) => keep(disk, received, kept),
    discard,
    open: async (key) => openKept(pathOf(key)),
    remove: async (key) => onDisk(disk.rm(pathOf(key), { force: true })),
    sweep: async (task) => ({ received: await sweepIncoming(incoming, task.now), kept: await sweepKept(kept, task) }),
    freeBytes: async () => free(await onDisk(fs.statfs(root))),
  };
}

async function receive(disk: Disk, path: string, source: Source, maxBytes: number): Promise<Received> {
  const handle = await onDisk(disk.open(path, 'wx', 0o600));
  try {
    const arrived = await copy(source, handle, maxBytes);
    // Synced here and not in `keep`: only the handle that wrote is sure to get the error of an earlier write.
    await onDisk(handle.sync());
    await onDisk(handle.close());
    return { path, ...arrived };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await disk.rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function copy(source: Source, handle: fs.FileHandle, maxBytes: number) {
  const hash = startSha256();
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    hash.update(chunk);
    await onDisk(handle.appendFile(chunk));
  }
  return { size, sha256: hash.digest('hex') };
}

async function keep(disk: Disk, received: Received, folder: string): Promise<string> {
  const key = randomName();
  const path = join(folder, key);
  try {
    await onDisk(disk.rename(received.path, path));
    await onDisk(syncFolder(disk, folder));
    return key;
  } catch (error) {
    for (const left of [received.path, path]) await disk.rm(left, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function openKept(path: string) {
  const handle = await onDisk(fs.open(path, 'r')).catch((error: unknown) => {
    if (error instanceof StoreUnavailable && error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return null;
  const { size } = await onDisk(handle.stat());
  return { stream: handle.createReadStream(), size };
}

async function sweepIncoming(folder: string, now: number): Promise<number> {
  const old = await namesOlderThanAnHour(folder, now);
  for (const name of old) await onDisk(fs.rm(join(folder, name), { force: true }));
  return old.length;
}

async function sweepKept(folder: string, { isReferenced, now }: SweepTask): Promise<number> {
  const old = await namesOlderThanAnHour(folder, now);
  let removed = 0;
  for (let start = 0; start < old.length; start += SWEEP_BATCH) {
    const keys = old.slice(start, start + SWEEP_BATCH);
    const referenced = await isReferenced(keys);
    for (const key of keys.filter((key) => !referenced.has(key))) {
      await onDisk(fs.rm(join(folder, key), { force: true }));
      removed += 1;
    }
  }
  return removed;
}

async function namesOlderThanAnHour(folder: string, now: number): Promise<string[]> {
  const old: string[] = [];
  for await (const entry of await onDisk(fs.opendir(folder))) {
    if (!isKey(entry.name)) continue;
    const stats = await fs.stat(join(folder, entry.name)).catch(() => null);
    // The change time includes renames, the modification time does not.
    if (stats && now - stats.ctimeMs > SWEEP_AGE_MS) old.push(entry.name);
  }
  return old;
}

async function ownFolder(folder: string) {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await fs.chmod(folder, 0o700);
}

async function syncFolder(disk: Pick<Disk, 'open'>, folder: string) {
  // Windows cannot sync a folder handle; its file system journals the names itself.
  if (process.platform === 'win32') return;
  const handle = await disk.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const free = ({ bavail, bsize }: StatsFs) => bavail * bsize;

/** Converts disk errors to `StoreUnavailable`; errors of the sender stay as they are. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StoreUnavailable(error as NodeJS.ErrnoException);
  }
}
