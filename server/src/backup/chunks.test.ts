import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { hmac, sha256Hex } from '../crypto/crypto.ts';
import { openArchive } from './archive.ts';
import { chunkReader, chunkWriter, cutBytes, cutRows, maxUnpacked, pathOfChunk, readChunks } from './chunks.ts';
import type { Cipher } from './encryption.ts';
import { Refusal } from './refusal.ts';

async function* inPieces(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const cut = (content: Buffer, size = 65_536) => Array.fromAsync(cutRows(inPieces(content, size), 1));
const MiB = 1_024 * 1_024;

const rowsOf = (ids: Iterable<number>, width = 400) =>
  Buffer.from([...ids].map((id) => `${id}\t${sha256Hex(String(id)).repeat(width / 50)}\n`).join(''));
const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

test('chunks are whole rows and together the table', async () => {
  const line = fc.string({ minLength: 1, maxLength: 200 }).map((text) => `${text.replaceAll('\n', '\\n')}\n`);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 50 }), fc.integer({ min: 1, max: 64 }), async (lines, size) => {
      const content = Buffer.from(lines.join(''));
      const chunks = await cut(content, size);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
      for (const chunk of chunks) expect(chunk.at(-1)).toBe(10);
    }),
    { numRuns: 200 },
  );
});

test('the pieces in which rows arrive do not matter, and chunks have 1 to 8 MiB', async () => {
  const content = rowsOf(upTo(60_000));
  const chunks = await cut(content);
  expect(chunks.length).toBeGreaterThan(4);
  expect((await cut(content, 7_777)).map(sha256Hex)).toEqual(chunks.map(sha256Hex));
  for (const chunk of chunks.slice(0, -1)) {
    expect(chunk.length).toBeGreaterThanOrEqual(MiB);
    expect(chunk.length).toBeLessThanOrEqual(8 * MiB);
  }
});

test('a row that is larger than a chunk is one alone', async () => {
  const row = Buffer.from(`1\t${'x'.repeat(9 * MiB)}\n`);
  const chunks = await cut(Buffer.concat([rowsOf([0]), row, rowsOf([2])]));
  expect(chunks.map(({ length }) => length)).toContain(row.length);
});

test('rows added, removed and changed in one place change the chunks of that place only', async () => {
  const ids = upTo(120_000);
  const before = new Set((await cut(rowsOf(ids))).map(sha256Hex));
  const others = [...ids.slice(0, 30_000), 1_000_000, 1_000_001, ...ids.slice(30_005)];
  const after = (await cut(rowsOf(others))).map(sha256Hex);
  const added = after.filter((name) => !before.has(name));
  expect(before.size).toBeGreaterThan(10);
  expect(added.length).toBeGreaterThan(0);
  expect(added.length).toBeLessThanOrEqual(3);
});

describe('a chunk', () => {
  const root = mkdtemp(join(tmpdir(), 'tenure-chunks-'));
  afterAll(async () => rm(await root, { recursive: true }));
  const key = Buffer.alloc(32, 7);
  const plain: Required<Cipher> = { recipient: null, seal: async (bytes) => bytes, open: async (bytes) => bytes };
  const opened = async () => {
    const archive = openArchive(await root);
    const { put } = chunkWriter({ archive, cipher: plain, key, safe: new Set() });
    return { archive, put, read: chunkReader(archive, key, plain.open) };
  };
  /** A chunk of a hostile archive: its name matches its content. */
  const bombOf = async (size: number) => {
    const { archive, read } = await opened();
    const content = Buffer.alloc(size);
    const name = hmac(key, content).toString('hex');
    await archive.write(pathOfChunk(name), zstdCompressSync(content));
    return { name, read };
  };

  test('is unpacked as far as it may be large, and not beyond', async () => {
    const { name, read } = await bombOf(64 * MiB);
    expect((await read(name, 64 * MiB)).length).toBe(64 * MiB);
    for (const most of [64 * MiB - 1, maxUnpacked.file, 1, 0]) {
      const refused = read(name, most);
      await expect(refused).rejects.toThrow(Refusal);
      await expect(refused).rejects.toThrow('is damaged');
    }
  });

  test('of a table or a file ends at the bytes of the manifest', async () => {
    const { put, read } = await opened();
    const parts = [Buffer.from('1\ta\n'), Buffer.from('2\tb\n')];
    const chunks = [await put(parts[0] as Buffer), await put(parts[1] as Buffer)];
    const all = (bytes: number) => Array.fromAsync(readChunks(read, { chunks, bytes }, maxUnpacked.rows));
    expect(Buffer.concat(await all(8)).toString()).toBe('1\ta\n2\tb\n');
    await expect(all(7)).rejects.toThrow('is damaged');
    await expect(all(4)).rejects.toThrow('is damaged');
    const { name } = await bombOf(16 * MiB);
    const hostile = { chunks: [name], bytes: Number.MAX_SAFE_INTEGER };
    await expect(Array.fromAsync(readChunks(read, hostile, maxUnpacked.file))).rejects.toThrow('is damaged');
  });

  test('is not read at all when it is larger than it can be packed', async () => {
    const { archive, read } = await opened();
    const name = 'ab'.padEnd(64, '0');
    await archive.write(pathOfChunk(name), '');
    const file = await open(join(archive.root, pathOfChunk(name)), 'r+');
    // without its blocks
    await file.truncate(100 * 1_024 * MiB);
    await file.close();
    await expect(read(name, maxUnpacked.rows)).rejects.toThrow(
      `contains ${pathOfChunk(name)}, which is damaged (too large)`,
    );
    await expect(archive.read(pathOfChunk(name))).rejects.toThrow('too large');
  });

  test('is read again whatever its size and content, the largest too', async () => {
    const { put, read } = await opened();
    const random = (size: number) => Buffer.from(Array.from({ length: size }, (_, n) => (n * 2_654_435_761) >>> 13));
    for (const size of [0, 1, 1_000, 1_000_000]) {
      const content = random(size);
      expect((await read(await put(content), size)).equals(content)).toBe(true);
    }
    const pieces = await Array.fromAsync(cutBytes(inPieces(Buffer.alloc(20 * MiB, 1), MiB)));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(maxUnpacked.file);
  });

  test('that no restore would read is not written', async () => {
    const { put } = await opened();
    await expect(put(Buffer.alloc(maxUnpacked.rows + 1))).rejects.toThrow('more than a backup can contain');
  });
});
