import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomId, sha256Hex } from '../crypto/crypto.ts';
import { randomKey } from '../files/disk.ts';
import { openIncoming } from '../files/incoming.ts';
import type { Incoming } from '../files/incoming.ts';
import type { FileBackend } from '../files/backend.ts';
import { storeOf } from '../files/store.ts';

const HOUR = 60 * 60 * 1_000;
const dayOfHours = Array.from({ length: 24 }, (_, hour) => hour);
const content = Buffer.from('Signed on the first of April.');

/** Tests of every place for files; `open` returns an empty one. */
export function describeBackend(name: string, open: (folder: string) => Promise<FileBackend>): void {
  describe(`files in ${name}`, () => {
    let folder = '';
    let incoming: Incoming;
    let kept: FileBackend;
    beforeAll(async () => {
      folder = await fs.mkdtemp(join(tmpdir(), 'tenure-kept-'));
      incoming = await openIncoming(join(folder, 'own'));
      kept = await open(folder);
    });
    afterAll(() => fs.rm(folder, { recursive: true, force: true }));

    const putAs = async (key: string, bytes: Uint8Array = content) =>
      kept.put(await incoming.receive([bytes], { maxBytes: bytes.byteLength }), key);
    const contentOf = async (key: string) => {
      const found = await kept.open(key);
      return found && { size: found.size, sha256: sha256Hex(await buffer(found.stream)) };
    };

    test.each([0, 1, 65_537, 10 * 1_024 * 1_024])('gives back a file of %i bytes as it was', async (size) => {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at += 251) bytes[at] = at % 256;
      const received = await incoming.receive([bytes], { maxBytes: size });
      const key = randomKey();
      await kept.put(received, key);
      expect(await contentOf(key)).toEqual({ size, sha256: received.sha256 });
      expect(await kept.sizeOf(key)).toBe(size);
      await expect(fs.access(received.path)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('has nothing under a key that was not used, or was removed', async () => {
      const key = randomKey();
      expect([await kept.open(key), await kept.sizeOf(key)]).toEqual([null, null]);
      await putAs(key);
      await kept.remove(key);
      await kept.remove(key);
      expect([await kept.open(key), await kept.sizeOf(key)]).toEqual([null, null]);
    });

    test('takes keys only, and no paths', async () => {
      const key = randomKey();
      await putAs(key);
      for (const name of ['', '..', `../kept/${key}`, `${key}/`, `${key}\0`, key.toUpperCase().replace(/\d/g, 'A')]) {
        await expect(kept.open(name)).rejects.toThrow('No key');
        await expect(kept.remove(name)).rejects.toThrow('No key');
        await expect(kept.sizeOf(name)).rejects.toThrow('No key');
      }
      expect(await kept.sizeOf(key)).toBe(content.length);
    });

    test('lists all files with their sizes', async () => {
      const keys = Array.from({ length: 7 }, randomKey);
      await Promise.all(keys.map((key, index) => putAs(key, Buffer.alloc(index))));
      const sizes = new Map((await Array.fromAsync(kept.list())).map(({ key, size }) => [key, size]));
      expect(keys.map((key) => sizes.get(key))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });

    test('can be read at different speeds, by several at once, and given up', async () => {
      const key = randomKey();
      await putAs(key, Buffer.alloc(3_000_000, 7));
      const [read, unread, half] = await Promise.all([kept.open(key), kept.open(key), kept.open(key)]);
      if (!read || !half) throw new Error('The file is gone');
      unread?.stream.destroy();
      for await (const piece of half.stream) {
        expect((piece as Buffer)[0]).toBe(7);
        break;
      }
      expect((await buffer(read.stream)).length).toBe(3_000_000);
      expect(await contentOf(key)).toMatchObject({ size: 3_000_000 });
    });

    test('keeps the mark it was given', async () => {
      const mark = randomId();
      await kept.writeMark(mark);
      expect(await kept.readMark()).toBe(mark);
    });

    test('is swept of files that are older than an hour and have no row, within a day', async () => {
      const store = storeOf(incoming, { kept });
      const used = new Set<string>();
      const unused: string[] = [];
      for (let count = 0; count < 12; count += 1) {
        const key = await store.keep(await store.receive([content], { maxBytes: 100 }));
        if (count % 3 === 0) unused.push(key);
        else used.add(key);
      }
      const all = new Set((await Array.fromAsync(kept.list())).map(({ key }) => key));
      const isReferenced = async (keys: readonly string[]) => new Set(keys.filter((key) => used.has(key)));
      const sweepAt = async (now: number) => (await store.sweep({ now, isReferenced })).kept;
      expect(await sweepAt(Date.now())).toBe(0);
      let removed = 0;
      // twice for each hour: nothing is removed a second time
      for (const hour of [...dayOfHours, ...dayOfHours]) removed += await sweepAt(Date.now() + (2 + hour) * HOUR);
      expect(removed).toBe(all.size - used.size);
      for (const key of unused) expect(await kept.sizeOf(key)).toBeNull();
      for (const key of used) expect(await kept.sizeOf(key)).toBe(content.length);
    });

    test('removes nothing when the rows cannot be asked', async () => {
      const store = storeOf(incoming, { kept });
      const key = await store.keep(await store.receive([content], { maxBytes: 100 }));
      const isReferenced = () => Promise.reject(new Error('gone'));
      for (const hour of dayOfHours)
        await store.sweep({ now: Date.now() + (2 + hour) * HOUR, isReferenced }).catch((error: Error) => {
          expect(error.message).toBe('gone');
        });
      expect(await kept.sizeOf(key)).toBe(content.length);
    });
  });
}
