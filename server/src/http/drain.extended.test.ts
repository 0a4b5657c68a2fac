import { createServer, Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { cookieHeader } from '../testing/client.ts';
import { probeRoutes } from '../testing/probes.ts';
import { connectionsOf, listen, requestHead, sendBytes } from '../testing/socket.ts';

/** Responses that are sent before the body was read, as clients with kept-alive connections get them. */

const { app, as, make } = await startApp(
  { RATE_LIMIT_PER_MINUTE: '100000' },
  { bindings: probeRoutes, webFolder: '/nowhere' },
);
const port = await listen(app);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const megabyte = 1_024 * 1_024;
const tooLarge = '{"message":"The request body is too large."}';

const signedIn = () => ({
  referer: 'http://localhost:8000/',
  cookie: cookieHeader(hr.cookies),
  'x-xsrf-token': hr.cookies.get('XSRF-TOKEN') ?? '',
  'content-type': 'application/json',
});
type Headers = Record<string, string>;
const noToken = (): Headers => ({ ...signedIn(), 'x-xsrf-token': '' });
const guestHeaders = (): Headers => ({ referer: 'http://localhost:8000/' });
const sizes = [megabyte + 1, megabyte + 100_000, 2 * megabyte, 8 * megabyte, 40 * megabyte];
/** Requests that are refused before their body is read: path, headers, size of the body, and response. */
const early: [what: string, path: string, headers: () => Headers, bytes: number, status: number][] = [
  ...sizes.map((size): (typeof early)[number] => [`${size} bytes`, '/api/probes', signedIn, size, 413]),
  ['no token, small', '/api/probes', noToken, 300_000, 419],
  ['no token, large', '/api/probes', noToken, megabyte, 419],
  ['an address that does not exist', '/api/nothing', signedIn, 500_000, 404],
  ['no session', '/api/probes', guestHeaders, 500_000, 419],
];

type Got = { status: number; body: string; close: boolean };

/** One request through an agent; rejects when the connection breaks before the response is complete. */
function send(agent: Agent, to: number, path: string, headers: Headers, body: Buffer, chunked = false): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port: to,
      agent,
      path,
      method: body.length > 0 ? 'POST' : 'GET',
      headers: { ...headers, ...(!chunked && body.length > 0 && { 'content-length': String(body.length) }) },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString(),
          close: response.headers.connection === 'close',
        }),
      );
    });
    request.end(body);
  });
}

/** A proxy that keeps its connections to the service alive, like real ones. */
async function poolingProxy() {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const broken: unknown[] = [];
  const proxy = createServer((request, response) => {
    const up = httpRequest({ port, agent, path: request.url, method: request.method, headers: request.headers });
    let isAnswered = false;
    up.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('end', () => {
        isAnswered = true;
      });
    });
    up.on('error', (error) => {
      // a break after a complete response loses nothing
      if (isAnswered) return;
      broken.push(error);
      response.destroy();
    });
    request.on('error', () => undefined);
    // like real proxies, it reads the whole body before it forwards it
    void buffer(request).then((body) => up.end(body));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => {
    agent.destroy();
    proxy.close();
  });
  return { port: (proxy.address() as AddressInfo).port, broken };
}

describe.each([
  ['its length', false],
  ['chunks', true],
])('a body announced by %s', (_how, chunked) => {
  test(
    'over an agent that keeps connections, every answer arrives and the next request too',
    { timeout: 60_000 },
    async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let round = 0; round < 3; round += 1) {
        for (const [what, path, headers, bytes, status] of early) {
          const got = await send(agent, port, path, headers(), Buffer.alloc(bytes, 'x'), chunked);
          expect([what, got.status]).toEqual([what, status]);
          if (status === 413) expect(got.body).toBe(tooLarge);
          expect((await send(agent, port, '/livez', {}, Buffer.alloc(0))).status).toBe(200);
        }
      }
      agent.destroy();
    },
  );

  test('over fetch, every answer arrives', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 3; round += 1) {
      for (const [what, path, headers, bytes, status] of early) {
        const content = Buffer.alloc(bytes, 'x');
        const body = chunked ? new Blob([content]).stream() : content;
        const init = { method: 'POST', headers: headers(), body, ...(chunked && { duplex: 'half' as const }) };
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
        expect([what, answer.status]).toEqual([what, status]);
        if (status === 413) expect(await answer.text()).toBe(tooLarge);
        else await answer.arrayBuffer();
        expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
      }
    }
  });

  test('behind a proxy that keeps connections, every answer arrives', { timeout: 60_000 }, async () => {
    const proxy = await poolingProxy();
    const agent = new Agent();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        early.map(async ([what, path, headers, bytes, status]) => {
          const got = await send(agent, proxy.port, path, headers(), Buffer.alloc(bytes, 'x'), chunked);
          expect([what, got.status]).toEqual([what, status]);
        }),
      );
      expect((await send(agent, proxy.port, '/livez', {}, Buffer.alloc(0))).status).toBe(200);
    }
    expect(proxy.broken).toEqual([]);
  });
});

const head = (line: string, ...headers: string[]) => requestHead(line, hr.cookies, ...headers);

test('a connection that will be closed says so, and the answer arrives though the client writes to the end first', async () => {
  const socket = connect(port, '127.0.0.1').pause();
  const errors: unknown[] = [];
  socket.on('error', (error) => errors.push(error));
  await once(socket, 'connect');
  socket.write(head('POST /api/probes', 'Content-Type: application/json', `Content-Length: ${4 * megabyte}`));
  for (let sent = 0; sent < 4 * megabyte; sent += 65_536)
    await new Promise<void>((resolve) => void socket.write(Buffer.alloc(65_536, 'x'), () => resolve()));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.resume();
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text.toLowerCase()).toContain('connection: close');
  expect(text.endsWith(tooLarge)).toBe(true);
  expect(errors).toEqual([]);
});

test('a connection announced as kept is kept for a client that sends its small body slowly', async () => {
  async function* slowly() {
    for (let n = 0; n < 6; n += 1) {
      await wait(500);
      yield 'x'.repeat(100);
    }
    yield requestHead('GET /livez', new Map(), 'Connection: close');
  }
  const refused = ['POST /api/probes HTTP/1.1', 'Host: x', 'Referer: http://localhost:8000/', 'Content-Length: 600'];
  const answer = await sendBytes(port, `${refused.join('\r\n')}\r\n\r\n`, { more: slowly(), untilClosed: true });
  expect(answer.status).toBe(419);
  expect(answer.headers.connection).not.toBe('close');
  expect(answer.text).toContain('{"message":"OK"}');
});

test(
  'a client that goes on sending after its answer is cut off, by bytes and by time',
  { timeout: 30_000 },
  async () => {
    const start = head('POST /api/probes', 'Content-Type: application/json', 'Content-Length: 10000000000');
    const fast = connect(port, '127.0.0.1');
    fast.on('error', () => undefined).resume();
    fast.write(start);
    const piece = Buffer.alloc(megabyte, 'x');
    let sent = 0;
    while (!fast.destroyed && sent < 200) {
      await new Promise<void>((resolve) => {
        fast.write(piece, () => resolve());
        fast.once('close', resolve);
      });
      sent += 1;
    }
    expect(sent).toBeLessThan(64);
    const slow = connect(port, '127.0.0.1');
    slow.on('error', () => undefined).resume();
    slow.write(start);
    const begun = performance.now();
    const drip = setInterval(() => slow.write('x'), 200);
    await once(slow, 'close');
    clearInterval(drip);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await connectionsOf(app)).toBeLessThan(10);
  },
);

test('a client that half-closes after its request gets its answer', async () => {
  for (const request of [
    head('GET /api/me'),
    head('GET /api/probes/1?length=100000'),
    `${head('POST /api/probes', 'Content-Type: application/json', 'Content-Length: 15')}{"name":"Ada "}`,
    head('GET /nowhere'),
  ]) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.end(request);
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 (200|201|404) /);
    expect(text).toMatch(/\}$/);
  }
  await expect.poll(() => connectionsOf(app)).toBeLessThan(10);
});
