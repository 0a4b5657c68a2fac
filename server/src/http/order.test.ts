import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { clientFor } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';
import { untilMinuteHas } from '../testing/minute.ts';
import { probeRoutes } from '../testing/probes.ts';
import { listen, sendBytes } from '../testing/socket.ts';
import { buildServer } from './server.ts';

/** A request that fails two consecutive checks gets the response of the first. */

const frontend = 'https://app.example.com';
const { app, as, make, deps, owner } = await startApp(
  { RATE_LIMIT_PER_MINUTE: '40', FRONTEND_URL: frontend },
  { bindings: probeRoutes, webFolder: '/nowhere' },
);
const foreign = { referer: 'https://evil.example.com/' };
const noToken = { 'x-xsrf-token': '' };
const huge = { 'content-length': '10000000000' };
const preflight = { origin: frontend, 'access-control-request-method': 'PUT' };

const hrClient = async () => as((await make.employee({ roles: ['HR'] })).user_id);
const employeeClient = async () => as((await make.employee()).user_id);

/** The requests of the current minute, which lasts for a while. */
async function exhaust(client: Client) {
  await untilMinuteHas(5);
  while ((await client.get('/api/me')).status !== 429);
}

/** The same service with its database down. */
async function withoutDatabase() {
  const { db } = connect({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  return buildServer({ ...deps, db }, [...routes, ...probeRoutes], { webFolder: '/nowhere' });
}

test('size before preflight', async () => {
  const guest = await as();
  expect((await guest.send('OPTIONS', '/api/probes/1', { headers: { ...preflight, ...huge } })).status).toBe(413);
});

test('preflight before unknown path', async () => {
  const guest = await as();
  expect((await guest.send('OPTIONS', '/api/nothing', { headers: preflight })).status).toBe(204);
});

test('size before unknown path and wrong method', async () => {
  const guest = await as();
  for (const path of ['/api/nothing', '/api/me', '/nothing'])
    expect((await guest.send('POST', path, { headers: huge })).status).toBe(413);
});

test('unknown path and wrong method before origin, without cookies', async () => {
  const hr = await hrClient();
  for (const [path, status] of [
    ['/api/nothing', 404],
    ['/api/probes/abc', 404],
    ['/api/me', 405],
  ] as const)
    for (const headers of [foreign, noToken, {}]) {
      const answer = await hr.send('DELETE', path, { headers });
      expect([answer.status, answer.setCookies]).toEqual([status, []]);
    }
});

test('origin before CSRF: from elsewhere a guarded route is 401, signing in and out 419', async () => {
  const hr = await hrClient();
  expect((await hr.send('PUT', '/api/probes/1', { headers: { ...foreign, ...noToken } })).status).toBe(401);
  for (const path of ['/login', '/api/login', '/logout', '/api/logout']) {
    const answer = await hr.send('POST', path, { headers: foreign });
    expect([answer.status, answer.setCookies]).toEqual([419, []]);
  }
  expect((await hr.get('/api/me')).status).toBe(200);
});

test('CSRF before session', async () => {
  const guest = await as();
  expect((await guest.send('PUT', '/api/probes/1', { headers: noToken })).status).toBe(419);
  expect((await guest.put('/api/probes/1', {})).status).toBe(401);
});

describe('with the database away', () => {
  test('an authentic session is 503 already at the token; a guest gets what needs no database', async () => {
    const stranded = await withoutDatabase();
    const hr = await hrClient();
    const lost = await clientFor(stranded, deps);
    for (const [name, value] of hr.cookies) lost.cookies.set(name, value);
    for (const headers of [noToken, {}]) {
      const answer = await lost.send('PUT', '/api/probes/1', { body: {}, headers });
      expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable' }]);
      expect([answer.headers['retry-after'], answer.setCookies]).toEqual(['5', []]);
    }
    expect((await lost.get('/api/me')).status).toBe(503);
    expect((await lost.post('/logout')).status).toBe(503);
    expect((await lost.get('/sanctum/csrf-cookie')).status).toBe(204);
    const guest = await clientFor(stranded, deps);
    expect((await guest.send('PUT', '/api/probes/1', { headers: noToken })).status).toBe(419);
    expect((await guest.get('/api/me')).status).toBe(401);
    expect((await guest.post('/login', { email: 'a@b.de', password: 'x' })).status).toBe(503);
    expect((await guest.get('/livez')).status).toBe(200);
    await stranded.close();
    // nothing was lost: the same cookies work when the database is back
    expect((await hr.get('/api/me')).status).toBe(200);
  });
});

test('session before the forced password change', async () => {
  const person = await make.employee();
  const client = await as(person.user_id);
  await deps.db.updateTable('users').set({ must_change_password: true }).where('id', '=', person.user_id).execute();
  expect((await client.get('/api/probes')).body).toEqual({ message: 'Password change required.' });
  await owner.query('update session_register set revoked_at = now() where user_id = $1', [person.user_id]);
  expect((await client.get('/api/probes')).status).toBe(401);
});

test('the forced password change before permission; who you are and signing out stay open', async () => {
  const person = await make.employee();
  const client = await as(person.user_id);
  await deps.db.updateTable('users').set({ must_change_password: true }).where('id', '=', person.user_id).execute();
  for (const [method, path] of [
    ['PUT', '/api/probes/1'],
    ['GET', '/api/probes/100'],
    ['POST', '/api/probes'],
  ] as const) {
    const answer = await client.send(method, path);
    expect([answer.status, answer.body]).toEqual([403, { message: 'Password change required.' }]);
  }
  expect((await client.get('/api/me')).body.data.user.must_change_password).toBe(true);
  expect((await client.get('/api/user')).status).toBe(200);
  expect((await client.post('/logout')).status).toBe(200);
});

test('permission before the rate limit', async () => {
  const employee = await employeeClient();
  await exhaust(employee);
  expect((await employee.get('/api/me')).status).toBe(429);
  expect((await employee.get('/api/probes')).status).toBe(403);
});

test('the rate limit before the row', async () => {
  const hr = await hrClient();
  expect((await hr.get('/api/probes/100')).status).toBe(404);
  await exhaust(hr);
  expect((await hr.get('/api/probes/100')).status).toBe(429);
});

test('permission before the row: people without it learn nothing about ids', async () => {
  const employee = await employeeClient();
  const [present, absent] = [await employee.get('/api/probes/1'), await employee.get('/api/probes/100')];
  expect([present.status, present.body]).toEqual([403, absent.body]);
});

test('a reach of everything is asked for before the row', async () => {
  const entity = await make.entity();
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [entity.id] }] })).user_id);
  expect((await limited.post('/api/probes/everywhere')).status).toBe(403);
  expect((await limited.get('/api/probes/1')).status).toBe(200);
  expect((await (await hrClient()).post('/api/probes/everywhere')).status).toBe(200);
});

test('the row before its rules, its budget and its fields', async () => {
  const hr = await hrClient();
  expect((await hr.put('/api/probes/100', { name: '' })).status).toBe(404);
  expect((await hr.put('/api/probes/100', { name: 'Ada' }, { precognition: 'true' })).status).toBe(404);
  expect((await hr.post('/api/probes/100/act', {}, { 'idempotency-key': 'not ok' })).status).toBe(404);
  expect((await hr.get('/api/probes/100?length=abc')).status).toBe(404);
});

test('the rules of a row before its budget and its fields', async () => {
  const hr = await hrClient();
  expect((await hr.put('/api/probes/2', { name: '' })).status).toBe(403);
  expect((await hr.get('/api/probes/2/export?format=x')).status).toBe(403);
});

test('the budget before the fields', async () => {
  // the general limit of the other service is lower than the budget
  const roomy = await startApp({ RATE_LIMIT_PER_MINUTE: '1000' }, { bindings: probeRoutes });
  const hr = await roomy.as((await roomy.make.employee({ roles: ['HR'] })).user_id);
  for (let n = 0; n < 100; n += 1) expect((await hr.get('/api/probes/1/export')).status).toBe(200);
  const refused = await hr.get('/api/probes/1/export?format=x');
  expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' });
  expect((await hr.get('/api/probes/2/export')).status).toBe(403);
});

test('the fields before the state', async () => {
  const hr = await hrClient();
  expect((await hr.put('/api/probes/3', { name: '' })).body.errors).toEqual({ name: ['The name field is required.'] });
  expect((await hr.put('/api/probes/3', { name: 'Ada' })).body.errors).toEqual({
    status: ['A closed cycle can’t be changed.'],
  });
});

test('no byte of a file is taken before permission has passed', async () => {
  const employee = await employeeClient();
  const port = await listen(app);
  const cookie = [...employee.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const head = [
    'POST /api/probes/1/upload HTTP/1.1',
    'Host: x',
    'Referer: http://localhost:8000',
    `Cookie: ${cookie}`,
    `X-XSRF-TOKEN: ${employee.cookies.get('XSRF-TOKEN')}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 1000000',
    '',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nxxxx',
  ].join('\r\n');
  const answer = await sendBytes(port, head);
  expect(answer.status).toBe(403);
  expect(await readdir(join(deps.config.DATA_DIR, 'incoming'))).toEqual([]);
});
