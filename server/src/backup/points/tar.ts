import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startSha256 } from '../../crypto/crypto.ts';
import { Refusal } from '../refusal.ts';

const block = 512;
const isSafe = (name: string) => name !== '' && !name.startsWith('/') && !name.split('/').includes('..');

type Entry = { name: string; size: number; isFolder: boolean };

const textAt = (header: Buffer, start: number, length: number) =>
  header
    .subarray(start, start + length)
    .toString('utf8')
    .split('\0')[0] ?? '';

/** Parses a ustar header as PostgreSQL writes it: files and folders, no links. */
function entryOf(header: Buffer): Entry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const prefix = textAt(header, 345, 155);
  const name = `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, 100)}`.replace(/^\.\//, '');
  const type = String.fromCharCode(header[156] ?? 0);
  const size = Number.parseInt(textAt(header, 124, 12).trim(), 8);
  if (!isSafe(name) || !['0', '\0', '5'].includes(type) || !(size >= 0))
    throw new Refusal('The base backup contains an unexpected entry: use another copy of the archive.');
  return { name, size, isFolder: type === '5' };
}

/** Reads a stream in portions of the requested size. */
function reader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const some = async (most: number): Promise<Buffer> => {
    if (rest.length === 0) {
      const { value, done } = (await iterator.next()) as IteratorResult<Buffer, undefined>;
      if (done || !value) throw new Refusal('The base backup is incomplete: use another copy of the archive.');
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.length);
    return taken;
  };
  const exactly = async (size: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let left = size; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await some(left));
    return Buffer.concat(parts);
  };
  return { some, exactly };
}

type Reader = ReturnType<typeof reader>;

/** Writes the files of a base to a folder; returns the SHA-256 of each. */
export async function unpackTar(source: AsyncIterable<Buffer>, folder: string): Promise<Map<string, string>> {
  const from = reader(source);
  const sums = new Map<string, string>();
  for (let entry = entryOf(await from.exactly(block)); entry; entry = entryOf(await from.exactly(block))) {
    const path = join(folder, entry.name);
    await mkdir(entry.isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!entry.isFolder) sums.set(entry.name, await writeFile(path, entry.size, from));
  }
  return sums;
}

async function writeFile(path: string, size: number, from: Reader): Promise<string> {
  const hash = startSha256();
  // no sync: the server writes everything to the disk before it uses it
  const file: FileHandle = await open(path, 'wx', 0o600);
  try {
    for (let left = size; left > 0;) {
      const bytes = await from.some(left);
      hash.update(bytes);
      await file.writeFile(bytes);
      left -= bytes.length;
    }
  } finally {
    await file.close();
  }
  await from.exactly((block - (size % block)) % block);
  return hash.digest('hex');
}

type ServerManifest = { Files: { Path?: string; 'Encoded-Path'?: string; Checksum?: string }[] };

/** Compares the files with the server's manifest. */
export function compareWithManifest(sums: ReadonlyMap<string, string>, manifest: Buffer): void {
  const { Files } = JSON.parse(manifest.toString()) as ServerManifest;
  for (const { Path, 'Encoded-Path': encoded, Checksum } of Files) {
    const name = Path ?? Buffer.from(encoded ?? '', 'hex').toString('utf8');
    if (sums.get(name) !== Checksum)
      throw new Refusal(`The file ${name} of the base backup was changed or damaged: use another copy of the archive.`);
  }
}
