import { describe, expect, test } from 'vitest';
import { openSessionCookies } from './session-cookies.ts';
import { readConfig } from '../config.ts';
import { createSession } from '../access/sessions.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import { probeRoutes } from '../testing/probes.ts';
import { sessionCookie } from './cookies.ts';

const extra = { bindings: probeRoutes, webFolder: '/nowhere' };
const { as, make, deps, owner } = await startApp({}, extra);
const password = 'Str0ng!Passw0rd';

const parse = (line: string) => {
  const [pair = '', ...attributes] = line.split('; ');
  const equals = pair.indexOf('=');
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes: attributes.sort() };
};

describe('attributes', () => {
  test.each([
    ['http', { APP_URL: 'http://localhost:8000' }, 'tenure_session', []],
    ['https', { APP_URL: 'https://hr.example.com' }, '__Host-tenure_session', ['Secure']],
    [
      'https with a shared domain',
      { APP_URL: 'https://hr.example.com', SESSION_DOMAIN: 'example.com' },
      'tenure_session',
      ['Domain=example.com', 'Secure'],
    ],
  ])('over %s', async (_what, settings, name, more) => {
    const service = await startApp(settings, extra);
    const person = await service.make.employee({ password });
    const client = await service.as();
    const login = await client.post('/login', { email: person.email, password });
    const both = ['Max-Age=7200', 'Path=/', 'SameSite=Lax', ...more];
    const [session, csrf, device] = login.setCookies.map(parse);
    expect(session).toMatchObject({ name, attributes: ['HttpOnly', ...both].sort() });
    expect(csrf).toMatchObject({ name: 'XSRF-TOKEN', attributes: both.sort() });
    expect(device).toMatchObject({
      name: name.replace('session', 'device'),
      attributes: ['HttpOnly', ...both, 'Max-Age=15552000'].filter((a) => a !== 'Max-Age=7200').sort(),
    });
    expect(login.setCookies).toHaveLength(3);
    const logout = await client.post('/logout');
    expect(logout.setCookies.map(parse)).toMatchObject([
      { name, value: '', attributes: ['HttpOnly', ...both, 'Max-Age=0'].filter((a) => a !== 'Max-Age=7200').sort() },
      { name: 'XSRF-TOKEN', attributes: both.sort() },
    ]);
    expect(logout.headers['clear-site-data']).toBeUndefined();
  });

  test('values need no encoding, look like nothing else and stay small', async () => {
    const { setCookies } = await (await as((await make.employee()).user_id)).get('/api/me');
    const [session, csrf] = setCookies.map(parse);
    expect(session?.value).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(csrf?.value).toMatch(/^[a-z][A-Za-z0-9_-]{40,}$/);
    for (const line of setCookies) expect(Buffer.byteLength(line.split(';')[0] ?? '')).toBeLessThanOrEqual(1_024);
  });

  test('lifetimes are the settings, and never beyond the absolute end', async () => {
    const service = await startApp({ SESSION_IDLE_MINUTES: '0.5', SESSION_MAX_HOURS: '0.0125' }, extra);
    const client = await service.as((await service.make.employee()).user_id);
    expect((await client.get('/api/me')).setCookies.map((line) => /Max-Age=(\d+)/.exec(line)?.[1])).toEqual([
      '30',
      '30',
    ]);
    await service.owner.query("update session_register set expires_at = now() + interval '10 seconds'");
    const late = (await client.get('/api/me')).setCookies.map((line) => Number(/Max-Age=(\d+)/.exec(line)?.[1]));
    expect(Math.max(...late)).toBeLessThanOrEqual(10);
  });
});

describe('which answers set them', () => {
  test('a live session slides on with every answer, whatever its status', async () => {
    const client = await as((await make.employee({ roles: ['HR'] })).user_id);
    for (const [method, path, status] of [
      ['GET', '/api/me', 200],
      ['POST', '/api/probes', 422],
      ['GET', '/api/probes/100', 404],
      ['PUT', '/api/probes/2', 403],
      ['DELETE', '/api/probes/1', 204],
      ['GET', '/api/probes/1/file', 200],
    ] as const) {
      const answer = await client.send(method, path);
      const names = answer.setCookies.map((line) => line.split('=')[0]);
      expect([path, answer.status, names]).toEqual([path, status, ['tenure_session', 'XSRF-TOKEN']]);
    }
  });

  test('a guest gets the CSRF cookie alone, also with a 401', async () => {
    const guest = await as();
    const answer = await guest.get('/api/me');
    expect([answer.status, answer.setCookies.map((line) => line.split('=')[0])]).toEqual([401, ['XSRF-TOKEN']]);
  });

  test('guests leave nothing behind', async () => {
    const count = async () =>
      (await owner.query('select count(*)::int as n from session_register')).rows[0].n as number;
    const before = await count();
    const guest = await as();
    await guest.get('/sanctum/csrf-cookie');
    await guest.get('/api/me');
    await guest.post('/logout');
    expect(await count()).toBe(before);
  });

  test('none come with 405, 413, 419, 5xx, preflights and unknown paths', async () => {
    const client = await as((await make.employee({ roles: ['HR'] })).user_id);
    const preflight = { origin: 'http://localhost:8000', 'access-control-request-method': 'PUT' };
    for (const [method, path, headers, status] of [
      ['PUT', '/api/me', {}, 405],
      ['POST', '/api/probes/1', {}, 405],
      ['POST', '/api/probes', { 'content-length': '99999999' }, 413],
      ['POST', '/api/probes', { 'x-xsrf-token': 'x' }, 419],
      ['GET', '/api/probes/fault', {}, 500],
      ['GET', '/api/nothing', {}, 404],
      ['OPTIONS', '/api/me', preflight, 204],
      ['OPTIONS', '/api/me', {}, 204],
    ] as const) {
      const answer = await client.send(method, path, { headers });
      expect([path, answer.status, answer.setCookies]).toEqual([path, status, []]);
    }
  });

  test('a 401 never deletes a cookie', async () => {
    const client = await as((await make.employee()).user_id);
    await owner.query('update session_register set revoked_at = now()');
    for (const path of ['/api/me', '/api/probes/1']) {
      const answer = await client.get(path);
      expect([answer.status, answer.setCookies.filter((line) => line.startsWith('tenure_session'))]).toEqual([401, []]);
      expect(answer.setCookies.join()).not.toContain('Max-Age=0');
    }
  });
});

describe('values', () => {
  test('stay the same while they verify', async () => {
    const client = await as((await make.employee()).user_id);
    const first = (await client.get('/api/me')).setCookies;
    expect((await client.get('/api/me')).setCookies).toEqual(first);
    expect((await client.get('/sanctum/csrf-cookie')).setCookies).toEqual(first.slice(1));
    const guest = await as();
    const token = guest.cookies.get('XSRF-TOKEN');
    await guest.get('/api/me');
    await guest.get('/sanctum/csrf-cookie');
    expect(guest.cookies.get('XSRF-TOKEN')).toBe(token);
  });

  test('sealed under an older key are sealed again, and open nothing once that key is gone', async () => {
    const { user_id } = await make.employee();
    const [a, b] = [parseKey(generateKey()), parseKey(generateKey())];
    const gates = [keyRing(a), keyRing(b, [a]), keyRing(b)].map((ring) => openSessionCookies(deps.config, ring));
    const session = await createSession(deps.db, user_id, { ip: '::1', user_agent: '' }, deps.config);
    const headersOf = (lines: string[]) => ({ cookie: lines.map((line) => line.split(';')[0]).join('; ') });
    const old = headersOf(gates[0]?.freshCookies(session.content, 60) ?? []);
    const opened = await gates[1]?.present(deps.db, old);
    expect(opened?.live?.user_id).toBe(user_id);
    const renewed = gates[1]?.sameCookies(opened as never) ?? [];
    expect(renewed[0]).not.toBe(`${old.cookie.split('; ')[0]}`);
    expect((await gates[2]?.present(deps.db, headersOf(renewed)))?.live?.user_id).toBe(user_id);
    expect((await gates[2]?.present(deps.db, old))?.content).toBeNull();
  });

  test('several cookies of a name are each tried, at most five', async () => {
    const client = await as((await make.employee()).user_id);
    const { tenure_session: session = '', 'XSRF-TOKEN': token = '' } = Object.fromEntries(client.cookies);
    const send = (planted: number) =>
      client.get('/api/me', {
        cookie: [
          ...Array.from({ length: planted }, (_, n) => `tenure_session=1.planted.${n}`),
          `tenure_session=${session}`,
          `XSRF-TOKEN=${token}`,
        ].join('; '),
      });
    expect((await send(1)).status).toBe(200);
    expect((await send(4)).status).toBe(200);
    expect((await send(5)).status).toBe(401);
    const quoted = await client.get('/api/me', { cookie: `a=b; tenure_session="${session}" ; XSRF-TOKEN=${token}` });
    expect(quoted.status).toBe(200);
  });

  test.each(['', '1', '1.x', '1.aaaaaaaaaaaa.b', 'x'.repeat(5_000), '{"a":1}', '%00', 'null'])(
    'a session cookie %j is no session and no fault',
    async (value) => {
      const guest = await as();
      expect((await guest.get('/api/me', { cookie: `tenure_session=${value}` })).status).toBe(401);
    },
  );

  test('50 cookies of every kind are no fault either', async () => {
    const guest = await as();
    const cookie = Array.from(
      { length: 50 },
      (_, n) => `${['tenure_session', 'XSRF-TOKEN', 'x', ''][n % 4]}=${n}`,
    ).join('; ');
    expect((await guest.get('/api/me', { cookie })).status).toBe(401);
  });

  test('of one host open nothing on another', async () => {
    const other = readConfig({ NODE_ENV: 'test', APP_URL: 'http://localhost:9000' });
    const cookies = openSessionCookies(other, deps.ring);
    const client = await as((await make.employee()).user_id);
    const cookie = `tenure_session=${client.cookies.get('tenure_session')}`;
    expect(sessionCookie(other)).toBe('tenure_session');
    expect((await cookies.present(deps.db, { cookie })).content).toBeNull();
    expect((await deps.sessionCookies.present(deps.db, { cookie })).live).not.toBeNull();
  });
});
