import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { contentOf } from '../s3/client.ts';
import type { S3Client } from '../s3/client.ts';
import { isKey, StoreUnavailable } from './disk.ts';
import type { Received } from './incoming.ts';
import { markName, markOf } from './backend.ts';
import type { FileBackend } from './backend.ts';
import { awayOf } from './watch-bucket.ts';
import type { Watch } from './watch-bucket.ts';

const folder = 'kept/';

/**
 * A request keeps its transaction open while a file is stored, and the database ends a transaction that is idle for ten
 * seconds. So a slower store counts as unavailable.
 */
const putMs = 8_000;

const hoursOfRound = 24;
const parts = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

/** The key prefixes that a sweep checks: each has its hour, so that the sweeps of a day list everything once. */
const partsOf = (now: number) => {
  const hour = new Date(now).getUTCHours();
  return parts.filter((_, index) => index % hoursOfRound === hour);
};

/** Stores files as objects `kept/<key>` below the prefix of an address. */
export function bucketBackend(client: S3Client, watch: Watch): FileBackend {
  const at = (key: string) => {
    if (!isKey(key)) throw new Error('No key of a file');
    return folder + key;
  };
  const { during } = watch;
  return {
    name: client.address.name,
    put: async (received, key) => {
      const name = at(key);
      try {
        await during(() => client.put(name, fileContent(received), putMs));
      } catch (error) {
        // this machine's disk could not be read
        throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error as Error);
      } finally {
        await rm(received.path, { force: true }).catch(() => undefined);
      }
    },
    open: async (key) => {
      const name = at(key);
      return during(() => client.get(name));
    },
    sizeOf: async (key) => {
      const name = at(key);
      return (await during(() => client.head(name)))?.size ?? null;
    },
    remove: async (key) => {
      const name = at(key);
      await during(() => client.remove(name));
    },
    list: () => list(client, folder),
    listOld: (before, now) => listOld(client, before, now),
    readMark: () => inStore(client, () => readMark(client)),
    writeMark: (mark) => inStore(client, () => client.put(markName, contentOf(Buffer.from(`${mark}\n`)))),
    isAway: watch.isAway,
    closeUntil: watch.closeUntil,
  };
}

const fileContent = ({ path, size, sha256 }: Received) => ({ size, sha256, open: () => createReadStream(path) });

/** The mark of a bucket's prefix. Also checks that the store is available, and what it allows this key to do. */
export async function readMark(client: S3Client): Promise<string | null> {
  const found = await client.get(markName);
  return found && markOf(await text(found.stream));
}

async function* list(client: S3Client, start: string) {
  for await (const entry of listed(client, start)) {
    const key = entry.key.slice(folder.length);
    if (isKey(key)) yield { key, size: entry.size, changedAt: entry.changedAt };
  }
}

async function* listed(client: S3Client, start: string) {
  try {
    for await (const entry of client.list(start)) if ('key' in entry) yield entry;
  } catch (error) {
    throw awayOf(client.address.name, error);
  }
}

async function* listOld(client: S3Client, before: number, now: number) {
  for (const part of partsOf(now))
    for await (const { key, changedAt } of list(client, folder + part)) if (changedAt < before) yield key;
}

async function inStore<T>({ address }: S3Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw awayOf(address.name, error);
  }
}
