import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes, startSha256 } from '../crypto/crypto.ts';
import { syncFolder } from '../db/data-dir.ts';
import { openStore } from '../files/store.ts';
import type { ReadChunk } from './chunks.ts';
import type { Manifest } from './manifest.ts';
import { Refusal, refusalOf } from './refusal.ts';

type File = Manifest['files'][number];

/** Writes the files of a backup into a store; those that are there stay. Each is compared with its SHA-256. */
export async function restoreFiles(folder: string, { files }: Manifest, read: ReadChunk): Promise<void> {
  try {
    await openStore(folder);
    for (const file of files) if (!(await isThere(folder, file))) await writeFile(folder, file, read);
    await syncFolder(join(folder, 'kept'));
  } catch (error) {
    throw refusalOf((error as Error).cause ?? error, folder);
  }
}

async function isThere(folder: string, { key, size, sha256 }: File): Promise<boolean> {
  const path = join(folder, 'kept', key);
  const found = await stat(path).catch(() => undefined);
  if (found?.size !== size) return false;
  const hash = startSha256();
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex') === sha256;
}

async function writeFile(folder: string, { key, sha256, chunks }: File, read: ReadChunk): Promise<void> {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Refusal('The backup names a file that is none of the store.');
  // a draft of the store, which sweeps those that are left behind
  const draft = join(folder, 'incoming', randomBytes(16).toString('hex'));
  const hash = startSha256();
  const handle = await open(draft, 'wx', 0o600);
  try {
    for (const name of chunks) {
      const piece = await read(name);
      hash.update(piece);
      await handle.appendFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (hash.digest('hex') !== sha256) throw new Refusal(`The file ${key} in the backup is not as it was.`);
  await rename(draft, join(folder, 'kept', key));
}
