import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { logTo } from '../logging.ts';
import { certificateFor } from '../testing/certificates.ts';
import { dnsServer } from '../testing/dns-server.ts';
import { openDoor } from './door.ts';
import { EgressDenied, EgressFailed } from './failures.ts';
import { fetchThrough } from './fetch.ts';
import { inTurn } from './resolve.ts';
import type { Resolve } from './resolve.ts';

const tls = certificateFor('inside.test', 'moving.test', 'alias.test', 'both.test', 'proxied.test', '127.0.0.1');
const other = certificateFor('other.test');

/** A server in a place that requests must not reach, or can reach: it records each request. */
async function listen(answer: RequestListener, host = '127.0.0.1', keys = tls, port = 0) {
  const arrived: IncomingMessage[] = [];
  const server = createServer(keys, (request, response) => {
    arrived.push(request);
    answer(request, response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, arrived };
}

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const hello = ({ url }: IncomingMessage, response: ServerResponse) => {
  if (!url?.startsWith('/switch')) return void response.end('hello');
  const lines = url === '/switch' ? '' : upgrade;
  response.socket?.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
};
const inside = await listen(hello);

const { resolve, asked } = await dnsServer({
  'inside.test': [['127.0.0.1']],
  'alias.test': [['hidden.test']],
  'hidden.test': [['127.0.0.1']],
  'six.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'both.test': [['198.41.0.4', '127.0.0.1']],
  'metadata.test': [['169.254.169.254']],
  'rebinding.test': [['198.41.0.4'], ['127.0.0.1']],
  'moving.test': [['127.0.0.1'], ['127.0.0.2']],
  'other.test': [['127.0.0.1']],
  'database.test': [['127.0.0.1']],
});

const logged: string[] = [];
const log = logTo('info', { write: (line: string) => void logged.push(line) });
const doorWith = (settings: Record<string, string> = {}) =>
  openDoor({
    config: readConfig({ NODE_ENV: 'test', PORT: '8000', ...settings }),
    log,
    resolve,
    ca: tls.cert + other.cert,
  });

const closed = doorWith();
const open = doorWith({ EGRESS_ALLOW: '127.0.0.1/32' });
const limits = { maxBytes: 10_000, timeoutMs: 5_000 };

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof EgressDenied) return `denied: ${error.reason}`;
  return error instanceof EgressFailed ? `failed: ${error.code}` : `no failure: ${String(error)}`;
}
const reason = (door: typeof open, url: string) => failureOf(door.send({ url, ...limits }));

test('an allowed address is reached, with the name verified by TLS', async () => {
  const url = `https://inside.test:${inside.port}/path?a=b`;
  const { status, body } = await open.send({ url, method: 'POST', body: Buffer.from('sent'), ...limits });
  expect([status, body.toString()]).toEqual([200, 'hello']);
  const [request] = inside.arrived.splice(0);
  expect([request?.method, request?.url, request?.headers.host]).toEqual([
    'POST',
    '/path?a=b',
    `inside.test:${inside.port}`,
  ]);
  expect(await reason(open, `https://other.test:${inside.port}/`)).toBe('failed: connection');
  expect(inside.arrived).toEqual([]);
});

describe('N30: without permission', () => {
  test.each([
    ['a name with a private address', 'inside.test', 'address'],
    ['a name of a name', 'alias.test', 'address'],
    ['an address of IPv6', 'six.test', 'address'],
    ['a mapped address', 'mapped.test', 'address'],
    ['a public address beside a private one', 'both.test', 'address'],
    ['a metadata address', 'metadata.test', 'address'],
    ['an address', '127.0.0.1', 'literal'],
    ['an address with a dot', '127.0.0.1.', 'literal'],
    ['hexadecimal', '0x7f.1', 'literal'],
    ['a number', '2130706433', 'literal'],
    ['octal', '0177.0.0.1', 'literal'],
    ['full width digits', '１２７.0.0.1', 'literal'],
    ['IPv6', '[::1]', 'literal'],
    ['IPv4 in IPv6', '[::ffff:7f00:1]', 'literal'],
    ['NAT64', '[64:ff9b::127.0.0.1]', 'literal'],
    ['a public address', '198.41.0.4', 'literal'],
  ])('%s is not reached: https://%s', async (_, host, why) => {
    const url = `https://${host}:${inside.port}/`;
    expect([await reason(closed, url), await failureOf(closed.check(url))]).toEqual([
      `denied: ${why}`,
      `denied: ${why}`,
    ]);
    expect(inside.arrived).toEqual([]);
  });

  test.each([
    ['http://inside.test/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['no address', 'scheme'],
    ['https://user:secret@inside.test/', 'credentials'],
  ])('%s is refused by its text', async (url, why) => expect(await reason(open, url)).toBe(`denied: ${why}`));

  test('each refusal is one line with host and reason, without path and credentials', () => {
    const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.every(({ event }) => event === 'egress_denied')).toBe(true);
    expect(lines).toContainEqual(expect.objectContaining({ host: 'metadata.test', reason: 'address' }));
    expect(logged.join('')).not.toMatch(/secret|passwd/);
  });
});

describe('N30: a name that changes its meaning', () => {
  test('between the check of a form and the request is refused when it is connected to', async () => {
    const url = `https://rebinding.test:${inside.port}/`;
    await closed.check(url);
    expect(await reason(closed, url)).toBe('denied: address');
    expect([asked['rebinding.test'], inside.arrived]).toEqual([2, []]);
  });

  test('is asked for once, and the address that was checked is the one connected to', async () => {
    const moved = await listen((_request, response) => void response.end('moved'), '127.0.0.2', tls, inside.port);
    const { body } = await open.send({ url: `https://moving.test:${inside.port}/`, ...limits });
    expect([body.toString(), asked['moving.test']]).toEqual(['hello', 1]);
    expect(await reason(open, `https://moving.test:${inside.port}/`)).toBe('denied: address');
    expect(moved.arrived).toEqual([]);
    inside.arrived.splice(0);
  });
});

describe('N30: what belongs to the service', () => {
  const own = (settings: Record<string, string>) => doorWith({ EGRESS_ALLOW: '127.0.0.1/32', ...settings });
  test.each([
    ['its own port', { PORT: String(inside.port) }],
    ['its metrics', { METRICS_PORT: String(inside.port) }],
    ['its database', { DATABASE_URL: `postgres://tenure:secret@database.test:${inside.port}/tenure` }],
    ['its mail server', { SMTP_URL: `smtp://127.0.0.1:${inside.port}` }],
  ])('is not reached, also when allowed: %s', async (_, settings: Record<string, string>) => {
    for (const host of ['inside.test', '127.0.0.1'])
      expect(await reason(own(settings), `https://${host}:${inside.port}/`)).toBe('denied: own');
    expect(inside.arrived).toEqual([]);
  });

  test.each([
    ['smtp://127.0.0.1', [25, 587]],
    ['smtps://127.0.0.1', [465]],
    ['postgres://tenure:secret@127.0.0.1/tenure', [5_432]],
  ])('is not reached at the port that %s leaves out', async (url, ports) => {
    const door = own(url.startsWith('smtp') ? { SMTP_URL: url } : { DATABASE_URL: url });
    for (const port of ports) expect(await reason(door, `https://127.0.0.1:${port}/`)).toBe('denied: own');
  });
});

describe('a look-up', () => {
  test('that does not end is waited for until the time limit, also for a check', async () => {
    const door = openDoor({
      config: readConfig({
        NODE_ENV: 'test',
        EGRESS_ALLOW: '127.0.0.1/32',
        DATABASE_URL: `postgres://tenure:secret@slow.test:${inside.port}/tenure`,
      }),
      log,
      resolve: async (hostname) =>
        hostname === 'slow.test' ? new Promise(() => undefined) : [{ address: hostname, family: 4 }],
    });
    for (const host of ['slow.test', '127.0.0.1']) {
      const url = `https://${host}:${inside.port}/`;
      expect(await failureOf(door.check(url, 200))).toBe('failed: timeout');
      expect(await failureOf(door.send({ url, maxBytes: 1, timeoutMs: 200 }))).toBe('failed: timeout');
    }
    expect(inside.arrived).toEqual([]);
  });

  test('of a name whose server never answers holds up no other one, and ends with the time limit', async () => {
    let isOver = false;
    const hung = Array.from({ length: 8 }, (_, n) =>
      failureOf(open.send({ url: `https://n${n}.silent/`, maxBytes: 1, timeoutMs: 3_000 })),
    );
    const all = Promise.all(hung).finally(() => {
      isOver = true;
    });
    expect(await reason(open, `https://inside.test:${inside.port}/`)).toBe('no failure: undefined');
    inside.arrived.splice(0);
    await lookup('localhost');
    expect(isOver).toBe(false);
    expect(new Set(await all)).toEqual(new Set(['failed: timeout']));
  });

  test('of the system is one of two at a time, without those that have run out of time', async () => {
    const begun: { hostname: string; end: () => void }[] = [];
    const look: Resolve = inTurn(
      (hostname) =>
        new Promise((end) => void begun.push({ hostname, end: () => end([{ address: '::1', family: 6 }]) })),
    );
    const late = AbortSignal.abort(new Error('late'));
    const all = [look('a.test'), look('b.test'), look('c.test', late), look('d.test')];
    const settled = Promise.allSettled(all);
    expect(await look('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(begun.map(({ hostname }) => hostname)).toEqual(['a.test', 'b.test']);
    begun[0]?.end();
    await vi.waitFor(() => expect(begun.map(({ hostname }) => hostname)).toEqual(['a.test', 'b.test', 'd.test']));
    for (const { end } of begun) end();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('an answer', () => {
  const at = async (answer: RequestListener) => `https://inside.test:${(await listen(answer)).port}/`;

  test('N30: that redirects is not followed', async () => {
    const location = `https://inside.test:${inside.port}/`;
    const url = await at((_request, response) => void response.writeHead(302, { location }).end());
    const { status, headers } = await open.send({ url, ...limits });
    expect([status, headers.location, inside.arrived]).toEqual([302, location, []]);
  });

  test.each(['/switch', '/switch-with-upgrade'])('that switches protocols is a failure: %s', async (path) => {
    expect(await reason(open, `https://inside.test:${inside.port}${path}`)).toBe('failed: connection');
    expect(inside.arrived.splice(0)).toHaveLength(1);
  });

  test('that is longer than allowed is cut off, announced or not', async () => {
    let sent = 0;
    const announced = await at((_request, response) =>
      response.writeHead(200, { 'content-length': 1e9 }).flushHeaders(),
    );
    const endless = await at((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    });
    expect([await reason(open, announced), await reason(open, endless)]).toEqual([
      'failed: too_large',
      'failed: too_large',
    ]);
    expect(sent).toBeLessThan(50_000_000);
    const exact = await at((_request, response) => void response.end(Buffer.alloc(limits.maxBytes)));
    expect((await open.send({ url: exact, ...limits })).body).toHaveLength(limits.maxBytes);
  });

  test('that is compressed is refused unread: there is no bomb to unpack', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const url = await at((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(await reason(open, url)).toBe('failed: encoded');
  });

  test.each([
    ['never comes', () => undefined],
    ['never ends', (response: ServerResponse) => void setInterval(() => response.write('.'), 50).unref()],
    ['ends in its headers', (response: ServerResponse) => void response.socket?.write('HTTP/1.1 200 OK\r\nx-a: ')],
  ])('that %s ends with the time limit', async (_, answer: (response: ServerResponse) => void) => {
    const url = await at((_request, response) => answer(response));
    expect(await failureOf(open.send({ url, maxBytes: 10_000, timeoutMs: 400 }))).toBe('failed: timeout');
  });

  test('with too many headers, of no HTTP, or cut off is a failure', async () => {
    const large = await at(
      (_request, response) => void response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
    );
    const garbage = await at((_request, response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    const short = await at((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x');
      setTimeout(() => response.socket?.destroy(), 50);
    });
    for (const url of [large, garbage, short]) expect(await reason(open, url)).toBe('failed: connection');
  });

  test('of a name that is not there, or a port where nothing listens, is a failure', async () => {
    expect(await reason(open, 'https://nothing.test/')).toBe('failed: unresolved');
    expect(await reason(open, 'https://inside.test:1/')).toBe('failed: connection');
  });
});

describe('with a proxy', () => {
  const asks: { target: string | undefined; authorization: string | undefined }[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', (request, socket) => {
    asks.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
    if (request.url?.startsWith('refused.test')) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    if (request.url?.startsWith('silent.test')) return;
    const onward = connect(inside.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const through = async (settings: Record<string, string> = {}) => {
    if (!proxy.listening) {
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
    }
    const { port } = proxy.address() as AddressInfo;
    return doorWith({ EGRESS_PROXY: `http://me:se%20cret@127.0.0.1:${port}`, ...settings });
  };
  afterAll(() => {
    proxy.close();
    proxy.closeAllConnections();
  });

  test('the name goes to the proxy unresolved, and TLS is with the target', async () => {
    const door = await through();
    const { body } = await door.send({ url: 'https://proxied.test/path', ...limits });
    expect(body.toString()).toBe('hello');
    expect(inside.arrived.splice(0).map(({ url }) => url)).toEqual(['/path']);
    const authorization = `Basic ${Buffer.from('me:se cret').toString('base64')}`;
    expect(asks.splice(0)).toEqual([{ target: 'proxied.test:443', authorization }]);
    expect(asked['proxied.test']).toBeUndefined();
    expect(await reason(door, 'https://elsewhere.test/')).toBe('failed: connection');
  });

  test('a refusal and silence of the proxy are failures; text is checked before', async () => {
    const door = await through();
    expect(await reason(door, 'https://refused.test/')).toBe('failed: proxy');
    expect(await failureOf(door.send({ url: 'https://silent.test/', maxBytes: 1, timeoutMs: 300 }))).toBe(
      'failed: timeout',
    );
    asks.splice(0);
    expect(await reason(door, 'https://169.254.169.254/')).toBe('denied: literal');
    expect(await reason(door, 'http://proxied.test/')).toBe('denied: scheme');
    expect(asks).toEqual([]);
  });

  test('an allowed address is checked as without one', async () => {
    const door = await through({ EGRESS_ALLOW: '127.0.0.1/32,169.254.0.0/16', PORT: '8443' });
    asks.splice(0);
    for (const [url, denied] of [
      ['https://169.254.169.254/', 'denied: address'],
      ['https://127.0.0.1:8443/', 'denied: own'],
    ] as const)
      expect([await reason(door, url), await failureOf(door.check(url))]).toEqual([denied, denied]);
    expect(asks).toEqual([]);
    expect((await door.send({ url: 'https://127.0.0.1/', ...limits })).body.toString()).toBe('hello');
    expect(asks.splice(0).map(({ target }) => target)).toEqual(['127.0.0.1:443']);
    inside.arrived.splice(0);
  });

  test.each(['/switch', '/switch-with-upgrade'])('an answer that switches protocols is a failure: %s', async (path) => {
    expect(await reason(await through(), `https://proxied.test${path}`)).toBe('failed: connection');
    expect(inside.arrived.splice(0)).toHaveLength(1);
    asks.splice(0);
  });
});

describe('as fetch', () => {
  const fetching = fetchThrough(open, { maxBytes: 10_000 });

  test('it sends and answers as fetch does', async () => {
    const { port, arrived } = await listen((request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
      request.pipe(response);
    });
    const response = await fetching(`https://inside.test:${port}/token`, {
      method: 'POST',
      body: new URLSearchParams({ code: 'x y' }),
      headers: { authorization: 'Basic eA==' },
    });
    expect([response.status, response.headers.getSetCookie(), await response.text()]).toEqual([
      201,
      ['a=1', 'b=2'],
      'code=x+y',
    ]);
    expect(arrived[0]?.headers).toMatchObject({
      authorization: 'Basic eA==',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    });
  });

  test('it follows no redirect, has no body where there is none, and is denied like the door', async () => {
    const { port } = await listen((request, response) => {
      response.writeHead(request.url === '/empty' ? 204 : 302, { location: '/' }).end();
    });
    const answers = await Promise.all(['empty', 'away'].map((path) => fetching(`https://inside.test:${port}/${path}`)));
    expect(answers.map(({ status, body }) => [status, body === null])).toEqual([
      [204, true],
      [302, false],
    ]);
    expect(await failureOf(fetching('https://metadata.test/'))).toBe('denied: address');
  });
});
