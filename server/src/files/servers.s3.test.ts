import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { logTo } from '../logging.ts';
import { parseS3Address } from '../s3/address.ts';
import { contentOf, openS3 } from '../s3/client.ts';
import { S3Error } from '../s3/errors.ts';
import { describeBucketBackups } from '../testing/bucket-backups.ts';
import { describeBackend } from '../testing/backend-suite.ts';
import { describeMachines } from '../testing/machines-suite.ts';
import { openPlace } from './open.ts';

// set by `npm run test:s3`: names and addresses of empty buckets
const servers = Object.entries(JSON.parse(process.env.S3_SERVERS ?? '{}') as Record<string, string>);

afterEach(() => {
  vi.useRealTimers();
});

test('there is a server', () => {
  expect(servers).not.toEqual([]);
});

/** A connection to a server that changes one byte of each request body. */
async function altering(port: number, from: string, to: string) {
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('data', (bytes: Buffer) => server.write(bytes.toString('latin1').replace(from, to), 'latin1'));
    server.pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { port: (proxy.address() as AddressInfo).port, close: () => proxy.close() };
}

for (const [name, bucket] of servers) {
  const address = (prefix: string) => bucket.replace('?', `/${prefix}?`);
  const client = (change: (url: URL) => void = () => undefined) => {
    const url = new URL(address('requests'));
    change(url);
    return openS3(parseS3Address(url.href, {}));
  };

  describeBackend(`a bucket of ${name}`, async () => {
    const found = parseS3Address(address('kept'), {});
    return openPlace({ kind: 'bucket', name: found.name, address: found }, logTo('silent'));
  });
  describeMachines(`a bucket of ${name}`, address);
  describeBucketBackups(`a bucket of ${name}`, address);

  describe(`${name} refuses`, () => {
    const put = (one: ReturnType<typeof client>) => one.put('object', contentOf(Buffer.from('signed content')));

    test('a wrong secret', async () => {
      const wrong = client((url) => (url.password = 'another'));
      await expect(put(wrong)).rejects.toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
    });

    test('an unknown key', async () => {
      const unknown = client((url) => (url.username = 'unknown'));
      await expect(put(unknown)).rejects.toMatchObject({ status: expect.toSatisfy((status) => status < 500) });
      await expect(unknown.get('object')).rejects.toBeInstanceOf(S3Error);
    });

    test('a bucket that does not exist, and calls no object of it missing', async () => {
      const other = client((url) => (url.hostname = 'no-such-bucket'));
      await expect(put(other)).rejects.toMatchObject({ status: 404, code: 'NoSuchBucket' });
      await expect(other.get('object')).rejects.toMatchObject({ code: 'NoSuchBucket' });
      await expect(other.list('').next()).rejects.toMatchObject({ code: 'NoSuchBucket' });
    });

    test('a clock that is wrong', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 16 * 60_000 });
      await expect(put(client())).rejects.toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' });
    });

    test('a body that changed on its way', async () => {
      const endpoint = new URL(new URL(address('')).searchParams.get('endpoint') ?? '');
      const proxy = await altering(Number(endpoint.port), 'signed content', 'forged content');
      // the signature is for the requested host, here with the port of the proxy
      const through = client((url) => url.searchParams.set('endpoint', `http://127.0.0.1:${proxy.port}`));
      await through.remove('object');
      await expect(put(through)).rejects.toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
      expect(await client().head('object')).toBeNull();
      await expect(through.put('object', contentOf(Buffer.from('other content')))).resolves.toBeUndefined();
      proxy.close();
    });
  });
}
