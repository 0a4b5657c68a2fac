import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '../crypto/crypto.ts';
import { cutRows } from './chunks.ts';

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
