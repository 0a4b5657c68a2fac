import { buffer } from 'node:stream/consumers';
import type { S3Address } from '../s3/address.ts';
import { contentOf, openS3 } from '../s3/client.ts';
import type { S3Client } from '../s3/client.ts';
import { inWords, S3Error } from '../s3/errors.ts';
import { descriptionIn, maxReadBytes, tooLargeIn } from './archive.ts';
import type { Archive } from './archive.ts';
import { Refusal } from './refusal.ts';

/** An archive in an object store: each file is an object. An object is complete or absent. */
export function openBucketArchive(address: S3Address, client: S3Client = openS3(address)): Archive {
  const root = address.name;
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw error instanceof S3Error ? new Refusal(inWords(root, error), { cause: error }) : error;
    }
  };
  const read: Archive['read'] = (path, most = maxReadBytes) => guarded(readObject(client, path, most));
  return {
    root,
    isOnDisk: false,
    describe: async () => descriptionIn(root, await read('archive.json')),
    read,
    write: (path, content) => guarded(client.put(path, contentOf(Buffer.from(content)))),
    size: async (path) => (await guarded(client.head(path)))?.size ?? 0,
    // copying an object onto itself would set the time, but leave a version behind in versioned buckets
    touch: async () => false,
    list: (folder) => guarded(namesIn(client, folder === '.' ? '' : `${folder}/`)),
    changedAt: async (path) => (await guarded(client.head(path)))?.changedAt ?? (await guarded(newest(client, path))),
    remove: (path) => guarded(removeAll(client, path)),
  };
}

async function readObject(client: S3Client, path: string, most: number): Promise<Buffer | undefined> {
  const found = await client.get(path);
  if (!found) return undefined;
  // a response has no more bytes than its header said
  if (found.size <= most) return buffer(found.stream);
  found.stream.destroy();
  throw tooLargeIn(client.address.name, path);
}

async function namesIn(client: S3Client, start: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of client.list(start, true)) {
    const path = 'key' in entry ? entry.key : entry.folder.replace(/\/$/, '');
    if (path !== start) names.push(path.slice(start.length));
  }
  return names;
}

async function below(client: S3Client, path: string) {
  const found = [];
  for await (const entry of client.list(`${path}/`)) if ('key' in entry) found.push(entry);
  return found;
}

/** When the last object of a folder was written. */
const newest = async (client: S3Client, path: string): Promise<number> =>
  Math.max(0, ...(await below(client, path)).map(({ changedAt }) => changedAt));

/** In reverse order, so that a backup first loses its manifest, without which it no longer counts as a backup. */
async function removeAll(client: S3Client, path: string): Promise<void> {
  const keys = (await below(client, path)).map(({ key }) => key).toSorted();
  for (const key of keys.toReversed()) await client.remove(key);
  await client.remove(path);
}
