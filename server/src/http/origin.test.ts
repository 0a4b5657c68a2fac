import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { probeRoutes } from '../testing/probes.ts';

const frontend = 'https://hr.example.com';
const settings = { APP_URL: 'https://api.example.com', FRONTEND_URL: `${frontend},http://localhost:5173` };
const { as, make, logged } = await startApp(settings, { bindings: probeRoutes, webFolder: '/nowhere' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const local = await startApp({ APP_URL: 'http://localhost:8000' }, { bindings: probeRoutes, webFolder: '/nowhere' });
const localHr = await local.as((await local.make.employee({ roles: ['HR'] })).user_id);

describe('the origin of a request', () => {
  test.each([
    { referer: 'https://hr.example.com/employees?x=1#y' },
    { referer: 'https://hr.example.com' },
    { referer: 'HTTPS://HR.EXAMPLE.COM/' },
    { referer: 'http://hr.example.com/' },
    { referer: 'https://hr.example.com:443/' },
    { referer: 'https://api.example.com/docs/api' },
    { referer: 'http://localhost:5173/' },
    { referer: '', origin: 'https://hr.example.com' },
  ])('is own: %j', async (headers) => {
    const answer = await hr.get('/api/me', headers);
    expect([answer.status, answer.setCookies.length]).toEqual([200, 2]);
  });

  test.each([
    { referer: 'https://evil.example/' },
    { referer: 'https://evil.example/', origin: frontend },
    // a page elsewhere can choose its Referer, but never its Origin
    { referer: 'https://hr.example.com/', origin: 'https://evil.example' },
    { referer: 'https://hr.example.com/', origin: 'null' },
    { referer: 'https://hr.example.com.evil.example/' },
    { referer: 'https://evilhr.example.com/' },
    { referer: 'https://evil.example/https://hr.example.com' },
    { referer: 'https://hr.example.com@evil.example/' },
    { referer: 'https://hr.example.com:444/' },
    { referer: 'http://localhost:5174/' },
    { referer: 'http://127.0.0.1:5173/' },
    { referer: 'hr.example.com' },
    { referer: 'about:blank' },
    { referer: 'null' },
    { referer: '', origin: 'null' },
    { referer: '', origin: 'https://evil.example' },
    { referer: 'http://' },
  ])('is foreign: %j: cookies are not read and none are set', async (headers) => {
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['PUT', '/api/probes/1'],
      ['DELETE', '/api/probes/1'],
    ] as const) {
      const answer = await hr.send(method, path, { headers });
      expect([answer.status, answer.body, answer.setCookies]).toEqual([401, { message: 'Unauthenticated.' }, []]);
    }
    for (const path of ['/login', '/logout']) expect((await hr.send('POST', path, { headers })).status).toBe(419);
    expect((await hr.get('/api/me')).status).toBe(200);
  });

  test('is bare without either header: guarded routes are 401, signing in and out work as own', async () => {
    const password = 'Str0ng!Passw0rd';
    const { email } = await make.employee({ password });
    const bare = { referer: '' };
    expect((await hr.get('/api/me', bare)).status).toBe(401);
    expect((await hr.send('PUT', '/api/probes/1', { headers: { ...bare, 'x-xsrf-token': '' } })).status).toBe(401);
    const client = await as();
    expect((await client.post('/login', { email, password }, { ...bare, 'x-xsrf-token': '' })).status).toBe(419);
    const login = await client.post('/login', { email, password }, bare);
    expect([login.status, login.setCookies.length]).toEqual([200, 3]);
    expect((await client.get('/api/me')).status).toBe(200);
    expect((await client.post('/logout', undefined, bare)).status).toBe(200);
    expect((await client.get('/api/me')).status).toBe(401);
  });

  test('does not matter for the CSRF cookie', async () => {
    const guest = await as();
    for (const referer of ['', 'https://evil.example/', `${frontend}/`]) {
      const answer = await guest.get('/sanctum/csrf-cookie', { referer });
      expect([answer.status, answer.setCookies.length]).toEqual([204, 1]);
    }
  });

  test('of a service on this machine has three names', async () => {
    for (const host of ['localhost:8000', '127.0.0.1:8000', '[::1]:8000'])
      expect((await localHr.get('/api/me', { referer: `http://${host}/` })).status).toBe(200);
    for (const host of ['localhost', '127.0.0.1:8001', '127.0.0.2:8000', '[::2]:8000'])
      expect((await localHr.get('/api/me', { referer: `http://${host}/` })).status).toBe(401);
  });

  test('is logged when a sign-in from elsewhere was refused', async () => {
    const guest = await as();
    await guest.post('/login', { email: 'a@b.de', password: 'x' }, { referer: 'https://wrong.example.com/login' });
    const line = logged.map((text) => JSON.parse(text)).findLast(({ event }) => event === 'origin_rejected');
    expect(line).toMatchObject({ host: 'wrong.example.com', route: '/login' });
  });
});

describe('CORS', () => {
  const preflight = (origin: string, headers: Record<string, string> = {}) => ({
    headers: { origin, 'access-control-request-method': 'PUT', ...headers },
  });
  const corsHeaders = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
  const exposed =
    'Content-Disposition, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Idempotent-Replayed';

  test.each(['/api/probes/1', '/api/nothing', '/sanctum/csrf-cookie', '/login', '/two-factor-challenge', '/logout'])(
    'a preflight of %s from the frontend is answered',
    async (path) => {
      const asked = preflight(frontend, { 'access-control-request-headers': 'X-XSRF-TOKEN, content-type' });
      const answer = await hr.send('OPTIONS', path, asked);
      expect([answer.status, answer.bytes.length, answer.setCookies]).toEqual([204, 0, []]);
      expect(answer.headers['content-type']).toBeUndefined();
      expect(corsHeaders(answer.headers)).toEqual({
        'access-control-allow-origin': frontend,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'X-XSRF-TOKEN, content-type',
        'access-control-max-age': '600',
      });
      expect(answer.headers.vary).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    },
  );

  test('only header names are echoed, at most 32', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `x-${n}`);
    const sent = ['a b', 'x'.repeat(65), 'ü', 'a\tb', '', ...names].join(',');
    const answer = await hr.send('OPTIONS', '/api/me', preflight(frontend, { 'access-control-request-headers': sent }));
    expect(answer.headers['access-control-allow-headers']).toBe(names.slice(0, 32).join(', '));
  });

  test.each([
    ['https://evil.example', 401],
    ['null', 401],
    ['https://hr.example.com.evil.example', 401],
    ['https://xhr.example.com', 401],
    ['http://hr.example.com', 200],
    ['https://hr.example.com:444', 401],
    ['https://HR.example.com', 200],
    ['https://hr.example.com/', 200],
    ['https://api.example.com', 200],
    ['*', 401],
  ])('nothing is shared with %s', async (origin, status) => {
    const asked = await hr.send('OPTIONS', '/api/me', preflight(origin));
    expect([asked.status, corsHeaders(asked.headers)]).toEqual([204, {}]);
    const answer = await hr.get('/api/me', { origin });
    expect([answer.status, corsHeaders(answer.headers), answer.headers.vary]).toEqual([
      status,
      {},
      'Origin, Accept-Language',
    ]);
  });

  test('every answer to the frontend is readable there, refusals included', async () => {
    const guest = await as();
    for (const [client, method, path, status] of [
      [hr, 'GET', '/api/me', 200],
      [guest, 'GET', '/api/me', 401],
      [hr, 'GET', '/api/nothing', 404],
      [hr, 'PUT', '/api/me', 405],
      [hr, 'POST', '/api/probes', 422],
      [hr, 'GET', '/api/probes/fault', 500],
      [guest, 'GET', '/sanctum/csrf-cookie', 204],
      [guest, 'POST', '/login', 422],
      [guest, 'POST', '/two-factor-challenge', 422],
    ] as const) {
      const answer = await client.send(method, path, { headers: { origin: frontend } });
      expect([path, answer.status]).toEqual([path, status]);
      expect(corsHeaders(answer.headers)).toEqual({
        'access-control-allow-origin': frontend,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': exposed,
      });
      expect(answer.headers.vary).toBe('Origin, Accept-Language');
    }
    const large = await hr.send('POST', '/api/probes', { headers: { origin: frontend, 'content-length': '99999999' } });
    expect([large.status, large.headers['access-control-allow-origin']]).toEqual([413, frontend]);
  });

  test('other addresses know nothing of it', async () => {
    const answer = await hr.get('/livez', { origin: frontend });
    expect([answer.status, corsHeaders(answer.headers)]).toEqual([200, {}]);
  });
});
