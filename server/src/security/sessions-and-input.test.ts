import { text } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { bind } from '../http/context.ts';
import { buildServer } from '../http/server.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { probes } from '../testing/probes.ts';

/** Known vulnerabilities of similar software, each with a test that would detect it. */

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const password = 'Str0ng!Passw0rd';
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const freshTries = () => owner.query('delete from login_attempts');

async function signedIn(email: string): Promise<Client> {
  await freshTries();
  const client = await as();
  expect((await client.post('/login', { email, password })).status).toBe(200);
  return client;
}
const replay = async (cookies: ReadonlyMap<string, string>, path = '/api/me') => {
  const thief = await as();
  for (const [name, value] of cookies) thief.cookies.set(name, value);
  return (await thief.get(path)).status;
};

describe('K1: a session that should be dead', () => {
  test('is dead after signing out, deactivation and a password change elsewhere', async () => {
    const person = await make.employee({ password });
    const first = await signedIn(person.email);
    const copy = new Map(first.cookies);
    await first.post('/logout');
    expect(await replay(copy)).toBe(401);

    const second = await signedIn(person.email);
    const change = {
      current_password: password,
      password: 'An0ther!Secret-9',
      password_confirmation: 'An0ther!Secret-9',
    };
    const third = await signedIn(person.email);
    await freshTries();
    expect((await third.put('/api/profile/password', change)).status).toBe(200);
    expect([(await second.get('/api/me')).status, (await third.get('/api/me')).status]).toEqual([401, 200]);

    await hr.post(`/api/employees/${person.id}/deactivate`, { reason: 'Long leave without pay' });
    expect(await replay(new Map(third.cookies))).toBe(401);
    await hr.post(`/api/employees/${person.id}/reactivate`, { reason: 'Back from the long leave' });
    expect(await replay(new Map(third.cookies))).toBe(401);
  });

  test('opens no file', async () => {
    const person = await make.employee({ roles: ['HR'] });
    const client = await as(person.user_id);
    await client.post('/logout');
    for (const path of [`/api/employees/${person.id}/profile-picture`, '/api/employees/export'])
      expect((await client.get(path)).status).toBe(401);
  });
});

describe('K2: fixation and missing values', () => {
  test('the id changes at sign-in, and a planted session stays anonymous', async () => {
    const [victim, attacker] = [await make.employee({ password }), await make.employee()];
    const planted = await as(attacker.user_id);
    const kept = new Map(planted.cookies);
    await freshTries();
    expect((await planted.post('/login', { email: victim.email, password })).status).toBe(200);
    expect(planted.cookies.get('tenure_session')).not.toBe(kept.get('tenure_session'));
    expect(await replay(kept)).toBe(401);
  });

  test('a missing password equals no missing password', async () => {
    const { email } = await make.employee();
    for (const body of [
      { email },
      { email, password: null },
      { email, password: '' },
      { email, password: 'null' },
      { email, password: [] },
    ]) {
      await freshTries();
      expect((await (await as()).post('/login', body)).status).toBe(422);
    }
  });
});

describe('K3: bypassing a rate limit', () => {
  test('counts both spellings, every letter case, the page of the profile and every content type', async () => {
    const person = await make.employee({ password });
    const inside = await signedIn(person.email);
    await freshTries();
    const wrong = 'Wr0ng!Passw0rd';
    const guest = await as();
    expect((await guest.post('/login', { email: person.email, password: wrong })).status).toBe(422);
    expect((await guest.post('/api/login', { email: person.email.toUpperCase(), password: wrong })).status).toBe(422);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ email: ` ${person.email}`, password: wrong }).toString();
    expect((await guest.send('POST', '/login/', { payload, headers: form })).status).toBe(422);
    for (const path of ['/login', '/api/login'])
      expect((await guest.post(path, { email: person.email, password: wrong })).status).toBe(422);
    for (const path of ['/login', '/api/login', '/login/'])
      expect(
        (await guest.post(path, { email: person.email, password }, { 'x-forwarded-for': '203.0.113.7' })).status,
      ).toBe(429);
    // a known browser has separate attempts, and the profile page counts as one of them
    const change = { current_password: wrong, password: 'An0ther!Secret-9', password_confirmation: 'An0ther!Secret-9' };
    expect((await inside.put('/api/profile/password', change)).status).toBe(422);
    expect((await inside.put('/api/profile/password', change)).status).toBe(422);
    for (const path of ['/login', '/api/login', '/login/'])
      expect((await inside.post(path, { email: person.email, password: wrong })).status).toBe(422);
    expect((await inside.post('/login', { email: person.email, password })).status).toBe(429);
    expect((await inside.put('/api/profile/password', { ...change, current_password: password })).status).toBe(429);
  });
});

describe('K8: SQL in parameters, and lists in place of scalars', () => {
  const attacks = [
    "'",
    "' or 1=1--",
    '1;select pg_sleep(9)',
    '(select 1)',
    'name desc, pg_sleep(9)',
    'id)',
    '\\',
    '%',
    '_',
    '$1',
    'a\u0000',
  ];
  const lists = routes
    .map(({ endpoint }) => endpoint)
    .filter(({ method, path, query, file }) => method === 'GET' && query && !file && !path.includes(':'));

  test('are plain values in every parameter of every list', { timeout: 300_000 }, async () => {
    const root = await as((await make.admin()).user_id);
    for (const { path, query } of lists)
      for (const name of Object.keys(query?.shape ?? {})) {
        for (const attack of attacks) {
          const answer = await root.get(`/api${path}?${name}=${encodeURIComponent(attack)}`);
          expect([path, name, attack, [200, 422].includes(answer.status)]).toEqual([path, name, attack, true]);
        }
        const list = await root.get(`/api${path}?${name}[]=1&${name}[x]=2`);
        expect([path, name, [200, 422].includes(list.status)]).toEqual([path, name, true]);
      }
  });

  test('find only matching text', async () => {
    await make.employee({ first_name: 'Zacharias', last_name: 'Quill' });
    const total = async (search: string) =>
      (await hr.get(`/api/employees?search=${encodeURIComponent(search)}`)).body.meta.total as number;
    expect(await total('Zacharias')).toBe(1);
    for (const search of ['Z%', 'Z_charias', "Zacharias' or ''='", '%%%', '___'])
      expect([search, await total(search)]).toEqual([search, 0]);
  });
});

describe('K9: changes without a CSRF token', () => {
  test('signing out needs one, and reading changes nothing', async () => {
    const client = await as((await make.employee()).user_id);
    expect((await client.send('POST', '/logout', { headers: { 'x-xsrf-token': '' } })).status).toBe(419);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await client.send(method, '/logout');
    expect((await client.get('/api/me')).status).toBe(200);
  });

  test('a token pair planted by a sibling host is no proof, and locks no user out', async () => {
    const client = await as((await make.employee()).user_id);
    const attacker = await as((await make.employee()).user_id);
    const foreign = attacker.cookies.get('XSRF-TOKEN') ?? '';
    const own = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const cookie = `XSRF-TOKEN=${foreign}; ${own}`;
    expect((await client.post('/logout', {}, { cookie, 'x-xsrf-token': foreign })).status).toBe(419);
    expect((await client.post('/logout', {}, { cookie })).status).toBe(200);
  });
});

describe('K10: files and names that become pages', () => {
  test('an SVG, a page and a script are no pictures, whatever type they declare', async () => {
    const person = await make.employee();
    const url = `/api/employees/${person.id}/profile-picture`;
    for (const content of [
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<html><script>alert(1)</script>',
      'GIF89a<script>',
      '%PDF-1.4',
      '',
    ])
      for (const name of ['a.png', 'a.svg', 'a.html', 'a.png.html']) {
        const answer = await hr.upload(url, { name, content });
        expect([name, answer.status, Object.keys(answer.body.errors as object)]).toEqual([name, 422, ['file']]);
      }
    expect((await hr.get(url)).status).toBe(404);
  });

  test('a name with markup is returned as text in JSON', async () => {
    const name = '<img src=x onerror=alert(1)>{{7*7}}&lt;b&gt;';
    const person = await make.employee({ first_name: name });
    const answer = await hr.get(`/api/employees/${person.id}`);
    expect(answer.body.data.first_name).toBe(name);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

test('K11: no redirect anywhere, and no link from the Host header', async () => {
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-original-url': '/api/roles',
    'x-rewrite-url': '/api/roles',
  };
  for (const path of [
    '/login?next=//evil.example',
    '/?next=https://evil.example',
    '/api/me?redirect=//evil.example',
    '//evil.example',
    '/\\evil.example',
    '/api/employees',
  ]) {
    const answer = await hr.get(path, evil);
    expect([path, answer.status < 300 || answer.status >= 400, answer.headers.location]).toEqual([
      path,
      true,
      undefined,
    ]);
    expect(answer.bytes.toString()).not.toContain('evil.example');
  }
});

describe('K13: keys that no client may send', () => {
  const forbidden = {
    id: 1,
    user_id: 1,
    is_admin: true,
    role_ids: [1],
    roles: ['Admin'],
    password: 'Chosen-By-Me-1',
    password_hash: 'x',
    session_epoch: 99,
    must_change_password: false,
    created_at: '2000-01-01T00:00:00.000Z',
    deleted_at: '2000-01-01T00:00:00.000Z',
    force: true,
    bypass: true,
    as_user: 1,
    __proto__: { is_admin: true },
  };

  test('change nothing and are logged', async () => {
    const person = await make.employee({ password });
    const stored = async () =>
      (
        await owner.query(
          'select u.*, e.id as employee_id, e.deleted_at, e.created_at as hired from users u join employees e on e.user_id = u.id where u.id = $1',
          [person.user_id],
        )
      ).rows[0];
    const [before, service] = [await stored(), await startApp()];
    expect((await hr.put(`/api/employees/${person.id}`, { ...forbidden, job_title: 'Clerk' })).status).toBe(200);
    const { access_version: _one, updated_at: _then, ...kept } = before;
    expect(await stored()).toMatchObject(kept);
    const client = await as(person.user_id);
    for (const key of ['is_admin', 'user_id', 'employee_id', 'acting_as'])
      expect((await client.put('/api/profile', { ...forbidden, [key]: 1 })).status).toBe(200);
    expect(await stored()).toMatchObject(kept);
    expect((await client.get('/api/me?user_id=1&acting_as=1&employee_id=1')).body.data.user.id).toBe(person.user_id);
    const other = await service.as((await service.make.employee({ roles: ['HR'] })).user_id);
    await other.post('/api/entities', { name: 'Acme', id: 7, is_admin: true });
    const line = service.logged
      .map((text) => JSON.parse(text))
      .find(({ event }) => event === 'mass_assignment_attempt');
    expect(line).toMatchObject({ route: '/api/entities', keys: ['id', 'is_admin'] });
  });
});

describe('K14: features a running service must not offer', () => {
  test('there is no default account and no debug page', async () => {
    const fresh = await startApp();
    expect((await fresh.owner.query('select from users')).rowCount).toBe(0);
    const guest = await fresh.as();
    for (const email of ['admin@tenure.local', 'admin@example.com', 'demo@tenure.local'])
      for (const tried of ['password', 'admin', 'Tenure1!']) {
        await fresh.owner.query('delete from login_attempts');
        expect((await guest.post('/login', { email, password: tried })).status).toBe(422);
      }
    for (const path of [
      '/.env',
      '/.git/config',
      '/_ignition/health-check',
      '/telescope',
      '/debug',
      '/metrics',
      '/server-status',
      '/api/debug',
      '/phpinfo.php',
      '/actuator/env',
    ])
      expect([path, (await guest.get(path)).status]).toEqual([path, 404]);
  });
});

test('an endpoint without a declared permission prevents the start', async () => {
  const { permission: _none, ...undeclared } = probes.act;
  const binding = bind(undeclared as typeof probes.act, {
    handle: async () => ({ data: { received: '' }, message: text('general.done') }),
  });
  await expect(buildServer(deps, [binding], { webFolder: '/nowhere' })).rejects.toThrow('declares no permission');
});
