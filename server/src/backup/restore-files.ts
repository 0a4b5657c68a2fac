import { randomId, startSha256 } from '../crypto/crypto.ts';
import { isKey, StoreUnavailable } from '../files/disk.ts';
import type { Incoming } from '../files/incoming.ts';
import type { FileBackend } from '../files/backend.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { maxUnpacked, readChunks } from './chunks.ts';
import type { ReadChunk } from './chunks.ts';
import type { Manifest } from './manifest.ts';
import { Refusal, refusalOf } from './refusal.ts';

type File = Manifest['files'][number];

/** Where the files of a backup go. */
export type FilesPlace = { incoming: Incoming; kept: FileBackend };

/**
 * Writes the files of a backup into a store and keeps those that exist. Compares each with its SHA-256. Returns the
 * mark of the store, which the restored database must know. `markStore` marks a store that has none.
 */
export async function restoreFiles(place: FilesPlace, { files }: Manifest, read: ReadChunk): Promise<string> {
  const { kept } = place;
  try {
    await mapConcurrently(files, async (file) => {
      if (!(await isThere(kept, file))) await writeFile(place, file, read);
    });
    return (await kept.readMark()) ?? randomId();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw refusedBy(kept, error);
    throw error;
  }
}

/** Marks a store as the restored database's. Comes last: a repeated restore would find it in use by another. */
export async function markStore({ kept }: FilesPlace, mark: string): Promise<void> {
  try {
    if ((await kept.readMark()) === null) await kept.writeMark(mark);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw refusedBy(kept, error);
    throw error;
  }
}

/** A disk error as a line for the operator; an object store's error already is one. */
function refusedBy({ name }: FileBackend, error: StoreUnavailable): unknown {
  const known = refusalOf(error.cause, name);
  return known instanceof Refusal ? known : new Refusal(error.message, { cause: error });
}

async function isThere(kept: FileBackend, { key, size, sha256 }: File): Promise<boolean> {
  if (!isKey(key))
    throw new Refusal(
      'The backup names a file with an invalid key: use another backup or another copy of the archive.',
    );
  if ((await kept.sizeOf(key)) !== size) return false;
  const found = await kept.open(key);
  const hash = startSha256();
  for await (const piece of found?.stream ?? []) hash.update(piece as Buffer);
  return hash.digest('hex') === sha256;
}

async function writeFile(
  { incoming, kept }: FilesPlace,
  { key, size, sha256, chunks }: File,
  read: ReadChunk,
): Promise<void> {
  const content = readChunks(read, { chunks, bytes: size }, maxUnpacked.file);
  const received = await incoming.receive(content, { maxBytes: Infinity });
  try {
    if (received.sha256 !== sha256 || received.size !== size)
      throw new Refusal(`The file ${key} in the backup is damaged: use another backup or another copy of the archive.`);
    await kept.put(received, key);
  } finally {
    await incoming.discard(received);
  }
}
