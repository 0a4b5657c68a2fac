import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { s3AddressOf } from '../files/places.ts';
import { logTo } from '../logging.ts';
import { s3Keys, startS3 } from '../testing/s3-server.ts';
import { BadAddress } from './address.ts';
import { contentOf, openS3 } from './client.ts';
import { openContainerKeys } from './container-keys.ts';
import { inWords, S3Error } from './errors.ts';

/** An agent like the one next to a container: a real server that lends keys. */
const agent = {
  asked: [] as { path: string | undefined; token: string | undefined }[],
  status: 200,
  body: '',
};
const http = createServer((request, response) => {
  agent.asked.push({ path: request.url, token: request.headers.authorization });
  response.writeHead(agent.status, { location: 'http://127.0.0.1:1/' }).end(agent.body);
});
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
const s3 = await startS3();
const folder = await mkdtemp(join(tmpdir(), 'tenure-lent-'));
afterAll(async () => {
  await s3.close();
  http.closeAllConnections();
  http.close();
  await rm(folder, { recursive: true });
});

const start = Date.UTC(2026, 10, 27, 9);
const minute = 60_000;
let now = start;
const lend = (minutes: number, secret = s3Keys.secret, token = 'token-1') => {
  const Expiration = new Date(now + minutes * minute).toISOString().replace('.000Z', 'Z');
  agent.body = JSON.stringify({
    AccessKeyId: s3Keys.id,
    SecretAccessKey: secret,
    Token: token,
    Expiration,
    RoleArn: 'x',
  });
};
beforeEach(() => {
  now = start;
  Object.assign(agent, { asked: [], status: 200 });
  lend(60);
});
afterEach(() => {
  s3.fault = () => undefined;
});

const source = (path = '/keys', tokenFile?: string) => openContainerKeys(new URL(path, origin), tokenFile, () => now);
const lent = { id: s3Keys.id, secret: s3Keys.secret, token: 'token-1' };
const failureOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as S3Error,
  );

describe('lent keys', () => {
  test('are asked for once for all requests', async () => {
    const keys = source();
    for (const found of await Promise.all([keys.read(), keys.read(), keys.read()])) expect(found).toMatchObject(lent);
    expect(await keys.read()).toMatchObject(lent);
    expect(agent.asked).toEqual([{ path: '/keys', token: undefined }]);
  });

  test.each([
    ['five minutes early', 60, 54, 56],
    ['after half of a short time', 4, 1.9, 2.1],
  ])('are renewed %s, beside requests that have the former ones', async (_, life, early, due) => {
    const keys = source();
    lend(life);
    await keys.read();
    now = start + early * minute;
    await keys.read();
    expect(agent.asked).toHaveLength(1);
    now = start + due * minute;
    lend(60, 'renewed', 'token-2');
    expect(await keys.read()).toMatchObject(lent);
    await vi.waitFor(
      async () => expect(await keys.read()).toMatchObject({ secret: 'renewed', token: 'token-2' }),
      10_000,
    );
    expect(agent.asked).toHaveLength(2);
  });

  test('serve until they expire while the endpoint fails, which is asked every five seconds', async () => {
    const keys = source();
    await keys.read();
    agent.status = 500;
    now = start + 56 * minute;
    for (let n = 0; n < 3; n += 1) expect(await keys.read()).toMatchObject(lent);
    await vi.waitFor(() => expect(agent.asked).toHaveLength(2), 10_000);
    now += 4_000;
    await keys.read();
    now += 2_000;
    await keys.read();
    await vi.waitFor(() => expect(agent.asked).toHaveLength(3), 10_000);
    now = start + 60 * minute;
    expect(await failureOf(keys.read())).toMatchObject({ code: 'NoCredentials', message: 'HTTP 500' });
    agent.status = 200;
    lend(60, 'renewed');
    expect(await keys.read()).toMatchObject({ secret: 'renewed' });
  });

  test('need the token of a file, which is read each time', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    const keys = source('/v1/credentials', file);
    await keys.read();
    await writeFile(file, 'second');
    keys.clear();
    await keys.read();
    expect(agent.asked).toEqual(['first', 'second'].map((token) => ({ path: '/v1/credentials', token })));
    await rm(file);
    keys.clear();
    expect(await failureOf(keys.read())).toMatchObject({ code: 'NoCredentials', message: 'ENOENT' });
  });

  test.each([
    ['no JSON', '<html>secret-1</html>'],
    ['a bare secret', 'secret-1'],
    ['other JSON', '{"AccessKeyId":"id","SecretAccessKey":"secret-1"}'],
    ['no time', '{"AccessKeyId":"id","SecretAccessKey":"secret-1","Token":"t","Expiration":"soon"}'],
    ['too much', `"${'x'.repeat(100_000)}"`],
  ])('are none when the answer is %s', async (_, body) => {
    agent.body = body;
    const error = await failureOf(source().read());
    expect(error).toBeInstanceOf(S3Error);
    expect(error?.code).toBe('NoCredentials');
    expect(inWords('s3://files', error as S3Error)).toMatch(
      /^s3:\/\/files cannot be used: the credential endpoint of this container gives no keys \([^\n]+\)\.$/,
    );
    const lines: string[] = [];
    logTo('info', { write: (line: string) => void lines.push(line) }).error({ err: error }, 'failed');
    expect(lines.join('')).toContain('"code":"NoCredentials"');
    expect(lines.join('')).not.toMatch(/secret|html/);
  });

  test('are none when the endpoint leads elsewhere', async () => {
    agent.status = 302;
    expect(await failureOf(source().read())).toMatchObject({ message: 'HTTP 302' });
  });
});

describe('a bucket of a container', () => {
  const settings = { NODE_ENV: 'production', ALLOW_INSECURE_HTTP: false };
  const withoutKeys = (prefix = '') => s3.address(prefix).replace(/\/\/.*@/, '//');
  let serial = 0;
  // a separate endpoint for each test, because keys are cached for all addresses
  const own = () => ({ ...settings, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/role-${(serial += 1)}` });

  test('is signed for with lent keys, and with new ones when the store calls them old', async () => {
    lend(60, 'former');
    const client = openS3(s3AddressOf(withoutKeys(), own()));
    s3.fault = (method) => {
      lend(60);
      return method === 'PUT' && agent.asked.length === 1 ? { status: 400, code: 'ExpiredToken' } : undefined;
    };
    await client.put('kept/lent', contentOf(Buffer.from('content')));
    expect(s3.objects.get('kept/lent')?.toString()).toBe('content');
    expect(agent.asked).toHaveLength(2);
  });

  test('has no use for them where it has keys of its own, in the settings or the address', () => {
    const hostile = { ...settings, AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://keys.example.com/' };
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(s3AddressOf(withoutKeys(), { ...hostile, ...keys }).keys).toEqual({ id: 'id', secret: 'secret' });
    expect(s3AddressOf(s3.address(), hostile).keys).toEqual(s3Keys);
    expect(agent.asked).toEqual([]);
  });

  test.each([[{ S3_ACCESS_KEY_ID: 'id' }], [{ S3_SECRET_ACCESS_KEY: 'secret' }]])(
    'is refused with half of its own keys: %j',
    (half) => {
      const address = () => s3AddressOf(withoutKeys(), { ...own(), ...half });
      expect(address).toThrow(BadAddress);
      expect(address).toThrow(/^needs both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, [^\n]+$/);
      expect(() => s3AddressOf(s3.address(), { ...own(), ...half })).toThrow(BadAddress);
    },
  );

  test.each([
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials' }],
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://[fd00:ec2::23]/v1/credentials' }],
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://localhost:1338/keys' }],
    [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/0f3c' }],
    [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '//keys.example.com/' }],
  ])('may be lent keys by %j', (variables) => {
    expect(s3AddressOf(withoutKeys(), { ...settings, ...variables }).keys).toHaveProperty('read');
  });

  test.each([
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://keys.example.com/'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'https://keys.example.com/'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://169.254.169.254/latest/meta-data/'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://127.0.0.1@keys.example.com/'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'file:///etc/passwd'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'nonsense'],
    ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '@keys.example.com/'],
    ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '.example.com/'],
    ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', ':80@keys.example.com/'],
  ])('is not lent keys by %s=%s', (name, value) => {
    expect(() => s3AddressOf(withoutKeys(), { ...settings, [name]: value })).toThrow(
      `has no keys, and ${name} names no credential endpoint of this machine`,
    );
  });
});
