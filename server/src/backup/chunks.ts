import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { equal, hkdf, hmac } from '../crypto/crypto.ts';
import type { Archive } from './archive.ts';
import type { Cipher } from './encryption.ts';
import { Refusal } from './refusal.ts';

const MiB = 1_024 * 1_024;
const smallest = MiB;
const largest = 8 * MiB;
/**
 * The largest accepted chunk, whatever a damaged or hostile archive claims, because chunks are unpacked in memory. A
 * file is cut after the piece that fills a chunk; a large row has a chunk to itself, and none of our rows comes close.
 */
export const maxUnpacked = { file: largest + MiB, rows: 128 * MiB } as const;
/** On average one row in this many ends a chunk that is large enough. */
const rowsPerCut = 2_048;

const newline = 10;
const tab = 9;

/** FNV-1a of the first fields of a row. */
function hashOfKey(row: Buffer, fields: number): number {
  let hash = 0x81_1c_9d_c5;
  let left = fields;
  for (const byte of row) {
    if (byte === tab && (left -= 1) === 0) break;
    hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  }
  // the low bits of the product hardly depend on the first bytes
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Cuts the rows of COPY's text format where a hash of their key says so, into 1 to 8 MiB. So unchanged ranges of a
 * table give the same chunks in every backup, wherever rows were added or removed before them. The key is the first
 * fields.
 */
export async function* cutRows(source: AsyncIterable<Buffer>, keyFields: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    const data: Buffer = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let start = 0;
    let kept = 0;
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
      const row = data.subarray(start, end + 1);
      // before and not after a row that exceeds the size: a single row may be larger
      if (size > 0 && size + row.length > largest) {
        yield Buffer.concat([...parts, data.subarray(kept, start)]);
        [parts, size, kept] = [[], 0, start];
      }
      size += row.length;
      start = end + 1;
      if (size < smallest || hashOfKey(row, keyFields) % rowsPerCut !== 0) continue;
      yield Buffer.concat([...parts, data.subarray(kept, start)]);
      [parts, size, kept] = [[], 0, start];
    }
    if (start > kept) parts.push(data.subarray(kept, start));
    rest = data.subarray(start);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** Pieces of at most 8 MiB of a file. */
export async function* cutBytes(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    parts.push(piece);
    size += piece.length;
    if (size < largest) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The key that names chunks encrypted for this recipient. Without it, a name reveals nothing about the content. */
export const namingKey = (key: Uint8Array, recipient: string | null): Buffer =>
  hkdf(key, new Uint8Array(), `tenure backup chunks ${recipient ?? 'plain'}`, 32);

/** An id of the installation, stored in its archives. */
export const installationOf = (key: Uint8Array): string =>
  hkdf(key, new Uint8Array(), 'tenure backup installation', 8).toString('hex');

export const pathOfChunk = (name: string) => `chunks/${name.slice(0, 2)}/${name}`;
export const isChunkName = (name: string) => /^[0-9a-f]{64}$/.test(name);

export type Written = { names: Set<string>; sentChunks: number; sentBytes: number };

type Writing = {
  archive: Archive;
  cipher: Cipher;
  key: Buffer;
  /** The chunks of the newest backup, which a parallel `prune` keeps in any case. */
  safe: ReadonlySet<string>;
};

/** Writes a chunk unless the archive has it. */
export function chunkWriter({ archive, cipher, key, safe }: Writing) {
  const written: Written = { names: new Set(), sentChunks: 0, sentBytes: 0 };
  const put = async (content: Buffer): Promise<string> => {
    if (content.length > maxUnpacked.rows)
      throw new Refusal(`A row of the database has ${content.length} bytes, more than a backup can contain.`);
    const name = hmac(key, content).toString('hex');
    const path = pathOfChunk(name);
    if (written.names.has(name)) return name;
    written.names.add(name);
    if ((await archive.size(path)) > 0 && ((await archive.touch(path)) || safe.has(name))) return name;
    const sealed = await cipher.seal(await compress(content, level));
    await archive.write(path, sealed);
    written.sentChunks += 1;
    written.sentBytes += sealed.length;
    return name;
  };
  return { put, written };
}

/** Reads a chunk of at most this many bytes. */
export type ReadChunk = (name: string, most: number) => Promise<Buffer>;

/** The most space that `most` bytes take when packed and encrypted; packing adds little to incompressible bytes. */
const sealedSize = (most: number) => most + Math.ceil(most / 128) + 65_536;

/** Reads chunks and compares each with its name; refuses one that was changed, swapped or is larger than allowed. */
export function chunkReader(archive: Archive, key: Buffer, open: NonNullable<Cipher['open']>): ReadChunk {
  return async (name, most) => {
    const path = pathOfChunk(name);
    const sealed = await archive.read(path, sealedSize(most));
    if (!sealed) throw new Refusal(`The archive lacks ${path}: use another backup or another copy of the archive.`);
    const content = await open(sealed)
      .then((packed) => decompress(packed, { maxOutputLength: Math.max(most, 1) }))
      .catch(() => undefined);
    if (content && equal(hmac(key, content).toString('hex'), name)) return content;
    throw new Refusal(`${path} in the archive is damaged: use another backup or another copy of the archive.`);
  };
}

type Chunked = { chunks: readonly string[]; bytes: number };

/** The chunks of a table or file in order; together they have at most the bytes that the manifest states. */
export async function* readChunks(read: ReadChunk, { chunks, bytes }: Chunked, most: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for (const name of chunks) {
    const content = await read(name, Math.min(left, most));
    left -= content.length;
    yield content;
  }
}
