import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';
import { probeRoutes } from '../testing/probes.ts';
import { buildServer } from './server.ts';

const { app, as, deps, make, owner } = await startApp({}, { bindings: probeRoutes, webFolder: '/nowhere' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const password = 'Str0ng!Passw0rd';
const notFound = { message: 'Not found.' };

const effects = async () => (await owner.query('select count(*)::int as n from audit_log')).rows[0].n as number;

describe('paths', () => {
  test('signing in and out have two spellings each, and the current user too', async () => {
    const { email } = await make.employee({ password });
    for (const prefix of ['', '/api']) {
      const client = await as();
      expect((await client.post(`${prefix}/login`, { email, password })).status).toBe(200);
      const [me, user] = [await client.get('/api/me'), await client.get('/api/user')];
      expect([me.status, user.body]).toEqual([200, me.body]);
      expect((await client.post(`${prefix}/logout`)).status).toBe(200);
      expect((await client.get('/api/me')).status).toBe(401);
    }
  });

  test('exactly one trailing slash is ignored, and a path is decoded once', async () => {
    for (const path of ['/api/me', '/api/me/', '/api/%6de', '/api/probes/1/', '/sanctum/csrf-cookie/'])
      expect((await hr.get(path)).status).toBeLessThan(300);
  });

  test.each([
    '/api/ME',
    '/API/me',
    '/api/me//',
    '/api//me',
    '//api/me',
    '/api/me%2F',
    '/api%2Fme',
    '/api/%5cme',
    '/api/me%00',
    '/api/me%',
    '/api/%zz',
    '/api/%ff',
    '/api/me;x',
    '/api/me;x=1/y',
    '/api/me/x.css',
    '/api/me.css',
    '/api/probes/1.css',
    '/api/%256de',
    '/api/probes/1%252Factive',
    '/api/constructor',
    '/api/__proto__',
    '/api/probes/toString',
    '/api',
    '/api/',
    '/sanctum',
    '/sanctum/csrf-cookie/x',
    `/api/probes/${'9'.repeat(300)}`,
  ])('%s is 404', async (path) => {
    const answer = await hr.get(path);
    expect([answer.status, answer.body]).toEqual([404, notFound]);
    expect(answer.setCookies).toEqual([]);
  });

  test.each([
    '0',
    '01',
    '-1',
    '1.0',
    '1e2',
    '0x10',
    'abc',
    '١',
    '9007199254740992',
    '99999999999999999',
    '%20',
    '1%00',
  ])('the id %s is 404 before any query, for guests too', async (id) => {
    const guest = await as();
    for (const client of [hr, guest]) expect((await client.get(`/api/probes/${encodeURI(id)}`)).body).toEqual(notFound);
    expect((await hr.put(`/api/probes/${encodeURI(id)}`, { name: 'x' })).status).toBe(404);
  });

  test('ids at the edges of integers are looked for', async () => {
    for (const id of ['2147483648', '9007199254740991']) expect((await hr.get(`/api/probes/${id}`)).status).toBe(404);
    expect((await hr.get('/api/probes/1')).status).toBe(200);
  });

  test('an id is any whole number that is exact', async () => {
    const guest = await as();
    const status = async (id: bigint) => (await guest.get(`/api/probes/${id}`)).status;
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    for (let step = 1n; step <= most; step *= 10n) {
      expect([step, await status(step)]).toEqual([step, 401]);
      expect([step, await status(most - step + 1n)]).toEqual([step, 401]);
      expect([step, await status(most + step)]).toEqual([step, 404]);
    }
  });

  test('a word goes before what stands for an id', async () => {
    expect((await hr.post('/api/probes/everywhere')).status).toBe(200);
    expect((await hr.send('PUT', '/api/probes/everywhere', { body: {} })).headers.allow).toBe('POST');
    expect((await hr.get('/api/probes/secret')).headers.allow).toBe('POST');
  });

  test('two endpoints of one address stop the start', async () => {
    const [first] = probeRoutes as [(typeof probeRoutes)[0], ...unknown[]];
    for (const path of ['/probes', '/employees/:employee_id'] as const) {
      const second = {
        ...first,
        endpoint: { ...first.endpoint, path, method: path === '/probes' ? 'POST' : 'GET' },
      } as const;
      await expect(buildServer(deps, [...routes, ...probeRoutes, second], { webFolder: '/nowhere' })).rejects.toThrow(
        'already declared',
      );
    }
  });
});

describe('methods', () => {
  test('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/api/me', '/api/probes', '/api/probes/1', '/api/probes/100', '/api/probes/1/file', '/livez']) {
      const [get, head] = [await hr.get(path), await hr.send('HEAD', path)];
      const { date: _then, 'x-request-id': _id, 'x-ratelimit-remaining': _left, ...expected } = get.headers;
      expect([path, head.status, head.bytes.length]).toEqual([path, get.status, 0]);
      expect(head.headers).toMatchObject(expected);
    }
  });

  test('OPTIONS that is no preflight names the methods of a known path', async () => {
    const allow = async (path: string) => {
      const answer = await hr.send('OPTIONS', path);
      return [answer.status, answer.headers.allow, answer.bytes.length, answer.setCookies.length];
    };
    expect(await allow('/api/probes/1')).toEqual([204, 'GET, HEAD, PUT, PATCH, DELETE', 0, 0]);
    expect(await allow('/api/probes')).toEqual([204, 'GET, HEAD, POST', 0, 0]);
    expect(await allow('/sanctum/csrf-cookie')).toEqual([204, 'GET, HEAD', 0, 0]);
    expect(await allow('/login')).toEqual([204, 'GET, HEAD, POST', 0, 0]);
    expect(await allow('/logout')).toEqual([204, 'POST', 0, 0]);
    expect((await hr.send('OPTIONS', '/api/nothing')).status).toBe(404);
    expect((await hr.send('OPTIONS', '/api/probes/0')).status).toBe(404);
  });

  test.each([
    ['POST', '/api/me', 'GET, HEAD'],
    ['PUT', '/api/probes', 'GET, HEAD, POST'],
    ['PATCH', '/api/probes', 'GET, HEAD, POST'],
    ['DELETE', '/api/probes', 'GET, HEAD, POST'],
    ['GET', '/api/logout', 'POST'],
    ['GET', '/logout', 'POST'],
    ['GET', '/api/login', 'POST'],
    ['PUT', '/login', 'GET, HEAD, POST'],
    ['POST', '/sanctum/csrf-cookie', 'GET, HEAD'],
    ['POST', '/livez', 'GET, HEAD'],
    ['TRACE', '/api/me', 'GET, HEAD'],
    ['PROPFIND', '/api/probes/1', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['PURGE', '/api/probes/1', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['QUERY', '/api/probes', 'GET, HEAD, POST'],
  ])('%s %s is 405 and names what is allowed', async (method, path, allow) => {
    const before = await effects();
    const answer = await hr.send(method, path);
    expect([answer.status, answer.body]).toEqual([405, { message: 'Method not allowed.' }]);
    expect([answer.headers.allow, answer.setCookies]).toEqual([allow, []]);
    const guest = await as();
    expect((await guest.send(method, path)).status).toBe(405);
    expect(await effects()).toBe(before);
  });

  test('a method that no address knows is never executed', async () => {
    for (const path of ['/api/nothing', '/api/probes/0', '/'])
      for (const method of ['TRACE', 'PROPFIND']) expect((await hr.send(method, path)).status).toBe(404);
  });

  test('PATCH does what PUT does', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const answer = await hr.send(method, '/api/probes/1', { body: { name: 'Ada', note: null } });
      expect([answer.status, JSON.parse(answer.body.data.received)]).toEqual([200, { name: 'Ada', note: null }]);
      expect((await hr.send(method, '/api/probes/1', { body: {} })).body.data.received).toBe('{}');
      expect((await hr.send(method, '/api/probes/1', { body: { name: '' } })).body.errors).toEqual({
        name: ['The name field is required.'],
      });
    }
  });
});

describe('method override', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const textPart = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const filePart = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n';
  const parts = (...texts: string[]) => ({
    payload: `${texts.join('')}--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  const sent: [string, { body?: unknown; payload?: string; headers?: Record<string, string> }, string][] = [
    ['JSON', { body: { _method: 'PUT', name: 'Ada' } }, ''],
    ['JSON in small letters', { body: { name: 'Ada', _method: 'patch' } }, ''],
    ['urlencoded', { payload: '_method=put&name=Ada', headers: form }, ''],
    ['multipart, first', parts(textPart('_method', 'PUT'), textPart('name', 'Ada')), ''],
    ['multipart, last', parts(textPart('name', 'Ada'), textPart('_method', 'Patch')), ''],
    ['multipart, after a file', parts(textPart('name', 'Ada'), filePart, textPart('_method', 'PUT')), ''],
    ['the query', { body: { name: 'Ada' } }, '?_method=PUT'],
  ];

  test.each(sent)('is read from %s', async (_where, request, query) => {
    const answer = await hr.send('POST', `/api/probes/1${query}`, request);
    expect([answer.status, answer.body.message]).toEqual([200, 'Employee updated successfully.']);
    expect(JSON.parse(answer.body.data.received)).toEqual({ name: 'Ada' });
  });

  test('DELETE works alike, and POST changes nothing', async () => {
    expect((await hr.post('/api/probes/1', { _method: 'DELETE' })).status).toBe(204);
    expect((await hr.post('/api/probes/1?_method=delete')).status).toBe(204);
    expect((await hr.post('/api/probes', { _method: 'POST', name: 'Ada' })).status).toBe(201);
    expect((await hr.post('/api/probes', { _method: 'post', name: 'Ada' })).status).toBe(201);
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'X', 'PUTT', ['PUT'], 7, { a: 1 }])(
    'any other value is 405: %j',
    async (value) => {
      const before = await effects();
      const answer = await hr.post('/api/probes/1/act', { _method: value });
      expect([answer.status, answer.headers.allow, answer.setCookies]).toEqual([405, 'POST', []]);
      expect(await effects()).toBe(before);
    },
  );

  test('a method the path does not know is 405', async () => {
    expect((await hr.post('/api/probes', { _method: 'PUT', name: 'Ada' })).status).toBe(405);
    expect((await hr.post('/api/probes?_method=DELETE')).status).toBe(405);
  });

  test('it counts only on POST, and the header of other frameworks is ignored', async () => {
    expect((await hr.put('/api/probes/1', { _method: 'DELETE', name: 'Ada' })).body.message).toContain('updated');
    expect((await hr.get('/api/probes/1?_method=DELETE')).status).toBe(200);
    const answer = await hr.post('/api/probes/1/act', {}, { 'x-http-method-override': 'DELETE' });
    expect(answer.status).toBe(200);
    expect((await hr.post('/api/probes/1', {}, { 'x-http-method-override': 'PUT' })).status).toBe(405);
  });

  test('it never lifts the CSRF check, and is read only for someone signed in', async () => {
    const before = await effects();
    const noToken = await hr.send('POST', '/api/probes/1', {
      body: { _method: 'DELETE' },
      headers: { 'x-xsrf-token': '' },
    });
    expect(noToken.status).toBe(419);
    const guest = await as();
    expect((await guest.post('/api/probes/1', { _method: 'DELETE' })).status).toBe(401);
    expect((await guest.post('/api/probes/1', {})).status).toBe(401);
    expect((await hr.post('/api/probes/1', {})).status).toBe(405);
    expect(await effects()).toBe(before);
  });

  test('permission is that of the method it means', async () => {
    const employee = await as((await make.employee()).user_id);
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await employee.post('/api/probes/1', { _method: method })).status).toBe(403);
    expect(
      (await employee.upload('/api/probes/1/upload', { name: 'a', content: 'x' }, { _method: 'PUT' })).status,
    ).toBe(403);
  });

  test('a file beside it is read once', async () => {
    const { payload, headers } = multipart({ name: 'a.png', content: 'x' }, { name: 'Ada', _method: 'put' });
    expect((await hr.send('POST', '/api/probes/1', { payload, headers })).status).toBe(200);
  });
});

test.each([undefined, '*/*', 'text/html', 'application/json, text/plain, */*', 'image/png'])(
  'the API answers JSON and never redirects when the client accepts %s',
  async (accept) => {
    const headers: Record<string, string> = { referer: 'http://localhost:8000/', ...(accept && { accept }) };
    for (const [method, url] of [
      ['GET', '/api/me'],
      ['GET', '/api/nothing'],
      ['GET', '/sanctum/nothing'],
      ['POST', '/login'],
      ['POST', '/logout'],
      ['DELETE', '/api/probes/1'],
      ['GET', '/logout'],
    ] as const) {
      const answer = await app.inject({ method, url, headers });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect([300, 301, 302, 303, 307, 308]).not.toContain(answer.statusCode);
    }
  },
);
