import type { Text } from '@tenure/contract';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { startSha256 } from '../crypto/crypto.ts';
import { isKey, namesOlderThan, onDisk, ownFolder, randomKey, StoreUnavailable, sweepAgeMs } from './disk.ts';
import type { Disk } from './disk.ts';
import { tooLarge } from './limits.ts';

/** A completely received file, safe on disk and not yet referenced. */
export type Received = {
  /** Readable path until it is kept or discarded. */
  path: string;
  size: number;
  /** 64 lower-case hex digits. */
  sha256: string;
};

export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The folder for files being received. */
export type Incoming = {
  /** Receives a file of at most `maxBytes`. If the source fails or is larger, nothing remains. */
  receive: (source: Source, limit: { maxBytes: number }) => Promise<Received>;
  /** Discards a received file. Has no effect once it is kept, so that it can be called in a `finally`. */
  discard: (received: Received) => Promise<void>;
  freeBytes: () => Promise<number>;
  /** Removes the remains of requests that were interrupted more than an hour ago. */
  sweepIncoming: (now: number) => Promise<number>;
};

/** The file exceeds the limit; `refusal` is a message about its field. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  readonly refusal: Text;
  constructor(maxBytes: number) {
    super(`The file has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
    this.refusal = tooLarge(maxBytes);
  }
}

type Room = {
  disk?: Disk;
  /** Bytes to leave free for the database. */
  reserve?: number;
};

/** Opens or creates the folder below `root` for files being received. */
export async function openIncoming(root: string, { disk = fs, reserve = 0 }: Room = {}): Promise<Incoming> {
  const folder = join(root, 'incoming');
  for (const own of [root, folder]) await onDisk(ownFolder(own));
  const freeBytes = async () => {
    const { bavail, bsize } = await onDisk(disk.statfs(root));
    return bavail * bsize;
  };
  const requireRoom = async () => {
    if (reserve > 0 && (await freeBytes()) < reserve)
      throw new StoreUnavailable(Object.assign(new Error('The reserve of the disk is reached'), { code: 'ENOSPC' }));
  };
  return {
    receive: (source, { maxBytes }) => receive(disk, join(folder, randomKey()), { source, maxBytes, requireRoom }),
    discard: ({ path }) => onDisk(disk.rm(path, { force: true })),
    freeBytes,
    sweepIncoming: (now) => sweep(folder, now),
  };
}

type Receiving = { source: Source; maxBytes: number; requireRoom: () => Promise<void> };

async function receive(disk: Disk, path: string, receiving: Receiving): Promise<Received> {
  const handle = await onDisk(disk.open(path, 'wx', 0o600));
  try {
    const arrived = await copy(handle, receiving);
    // Synced here and not when it is kept: only the handle that wrote is sure to get the error of an earlier write.
    await onDisk(handle.sync());
    await onDisk(handle.close());
    return { path, ...arrived };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await disk.rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Bytes of a file after which free space is checked again, because many large files may arrive at once. */
const stride = 4 * 1_024 * 1_024;

async function copy(handle: fs.FileHandle, { source, maxBytes, requireRoom }: Receiving) {
  const hash = startSha256();
  let size = 0;
  let lookAt = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    if (size > lookAt) {
      await requireRoom();
      lookAt = size + stride;
    }
    hash.update(chunk);
    await onDisk(handle.appendFile(chunk));
  }
  return { size, sha256: hash.digest('hex') };
}

async function sweep(folder: string, now: number): Promise<number> {
  const old = await namesOlderThan(folder, now - sweepAgeMs);
  for (const name of old.filter(isKey)) await onDisk(fs.rm(join(folder, name), { force: true }));
  return old.length;
}
