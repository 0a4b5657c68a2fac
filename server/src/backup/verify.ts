import { startSha256 } from '../crypto/crypto.ts';
import type { Archive } from './archive.ts';
import { chunkReader, maxUnpacked, pathOfChunk, readChunks } from './chunks.ts';
import type { ReadChunk } from './chunks.ts';
import { cipherToRead } from './encryption.ts';
import type { Secrets } from './encryption.ts';
import { isEncrypted, readManifest, readNames } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';

export type Verified = {
  id: string;
  chunks: number;
  /** False without a key: the files exist, but their content was not read. */
  wasRead: boolean;
  manifestSha256?: string;
};

/** Reads a whole backup and compares it with its manifest; without a key, checks that all its files exist. */
export async function verifyBackup(archive: Archive, id: string, secrets: Secrets): Promise<Verified> {
  const names = await readNames(archive, id);
  for (const name of names)
    if ((await archive.size(pathOfChunk(name))) === 0)
      throw new Refusal(`The backup ${id} lacks ${pathOfChunk(name)}: make a new one, or use another copy.`);
  const open = await cipherToRead(archive, secrets);
  if (!open && (await isEncrypted(archive, id))) return { id, chunks: names.length, wasRead: false };
  const { manifest, sha256, open: reader } = await readManifest(archive, id, open);
  const read = chunkReader(archive, Buffer.from(manifest.naming_key, 'hex'), reader);
  for (const [name, table] of Object.entries(manifest.tables)) {
    let rows = 0;
    for await (const chunk of readChunks(read, table, maxUnpacked.rows)) rows += countRows(chunk);
    if (rows !== table.rows)
      throw new Refusal(
        `The backup ${id} contains only ${rows} of ${table.rows} rows of ${name}: make a new one, or use another copy.`,
      );
  }
  for (const file of manifest.files) await verifyFile(file, read);
  return { id, chunks: names.length, wasRead: true, manifestSha256: sha256 };
}

async function verifyFile({ key, sha256, size, chunks }: Manifest['files'][number], read: ReadChunk): Promise<void> {
  const hash = startSha256();
  for await (const chunk of readChunks(read, { chunks, bytes: size }, maxUnpacked.file)) hash.update(chunk);
  if (hash.digest('hex') !== sha256)
    throw new Refusal(`The file ${key} in the backup is damaged: use another backup or another copy of the archive.`);
}

function countRows(chunk: Buffer): number {
  let rows = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
  return rows;
}
