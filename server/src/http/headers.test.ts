import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parse } from 'content-disposition';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { probeRoutes } from '../testing/probes.ts';
import { trustedPeers } from './listener.ts';
import { dispositionOf } from './reply.ts';

const settings = { APP_URL: 'https://hr.example.com', TRUST_PROXY: '10.0.0.0/8,fd00::/8' };
const { app, as, make, logged } = await startApp(settings, { bindings: probeRoutes, webFolder: '/nowhere' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const plain = await startApp({}, { bindings: probeRoutes, webFolder: '/nowhere' });

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-site',
  'x-frame-options': 'DENY',
};
const strict = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

describe('every answer', () => {
  const answers: [method: string, path: string, status: number][] = [
    ['GET', '/api/me', 200],
    ['HEAD', '/api/me', 200],
    ['GET', '/%61pi/m%65', 200],
    ['GET', '/%73anctum/nothing', 404],
    ['DELETE', '/api/probes/1', 204],
    ['GET', '/api/probes/1/file', 200],
    ['GET', '/api/probes/100', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/api//me', 404],
    ['PUT', '/api/me', 405],
    ['POST', '/api/probes', 422],
    ['GET', '/api/probes/fault', 500],
    ['OPTIONS', '/api/me', 204],
    ['GET', '/sanctum/csrf-cookie', 204],
    ['POST', '/login', 422],
    ['POST', '/two-factor-challenge', 422],
    ['GET', '/docs/api', 200],
    ['GET', '/docs/api.json', 200],
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
    ['GET', '/', 404],
    ['GET', '/nothing', 404],
  ];
  test.each(answers)('%s %s carries the headers of safety and no name of software', async (method, path, status) => {
    const answer = await hr.send(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ ...everywhere, ...strict });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect([answer.headers.server, answer.headers['x-powered-by']]).toEqual([undefined, undefined]);
  });

  test.each(answers.filter(([, path]) => /^\/(api|sanctum|login|two-factor-challenge|%61|%73)/.test(path)))(
    '%s %s is not kept and is no page',
    async (method, path) => {
      const { headers } = await hr.send(method, path, { headers: { 'if-none-match': '*', range: 'bytes=0-1' } });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
      expect([headers.etag, headers['last-modified'], headers['content-range']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test('conditions and ranges change nothing', async () => {
    const whole = await hr.get('/api/probes/1/file');
    for (const headers of [
      { range: 'bytes=0-9' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    ] as Record<string, string>[]) {
      const answer = await hr.get('/api/probes/1/file', headers);
      expect([answer.status, answer.bytes.length]).toEqual([200, whole.bytes.length]);
    }
  });

  test('over plain http speaks of no transport security', async () => {
    const guest = await plain.as();
    expect((await guest.get('/livez')).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('compression', () => {
  const accept = (encoding: string) => ({ 'accept-encoding': encoding });

  test('is offered from 1.4 kB, in br and gzip, and says so', async () => {
    const cookie = [...hr.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const read = (encoding: string, length = 5_000) =>
      app.inject({
        url: `/api/probes/1?length=${length}`,
        headers: { ...accept(encoding), cookie, referer: 'https://hr.example.com/' },
      });
    const [full, br] = [await read('identity'), await read('gzip, deflate, br')];
    expect([br.headers['content-encoding'], br.headers.vary]).toEqual([
      'br',
      'Origin, Accept-Language, accept-encoding',
    ]);
    expect(brotliDecompressSync(br.rawPayload)).toEqual(full.rawPayload);
    const gzip = await app.inject({
      url: '/docs/api.json',
      headers: accept('gzip'),
    });
    expect([gzip.headers['content-encoding'], gzip.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toMatchObject({ openapi: '3.1.0' });
    expect((await read('br', 1_100)).headers['content-encoding']).toBeUndefined();
    expect((await read('br', 1_400)).headers['content-encoding']).toBe('br');
    expect(full.headers['content-encoding']).toBeUndefined();
  });

  test('is the same for HEAD', async () => {
    const head = await hr.send('HEAD', '/api/probes/1?length=5000', { headers: accept('br') });
    expect([head.status, head.bytes.length, head.headers['content-encoding']]).toEqual([200, 0, 'br']);
  });

  test('leaves secrets and files alone', async () => {
    const secret = await hr.post('/api/probes/secret', {}, accept('br, gzip'));
    expect([secret.headers['content-encoding'], secret.body.data.received.length > 1_000]).toEqual([undefined, true]);
    for (const path of ['/api/probes/1/file', '/api/probes/1/file?streamed=1'])
      expect((await hr.get(path, accept('br, gzip'))).headers['content-encoding']).toBeUndefined();
    expect(secret.headers['x-no-compression']).toBeUndefined();
  });

  test('survives the round trip', async () => {
    const answer = await app.inject({ url: '/docs/api.json', headers: accept('br') });
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe((await app.inject('/docs/api.json')).body);
  });
});

describe('downloads', () => {
  test('say what they are and how long', async () => {
    const answer = await hr.get('/api/probes/1/file');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '4000',
      'content-disposition': `attachment; filename="probe.csv"; filename*=UTF-8''probe.csv`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
    const streamed = await hr.get('/api/probes/1/file?streamed=1');
    expect([streamed.headers['content-length'], streamed.bytes.length]).toEqual([undefined, 4_000]);
  });

  test('ask for a session, a permission and the row, also for HEAD', async () => {
    const [guest, employee] = [await as(), await as((await make.employee()).user_id)];
    for (const method of ['GET', 'HEAD']) {
      expect((await guest.send(method, '/api/probes/1/file')).status).toBe(401);
      expect((await employee.send(method, '/api/probes/1/file')).status).toBe(403);
      expect((await hr.send(method, '/api/probes/100/file')).status).toBe(404);
    }
  });

  test.each([
    'report.pdf',
    'a b.pdf',
    'Lebenslauf für Zoë.pdf',
    '履歴書.docx',
    'a"b.csv',
    'a\\b.csv',
    "it's (1)*.csv",
    '100%.csv',
    '%41.csv',
    'a;b=c, d.csv',
    'a\r\nSet-Cookie: x=1.csv',
    'a\u0000b.csv',
    'gpj\u202e.exe',
    '😀'.repeat(255),
    `${'x'.repeat(250)}.pdf`,
    '../../etc/passwd',
    'a\ud800.csv',
    '',
  ])('have a name another parser reads: %j', async (name) => {
    const value = dispositionOf(name);
    // oxlint-disable-next-line no-control-regex -- a header holds printable ASCII and nothing else
    expect(value).toMatch(/^[\x20-\x7e]+$/);
    const { type, parameters } = parse(value);
    expect([type, parameters.filename]).toEqual(['attachment', name.toWellFormed()]);
    const sent = await hr.get(`/api/probes/1/file?name=${encodeURIComponent('ü.csv')}`);
    expect(parse(String(sent.headers['content-disposition'])).parameters.filename).toBe('ü.csv');
  });
});

describe('proxies', () => {
  const forged = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
    'x-real-ip': '203.0.113.9',
    'x-request-id': 'given-by-peer',
  };
  const lastLine = () => JSON.parse(logged.findLast((line) => line.includes('"event":"request"')) ?? '{}');
  const from = async (remoteAddress: string) => {
    const cookie = [...hr.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...forged, cookie, referer: 'https://hr.example.com/' };
    const answer = await app.inject({ url: '/api/me', headers, remoteAddress });
    return { answer, line: lastLine() };
  };

  test('we do not know change nothing', async () => {
    for (const peer of ['203.0.113.1', '127.0.0.1', '::1']) {
      const { answer, line } = await from(peer);
      expect(line.ip).toBe(peer);
      expect(answer.headers['x-request-id']).not.toBe('given-by-peer');
      expect([answer.headers['set-cookie']].flat().join()).toContain('Secure');
    }
  });

  test('of ours speak for their clients, and name the request', async () => {
    for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::7']) {
      const { answer, line } = await from(peer);
      expect([line.ip, line.request_id]).toEqual(['203.0.113.9', 'given-by-peer']);
      expect(answer.headers['x-request-id']).toBe('given-by-peer');
      expect([answer.headers['set-cookie']].flat().join()).toContain('Secure');
    }
  });

  test('are known by their ranges', () => {
    const isTrusted = trustedPeers(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
    for (const address of ['10.255.0.1', '192.0.2.1', 'fd12::1', '::ffff:10.0.0.1'])
      expect(isTrusted(address)).toBe(true);
    for (const address of ['11.0.0.1', '192.0.2.2', 'fe80::1', '', undefined, 'x'])
      expect(isTrusted(address)).toBe(false);
    expect(trustedPeers([])('127.0.0.1')).toBe(false);
  });
});
