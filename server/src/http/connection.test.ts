import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { listen, sendBytes } from '../testing/socket.ts';
import { probeRoutes } from '../testing/probes.ts';

const { app, as, make, logged } = await startApp({}, { bindings: probeRoutes, webFolder: '/nowhere' });
const port = await listen(app);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

const head = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const signedIn = () => [
  'Referer: http://localhost:8000/',
  `Cookie: ${[...hr.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
  `X-XSRF-TOKEN: ${hr.cookies.get('XSRF-TOKEN')}`,
];
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-site',
  'x-frame-options': 'DENY',
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
};

describe('broken HTTP is refused in one line of JSON, and the connection closes', () => {
  const get = 'GET /api/me HTTP/1.1\r\nHost: x\r\n';
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown verb', 'FROBNICATE /api/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a version that does not exist', 'GET /api/me HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without colon', `${get}Broken\r\n\r\n`],
    ['a space before the colon', `${get}Content-Length : 1\r\n\r\n`],
    ['a folded header', `${get}A: b\r\n c\r\n\r\n`],
    ['a bare line feed', 'GET /api/me HTTP/1.1\nHost: x\n\n'],
    ['a bare line feed in the headers', 'GET /api/me HTTP/1.1\r\nHost: x\nA: b\r\n\r\n'],
    ['a NUL in a header', `${get}A: \0\r\n\r\n`],
    ['no Host', 'GET /api/me HTTP/1.1\r\nA: b\r\n\r\n'],
    ['two Hosts', `${get}Host: y\r\n\r\n`],
    ['the same Host twice', `${get}host: x\r\n\r\n`],
    ['two Hosts of an old version', 'GET /livez HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    [
      'length and chunks together',
      'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd'],
    ['a length that is no number', 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\nabcd'],
    ['an unknown transfer coding', 'POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunkedx\r\n\r\n0\r\n\r\n'],
    [
      'chunked before another coding',
      'POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n',
    ],
    ['a chunk size that is none', 'POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('%s: 400', async (_what, bytes) => {
    const answer = await sendBytes(port, bytes, { untilClosed: true });
    expect([answer.status, answer.body]).toEqual([400, '{"message":"Bad request."}']);
    expect(answer.headers).toMatchObject({ ...securityHeaders, 'content-type': 'application/json; charset=utf-8' });
    expect(answer.closed).toBe(true);
  });

  test('a request hidden behind another is never answered', async () => {
    const inner = head('GET /api/me', ...signedIn());
    const smuggled = `POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`;
    const answer = await sendBytes(port, smuggled, { untilClosed: true });
    expect(answer.status).toBe(400);
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('headers over 16 KiB: 431', async () => {
    const answer = await sendBytes(port, head('GET /api/me', `A: ${'x'.repeat(17_000)}`), { untilClosed: true });
    expect([answer.status, answer.body]).toEqual([431, '{"message":"Request header fields too large."}']);
    expect([answer.closed, answer.headers['x-frame-options']]).toEqual([true, 'DENY']);
    expect((await sendBytes(port, head('GET /api/me', `A: ${'x'.repeat(15_000)}`))).status).toBe(401);
  });

  test('CONNECT is 405', async () => {
    const answer = await sendBytes(port, head('CONNECT /api/me'), { untilClosed: true });
    expect([answer.status, answer.body, answer.closed]).toEqual([405, '{"message":"Method not allowed."}', true]);
  });

  test.each(['/api/./me', '/api/x/../me', '/api/%2e%2e/api/me', '/api\\me', '*', 'http://x/api/me'])(
    'the address %s is 404',
    async (path) => {
      const answer = await sendBytes(port, head(`GET ${path}`, ...signedIn()));
      expect([answer.status, answer.body]).toEqual([404, '{"message":"Not found."}']);
    },
  );

  test('an unknown expectation and an offer to upgrade change nothing', async () => {
    for (const header of ['Expect: tea', 'Connection: Upgrade\r\nUpgrade: websocket'])
      expect((await sendBytes(port, head('GET /api/me', header, ...signedIn()))).status).toBe(200);
  });
});

describe('bodies that are too large', () => {
  const megabyte = 1_024 * 1_024;
  const post = (path: string, ...headers: string[]) => head(`POST ${path}`, ...signedIn(), ...headers);
  const tooLarge = '{"message":"The request body is too large."}';

  test('a declared size is refused before anything is read, and the line stays open for the answer', async () => {
    const answer = await sendBytes(
      port,
      post('/api/probes', 'Content-Type: application/json', 'Content-Length: 10000000000'),
      {
        more: ['{"name":'],
      },
    );
    expect([answer.status, answer.body]).toEqual([413, tooLarge]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('a stream is refused as soon as it passes the limit; the server reads on for a moment and closes', async () => {
    async function* endless() {
      const piece = 'x'.repeat(65_536);
      for (;;) {
        yield `10000\r\n${piece}\r\n`;
        await wait(1);
      }
    }
    const answer = await sendBytes(
      port,
      post('/api/probes', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      {
        more: endless(),
        untilClosed: true,
      },
    );
    expect([answer.status, answer.body, answer.closed]).toEqual([413, tooLarge, true]);
  });

  test('an answer before the end of a small body leaves the connection usable', async () => {
    const body = 'x'.repeat(megabyte / 2);
    const refused = head('POST /api/probes', 'Referer: http://localhost:8000/', `Content-Length: ${body.length}`);
    const answer = await sendBytes(port, refused + body + head('GET /livez', 'Connection: close'), {
      untilClosed: true,
    });
    expect(answer.status).toBe(419);
    expect(answer.text).toContain('{"message":"OK"}');
  });

  test('an early answer to a long body closes the connection', async () => {
    const refused = head('POST /api/probes', 'Referer: http://localhost:8000/', 'Transfer-Encoding: chunked');
    const answer = await sendBytes(port, refused, { more: ['5\r\nhello\r\n'], untilClosed: true });
    expect([answer.status, answer.closed]).toEqual([419, true]);
  });

  test.each([
    [1_024 * 1_024, 201],
    [1_024 * 1_024 + 1, 413],
  ])('JSON of %i bytes is %i', async (bytes, status) => {
    const body = JSON.stringify({ name: 'Ada', x: '' });
    const padded = body.replace('"x":""', `"x":"${'y'.repeat(bytes - body.length)}"`);
    expect(Buffer.byteLength(padded)).toBe(bytes);
    expect((await hr.send('POST', '/api/probes', { payload: padded })).status).toBe(status);
  });

  test('a client that hangs up in the middle is no fault of ours', async () => {
    const request = post('/api/probes', 'Content-Type: application/json', 'Content-Length: 100');
    const before = logged.length;
    await sendBytes(port, request, { more: ['{"na'], wait: 50 });
    await wait(100);
    expect(logged.slice(before).join('')).not.toMatch(/"level":(40|50|60)/);
  });
});

describe('slow clients', () => {
  test('the limits of time are explicit', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = app.server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      timeout: 130_000,
      maxConnections: 4_096,
    });
  });

  test('who is slower than them gets 408 and is cut off, without effect on others', async () => {
    const slow = { untilClosed: true };
    const body = head('POST /api/probes', ...signedIn(), 'Content-Type: application/json', 'Content-Length: 10');
    let cut = 0;
    const send = (start: string) =>
      sendBytes(port, start, slow).then((answer) => {
        cut += 1;
        return answer;
      });
    const waiting = Promise.all([
      ...Array.from({ length: 20 }, () => send('GET /api/me HTTP/1.1\r\nHos')),
      ...Array.from({ length: 20 }, () => send(`${body}{`)),
    ]);
    expect((await sendBytes(port, head('GET /livez'))).status).toBe(200);
    expect(cut).toBe(0);
    // only now, so that the response does not race the limits
    Object.assign(app.server, { headersTimeout: 100, requestTimeout: 200 });
    for (const answer of await waiting) {
      expect([answer.status, answer.body, answer.closed]).toEqual([408, '{"message":"Request timeout."}', true]);
    }
  });
});
