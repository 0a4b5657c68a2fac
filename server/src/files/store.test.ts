import { text } from '@tenure/contract';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../crypto/crypto.ts';
import { StoreUnavailable } from './disk.ts';
import type { Disk } from './disk.ts';
import { TooLarge } from './incoming.ts';
import type { Source } from './incoming.ts';
import { openStore } from './store.ts';
import type { FileStore } from './store.ts';

const HOUR = 60 * 60 * 1_000;
const content = Buffer.from('Signed on the first of April.');
const limit = { maxBytes: 1_000 };

let root: string;
let store: FileStore;

beforeEach(async () => {
  root = join(await fs.mkdtemp(join(tmpdir(), 'tenure-store-')), 'files');
  store = await openStore(root);
});
afterEach(() => fs.rm(join(root, '..'), { recursive: true }));

const filesIn = async (folder: 'incoming' | 'kept') => fs.readdir(join(root, folder));
const nothingIsLeft = async () => {
  expect(await filesIn('incoming')).toEqual([]);
  expect(await filesIn('kept')).toEqual([]);
};
const stored = async (bytes = content) => store.keep(await store.receive([bytes], limit));
const contentOf = async (key: string) => {
  const found = await store.open(key);
  return found && { size: found.size, bytes: await buffer(found.stream) };
};

async function* breakingOff(bytes: number): Source & AsyncGenerator<Uint8Array> {
  if (bytes > 0) yield Buffer.alloc(bytes, 1);
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

describe('a received file', () => {
  test('is returned byte for byte, with its size and its SHA-256', async () => {
    const bytes = Buffer.from(Array.from({ length: 900 }, (_, index) => (index * 7) % 256));
    const received = await store.receive([bytes.subarray(0, 10), bytes.subarray(10)], limit);
    expect(received).toMatchObject({ size: 900, sha256: sha256Hex(bytes) });
    const key = await store.keep(received);
    expect(await contentOf(key)).toEqual({ size: 900, bytes });
    expect(await filesIn('incoming')).toEqual([]);
  });

  test('may be empty; callers decide whether that is allowed', async () => {
    expect(await store.receive([], limit)).toMatchObject({ size: 0, sha256: sha256Hex('') });
  });

  test('may have as many bytes as the limit, and no more', async () => {
    const exact = await store.receive([Buffer.alloc(999), Buffer.alloc(1)], limit);
    expect(exact.size).toBe(1_000);
    await store.discard(exact);

    const refused = store.receive([Buffer.alloc(999), Buffer.alloc(2)], limit);
    await expect(refused).rejects.toThrow(TooLarge);
    await nothingIsLeft();
  });

  test('leaves the reserve of the disk to the database, also when it is reached on the way', async () => {
    const megabyte = 1_024 * 1_024;
    let free = 20 * megabyte;
    const statfs = (async () => ({ bavail: free, bsize: 1 })) as unknown as Disk['statfs'];
    const small = await openStore(root, { ...fs, statfs }, 10 * megabyte);
    const filling = function* (count: number) {
      for (let n = 0; n < count; n += 1) {
        free -= megabyte;
        yield Buffer.alloc(megabyte);
      }
    };
    await small.discard(await small.receive(filling(8), { maxBytes: 50 * megabyte }));
    for (const count of [20, 1]) {
      const full = small.receive(filling(count), { maxBytes: 50 * megabyte });
      await expect(full).rejects.toMatchObject({ code: 'ENOSPC', retryAfter: 30 });
    }
    expect(free).toBeGreaterThan(0);
    await nothingIsLeft();
  });

  test('above the limit is refused with the message of the form', async () => {
    const refusal = await store
      .receive([Buffer.alloc(204_801)], { maxBytes: 204_800 })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      maxBytes: 204_800,
      refusal: text('validation.kilobytes', { most: 200 }),
    });
  });

  test.each([0, 1, 500, 999, 1_000])('that ends after %i bytes leaves nothing', async (bytes) => {
    await expect(store.receive(breakingOff(bytes), limit)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await nothingIsLeft();
  });

  test.each([0, 1, 500, 990])('whose sender disconnects after %i of 1000 bytes leaves nothing', async (bytes) => {
    const outcome = Promise.withResolvers<unknown>();
    const server = createServer((request) => {
      void store.receive(request, limit).then(outcome.resolve, outcome.resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${'a'.repeat(bytes)}`);
    await new Promise<void>((resolve) => server.once('request', () => setImmediate(resolve)));
    socket.destroy();
    expect(await outcome.promise).toBeInstanceOf(Error);
    await nothingIsLeft();
    await new Promise((resolve) => server.close(resolve));
  });

  test('can be discarded twice and after it was kept', async () => {
    const received = await store.receive([content], limit);
    await store.discard(received);
    await store.discard(received);
    await nothingIsLeft();

    const other = await store.receive([content], limit);
    const key = await store.keep(other);
    await store.discard(other);
    expect((await contentOf(key))?.bytes).toEqual(content);
  });
});

describe('a kept file', () => {
  test('has a random name and is readable for the service only', async () => {
    const keys = [await stored(), await stored()];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect((await fs.stat(join(root, 'kept', key))).mode & 0o777).toBe(0o600);
    }
    for (const folder of [root, join(root, 'incoming'), join(root, 'kept')])
      expect((await fs.stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('survives reopening the store, which tightens the permissions of its folder', async () => {
    const key = await stored();
    await fs.chmod(root, 0o755);
    store = await openStore(root);
    expect((await contentOf(key))?.bytes).toEqual(content);
    expect((await fs.stat(root)).mode & 0o777).toBe(0o700);
  });

  test('is deleted by a removal, which may be repeated', async () => {
    const key = await stored();
    await store.remove(key);
    await store.remove(key);
    expect(await store.open(key)).toBeNull();
  });

  test('is opened by a key only', async () => {
    const key = await stored();
    for (const name of ['', '..', `../kept/${key}`, `${key}/`, `${key}\0`, key.toUpperCase().replace(/\d/g, 'A')]) {
      await expect(store.open(name)).rejects.toThrow('No key');
      await expect(store.remove(name)).rejects.toThrow('No key');
    }
    expect(await contentOf(key)).not.toBeNull();
  });
});

describe('the sweep', () => {
  const sweep = (now: number, referenced: readonly string[] = []) =>
    store.sweep({ now, isReferenced: async (keys) => new Set(keys.filter((key) => referenced.includes(key))) });

  test('removes unreferenced files older than an hour', async () => {
    const [used, unused] = [await stored(), await stored()];
    await store.receive([content], limit);
    expect(await sweep(Date.now() + HOUR + 60_000, [used])).toEqual({ received: 1, kept: 1 });
    expect(await filesIn('incoming')).toEqual([]);
    expect(await contentOf(used)).not.toBeNull();
    expect(await store.open(unused)).toBeNull();
  });

  test('keeps younger files and foreign files', async () => {
    await stored();
    await store.receive([content], limit);
    expect(await sweep(Date.now() + HOUR - 60_000)).toEqual({ received: 0, kept: 0 });

    await fs.writeFile(join(root, 'kept', 'README'), '');
    await sweep(Date.now() + 2 * HOUR);
    expect(await filesIn('kept')).toEqual(['README']);
  });

  test('asks in batches, and a failed query removes nothing', async () => {
    for (let count = 0; count < 3; count += 1) await stored();
    const broken = store.sweep({ now: Date.now() + 2 * HOUR, isReferenced: () => Promise.reject(new Error('gone')) });
    await expect(broken).rejects.toThrow('gone');
    expect(await filesIn('kept')).toHaveLength(3);
  });
});

describe('a disk that fails', () => {
  /** The real disk, except that the `n`-th changing call fails with `code`. */
  function failing(n: number, code: string): { disk: Disk; calls: () => number } {
    let calls = 0;
    const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
      calls += 1;
      if (calls === n) throw Object.assign(new Error(code), { code });
      return work();
    };
    const open: Disk['open'] = async (...args) => {
      const handle = await attempt(() => fs.open(...args));
      const append = handle.appendFile.bind(handle);
      const sync = handle.sync.bind(handle);
      const close = handle.close.bind(handle);
      handle.appendFile = (data, options) => attempt(() => append(data, options));
      handle.sync = () => attempt(sync);
      handle.close = async () => {
        // A failed close still closes the file.
        await close();
        await attempt(async () => undefined);
      };
      return handle;
    };
    const rename: Disk['rename'] = (...args) => attempt(() => fs.rename(...args));
    return { disk: { ...fs, open, rename }, calls: () => calls };
  }

  const upload = async (disk: Disk) => {
    const faulty = await openStore(root, disk);
    return faulty.keep(await faulty.receive([content, content], limit));
  };

  test.each(['ENOSPC', 'EIO', 'EDQUOT'])('with %s at any call is reported and leaves no partial file', async (code) => {
    const healthy = failing(0, code);
    await upload(healthy.disk);
    await store.sweep({ now: Date.now() + 2 * HOUR, isReferenced: async () => new Set() });
    // open, two writes, sync, close; rename; open, sync and close of the folder
    expect(healthy.calls()).toBe(9);

    for (let n = 1; n <= healthy.calls(); n += 1) {
      const failure = await upload(failing(n, code).disk).catch((error: unknown) => error);
      expect(failure, `call ${n}`).toBeInstanceOf(StoreUnavailable);
      expect(failure).toMatchObject({ code, retryAfter: 30 });
      await nothingIsLeft();
    }
  });

  test('is not asked to sync the same file twice', async () => {
    let syncs = 0;
    const open: Disk['open'] = async (...args) => {
      const handle = await fs.open(...args);
      handle.sync = () => {
        syncs += 1;
        return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
      };
      return handle;
    };
    await expect(upload({ ...fs, open })).rejects.toThrow(StoreUnavailable);
    expect(syncs).toBe(1);
  });

  test.runIf(process.platform === 'linux')('that is really full is reported by the kernel', async () => {
    const open: Disk['open'] = (path, ...rest) =>
      String(path).includes('incoming') ? fs.open('/dev/full', 'r+') : fs.open(path, ...rest);
    await expect(upload({ ...fs, open })).rejects.toMatchObject({ name: 'Error', code: 'ENOSPC' });
    await nothingIsLeft();
  });

  test('without the folder refuses reads and writes alike', async () => {
    const key = await stored();
    await fs.rm(root, { recursive: true });
    await expect(store.receive([content], limit)).rejects.toThrow(StoreUnavailable);
    await expect(store.freeBytes()).rejects.toThrow(StoreUnavailable);
    expect(await store.open(key)).toBeNull();
    await fs.mkdir(root);
  });

  test('reports its free space', async () => {
    expect(await store.freeBytes()).toBeGreaterThan(0);
  });
});
