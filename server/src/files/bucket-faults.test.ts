import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { logTo } from '../logging.ts';
import { parseS3Address } from '../s3/address.ts';
import { openS3 } from '../s3/client.ts';
import { S3Error } from '../s3/errors.ts';
import { startS3 } from '../testing/s3-server.ts';
import type { Fault } from '../testing/s3-server.ts';
import { randomKey, StoreUnavailable } from './disk.ts';
import { openIncoming } from './incoming.ts';
import { bucketBackend, readMark } from './bucket-backend.ts';
import { watchBucket } from './watch-bucket.ts';

const s3 = await startS3();
const scratch = await fs.mkdtemp(join(tmpdir(), 'tenure-faults-'));
const incoming = await openIncoming(scratch);
afterAll(async () => {
  await s3.close();
  await fs.rm(scratch, { recursive: true });
});
afterEach(() => {
  s3.fault = () => undefined;
  s3.asked.length = 0;
});

const limits = { silenceMs: 1_000, totalMs: 20_000, pauseMs: 5 };
const content = Buffer.alloc(200_000, 'tenure');

/** A store that often checks whether its bucket is back. */
function opened(address = s3.address(), { everyMs = 20, longMs = 600_000, silenceMs = limits.silenceMs } = {}) {
  const events: Record<string, unknown>[] = [];
  const log = logTo('info', { write: (line: string) => void events.push(JSON.parse(line) as Record<string, unknown>) });
  const client = openS3(parseS3Address(address, {}), { ...limits, silenceMs });
  const watch = watchBucket({ name: client.address.name, log, everyMs, longMs, ask: () => readMark(client) });
  const names = () => events.map(({ event }) => event);
  return { client, kept: bucketBackend(client, watch), events, names };
}

const received = () => incoming.receive([content], { maxBytes: content.length });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The first requests fail, and the others succeed. */
function failing(fault: Fault, times = Infinity) {
  let count = 0;
  s3.fault = (_method, key) => (key.startsWith('kept/') && (count += 1) <= times ? fault : undefined);
}

describe('a fault that passes', () => {
  const passing: Fault[] = ['cut', 'cut after', 'altered', { status: 500, code: 'InternalError' }];
  test.each([...passing, { status: 503, code: 'SlowDown' }])('%j twice is not noticed', async (fault) => {
    const { kept, events } = opened();
    const key = randomKey();
    failing(fault, 2);
    await kept.put(await received(), key);
    expect(s3.asked).toEqual(Array.from({ length: 3 }, () => `PUT kept/${key}`));
    expect(s3.objects.get(`kept/${key}`)?.equals(content)).toBe(true);
    expect([events, kept.isAway()]).toEqual([[], false]);
  });

  test('is not asked again when the store says no', async () => {
    const { kept } = opened();
    failing({ status: 403, code: 'AccessDenied' });
    const failure = await failureOf(kept.put(await received(), randomKey()));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({
      code: 'AccessDenied',
      message: 's3://files answered AccessDenied: the key has no right to it.',
    });
    expect(s3.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  });
});

describe('a store that fails one request and answers others', () => {
  test.each<[Fault, string]>([
    [{ status: 403, code: 'AccessDenied' }, 'AccessDenied'],
    [{ status: 404, code: 'NoSuchVersion' }, 'NoSuchVersion'],
    [{ status: 400, code: 'InvalidRequest' }, 'InvalidRequest'],
    [{ status: 500, code: 'InternalError' }, 'InternalError'],
    ['altered', 'XAmzContentSHA256Mismatch'],
    ['cut', 'ECONNRESET'],
    ['silent', 'ETIMEDOUT'],
  ])('with %j is not away', async (fault, code) => {
    const { kept, events } = opened();
    const [refused, stored] = [randomKey(), randomKey()];
    s3.fault = (_method, key) => (key === `kept/${refused}` ? fault : undefined);
    const failing = failureOf(kept.put(await received(), refused));
    // another one at the same time, and one after the check was answered
    await kept.put(await received(), stored);
    expect(await failing).toMatchObject({ code, retryAfter: 30 });
    await vi.waitFor(() => expect(s3.asked).toContain('GET store-id'), 10_000);
    expect((await kept.open(stored))?.size).toBe(content.length);
    expect([events, kept.isAway()]).toEqual([[], false]);
  });

  test('is not asked because of a file that cannot be read on this machine', async () => {
    const { kept, events } = opened();
    const file = await received();
    await fs.rm(file.path);
    const failure = await failureOf(kept.put(file, randomKey()));
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ code: 'ENOENT' });
    await kept.put(await received(), randomKey());
    expect([events, kept.isAway()]).toEqual([[], false]);
    expect(s3.asked).not.toContain('GET store-id');
  });
});

describe('a store that fails', () => {
  test('is away before the first request has waited in vain', async () => {
    const { kept } = opened(s3.address(), { longMs: 5, silenceMs: 600_000 });
    s3.fault = (_method, key) => (key === 'store-id' ? { status: 503, code: 'SlowDown' } : 'silent');
    void failureOf(kept.open(randomKey()));
    await vi.waitFor(() => expect(kept.isAway()).toBe(true), 10_000);
    expect(await failureOf(kept.open(randomKey()))).toMatchObject({ code: 'AWAY' });
  });

  test.each<[Fault, string]>([
    ['cut', 'ECONNRESET'],
    ['cut after', 'ECONNRESET'],
    ['silent', 'ETIMEDOUT'],
    [{ status: 503, code: 'SlowDown' }, 'SlowDown'],
    [{ status: 403, code: 'RequestTimeTooSkewed' }, 'RequestTimeTooSkewed'],
    [{ status: 404, code: 'NoSuchBucket' }, 'NoSuchBucket'],
  ])('by %j refuses uploads, leaves nothing on the disk, and is asked until it is back', async (fault, code) => {
    const { kept, names, events } = opened();
    await kept.writeMark('mark');
    s3.fault = () => fault;
    expect(await failureOf(kept.put(await received(), randomKey()))).toMatchObject({ code, retryAfter: 30 });
    expect(await fs.readdir(join(scratch, 'incoming'))).toEqual([]);
    await vi.waitFor(() => expect(kept.isAway()).toBe(true), 10_000);
    const reason = expect.stringMatching(/^s3:\/\/files (answered|cannot be reached)/);
    expect(events).toMatchObject([{ event: 'storage_down', store: 's3://files', code, reason }]);
    s3.fault = () => undefined;
    await vi.waitFor(() => expect(names()).toEqual(['storage_down', 'storage_up']), 10_000);
    const key = randomKey();
    await kept.put(await received(), key);
    expect(s3.objects.has(`kept/${key}`)).toBe(true);
  });

  test('is not asked by requests while it is away', async () => {
    const { kept } = opened(s3.address(), { everyMs: 600_000 });
    s3.fault = () => 'silent';
    const key = randomKey();
    expect(await failureOf(kept.open(key))).toMatchObject({ code: 'ETIMEDOUT' });
    await vi.waitFor(() => expect(kept.isAway()).toBe(true), 10_000);
    const { length } = s3.asked;
    const file = await received();
    const works = [() => kept.open(key), () => kept.sizeOf(key), () => kept.remove(key), () => kept.put(file, key)];
    for (const work of works) expect(await failureOf(work())).toMatchObject({ code: 'AWAY', retryAfter: 30 });
    expect(s3.asked).toHaveLength(length);
    expect(await fs.readdir(join(scratch, 'incoming'))).toEqual([]);
  });

  test('that is not there at all counts as away', async () => {
    const { kept } = opened('s3://id:secret@files?endpoint=http://127.0.0.1:1');
    expect(await failureOf(kept.put(await received(), randomKey()))).toMatchObject({
      code: 'ECONNREFUSED',
      message: 's3://files cannot be reached (ECONNREFUSED): check the endpoint and the network.',
    });
  });

  test('in the middle of a download breaks it off instead of ending it', async () => {
    const { kept } = opened();
    const key = randomKey();
    await kept.put(await received(), key);
    failing('half');
    const found = await kept.open(key);
    expect(found?.size).toBe(content.length);
    expect(await failureOf(buffer(found?.stream as NodeJS.ReadableStream))).toBeInstanceOf(S3Error);
  });

  test('once while the sweep lists stops the sweep', async () => {
    const { kept } = opened();
    s3.fault = () => ({ status: 403, code: 'AccessDenied' });
    const listing = Array.fromAsync(kept.listOld(Date.now(), 0));
    expect(await failureOf(listing)).toMatchObject({ code: 'AccessDenied' });
  });
});

test('a reader that pauses longer than the store may be silent gets all of the file', async () => {
  const { kept, client } = opened();
  const key = randomKey();
  const large = Buffer.alloc(8_000_000, 1);
  await kept.put(await incoming.receive([large], { maxBytes: large.length }), key);
  const found = await client.get(`kept/${key}`);
  let size = 0;
  for await (const piece of found?.stream ?? []) {
    if (size === 0) await new Promise((resolve) => setTimeout(resolve, 2 * limits.silenceMs));
    size += (piece as Buffer).length;
  }
  expect(size).toBe(large.length);
});

test('encryption and length are asked of the store', async () => {
  const seen: unknown[] = [];
  const client = openS3(parseS3Address(s3.address('', '&sse=aws:kms:key-1'), {}));
  const proxy = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  client.address.base.port = String(port);
  const { path, size, sha256 } = await received();
  await client.put('kept/x', { size, sha256, open: () => createReadStream(path) });
  expect(seen).toMatchObject([
    {
      'content-length': String(content.length),
      'x-amz-content-sha256': sha256,
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    },
  ]);
  expect(seen[0]).not.toHaveProperty('transfer-encoding');
  proxy.closeAllConnections();
  proxy.close();
});
