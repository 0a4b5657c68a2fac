import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { createSession } from '../access/sessions.ts';
import { issueGuestToken, issueSessionToken } from '../crypto/csrf-token.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { listen, sendBytes } from '../testing/socket.ts';
import { probeRoutes } from '../testing/probes.ts';

const { app, as, make, deps, owner } = await startApp({}, { bindings: probeRoutes, webFolder: '/nowhere' });
const password = 'Str0ng!Passw0rd';
const person = await make.employee({ roles: ['HR'], password });
const hr = await as(person.user_id);
const now = () => Math.floor(Date.now() / 1_000);
const mismatch = { message: 'CSRF token mismatch.' };

/** Every table that a request could change, as one text. */
async function fingerprint() {
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = 'public' and not c.relispartition and c.relname <> 'session_register'
     order by 1`,
  );
  const parts = rows.map(
    ({ name }) => `(select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from ${name} t)`,
  );
  return JSON.stringify((await owner.query(`select ${parts.join(' || ')} as sum`)).rows[0]);
}

const changing = [...routes, ...probeRoutes]
  .map(({ endpoint }) => endpoint)
  .filter(({ method }) => method !== 'GET')
  .flatMap(({ method, path }) =>
    method === 'PUT'
      ? [
          [method, path],
          ['PATCH', path],
        ]
      : [[method, path]],
  )
  .map(([method = '', path = '']) => [method, `/api${path.replaceAll(/:\w+/g, '1')}`] as const);
const forGuests = new Set(
  routes.flatMap(({ endpoint }) =>
    endpoint.permission === 'public' ? [`/api${endpoint.path.replaceAll(/:\w+/g, '1')}`] : [],
  ),
);
const addresses = [...changing, ['POST', '/login'], ['POST', '/logout']] as const;

const cookiesOf = (client: Client, token?: string) =>
  [
    `tenure_session=${client.cookies.get('tenure_session')}`,
    ...(token === undefined ? [] : [`XSRF-TOKEN=${token}`]),
  ].join('; ');

const other = await as((await make.employee({ roles: ['HR'] })).user_id);
const stranger = keyRing(parseKey(generateKey()));
const sid = (await createSession(deps.db, person.user_id, { ip: '::1', user_agent: '' }, deps.config)).content.sid;
const mine = hr.cookies.get('XSRF-TOKEN') ?? '';

/** What a request without a valid token could contain: cookie header and token header. */
const forgeries: [string, { cookie: string; 'x-xsrf-token': string }][] = [
  ['no header', { cookie: cookiesOf(hr, mine), 'x-xsrf-token': '' }],
  ['a header of white space', { cookie: cookiesOf(hr, mine), 'x-xsrf-token': '  ' }],
  ['a header without cookie', { cookie: cookiesOf(hr), 'x-xsrf-token': mine }],
  [
    'header and cookie that differ',
    { cookie: cookiesOf(hr, mine), 'x-xsrf-token': other.cookies.get('XSRF-TOKEN') ?? '' },
  ],
  ['a pair made up by an attacker', { cookie: cookiesOf(hr, 'abc'), 'x-xsrf-token': 'abc' }],
  [
    "another user's token",
    { cookie: cookiesOf(hr, other.cookies.get('XSRF-TOKEN')), 'x-xsrf-token': other.cookies.get('XSRF-TOKEN') ?? '' },
  ],
  ['the token of another session of the same user', pair(issueSessionToken(deps.ring, sid))],
  ['a guest token beside a live session', pair(issueGuestToken(deps.ring, now()))],
  ['a token under a foreign key', pair(issueGuestToken(stranger, now()))],
  ['a token with one letter changed', pair(`${mine.slice(0, -2)}${mine.endsWith('AA') ? 'BB' : 'AA'}`)],
  ['a header of more than 512 bytes', pair('s'.repeat(513))],
];

function pair(token: string) {
  return { cookie: cookiesOf(hr, token), 'x-xsrf-token': token };
}

describe('every address that changes something refuses', () => {
  test.each(forgeries)('%s', async (_what, headers) => {
    const before = await fingerprint();
    for (const [method, path] of addresses) {
      const answer = await hr.send(method, path, { body: { email: person.email, password }, headers });
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 419, mismatch]);
      expect(answer.setCookies).toEqual([]);
    }
    expect(await fingerprint()).toBe(before);
    expect((await hr.get('/api/me')).status).toBe(200);
  });

  test.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    '',
  ])('a request of the type %j without a token', async (type) => {
    const answer = await hr.send('PUT', '/api/probes/1', {
      payload: '{"name":"Ada"}',
      headers: { 'content-type': type, 'x-xsrf-token': '' },
    });
    expect(answer.status).toBe(419);
  });

  test('every other proof', async () => {
    const proofs: [Record<string, string>, unknown][] = [
      [{ 'x-csrf-token': mine }, {}],
      [{ 'sec-fetch-site': 'same-origin' }, {}],
      [{}, { _token: mine }],
      [{ 'x-requested-with': 'XMLHttpRequest' }, {}],
    ];
    for (const [headers, body] of proofs)
      expect(
        (await hr.send('POST', '/api/probes/1/act', { body, headers: { 'x-xsrf-token': '', ...headers } })).status,
      ).toBe(419);
  });

  test('a header that is sent twice', async () => {
    const port = await listen(app);
    const head = (...tokens: string[]) =>
      [
        'POST /api/probes/1/act HTTP/1.1',
        'Host: x',
        'Referer: http://localhost:8000/',
        `Cookie: ${cookiesOf(hr, mine)}`,
        ...tokens.map((token) => `X-XSRF-TOKEN: ${token}`),
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n');
    expect((await sendBytes(port, head(mine))).status).toBe(200);
    expect((await sendBytes(port, head(mine, mine))).status).toBe(419);
    expect((await sendBytes(port, head('', mine))).status).toBe(419);
  });
});

describe('is accepted', () => {
  test('trimmed, and percent-decoded once', async () => {
    for (const token of [mine, ` ${mine} `, mine.replaceAll(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)])
      expect((await hr.post('/api/probes/1/act', {}, { 'x-xsrf-token': token })).status).toBe(200);
    expect((await hr.post('/api/probes/1/act', {}, { 'x-xsrf-token': `%25${mine}` })).status).toBe(419);
    expect((await hr.post('/api/probes/1/act', {}, { 'x-xsrf-token': '%' })).status).toBe(419);
  });

  test('any number of times, at once and from many tabs', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => hr.post('/api/probes/1/act')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test('beside cookies that a sibling host planted', async () => {
    const cookie = `XSRF-TOKEN=planted; ${cookiesOf(hr, mine)}`;
    expect((await hr.post('/api/probes/1/act', {}, { cookie })).status).toBe(200);
    expect((await hr.post('/api/probes/1/act', {}, { cookie, 'x-xsrf-token': 'planted' })).status).toBe(419);
  });

  test('a guest token for 12 hours', async () => {
    const guest = await as();
    const login = (age: number) => {
      const token = issueGuestToken(deps.ring, now() - age);
      return guest.post(
        '/login',
        { email: 'x@y.de', password },
        { cookie: `XSRF-TOKEN=${token}`, 'x-xsrf-token': token },
      );
    };
    expect((await login(12 * 3_600 - 5)).status).toBe(422);
    expect((await login(12 * 3_600 + 5)).status).toBe(419);
  });
});

describe('through a sign-in and a sign-out', () => {
  test('the token of before is worth nothing afterwards, and the one of the session that ended signs in again', async () => {
    const { email } = await make.employee({ password });
    const client = await as();
    const guestToken = client.cookies.get('XSRF-TOKEN') ?? '';
    await client.post('/login', { email, password });
    const cookies = cookiesOf(client, guestToken);
    expect((await client.post('/logout', undefined, { cookie: cookies, 'x-xsrf-token': guestToken })).status).toBe(419);
    const [sealed, token] = [client.cookies.get('tenure_session'), client.cookies.get('XSRF-TOKEN') ?? ''];
    await client.post('/logout');
    // a browser that kept both cookies of the ended session
    const kept = { cookie: `tenure_session=${sealed}; XSRF-TOKEN=${token}`, 'x-xsrf-token': token };
    expect((await client.put('/api/probes/1', {}, kept)).status).toBe(401);
    expect((await client.post('/login', { email, password }, kept)).status).toBe(200);
  });

  test('a guest with a good pair on a guarded address has to sign in', async () => {
    const guest = await as();
    for (const [method, path] of changing.filter(([, path]) => !forGuests.has(path)))
      expect([path, (await guest.send(method, path, { body: {} })).status]).toEqual([path, 401]);
  });
});

test('nothing that only reads is checked, and nothing that only reads changes data', async () => {
  const reading = [...routes, ...probeRoutes]
    .map(({ endpoint }) => endpoint)
    .filter((one) => one.method === 'GET' && !one.budget);
  const before = await fingerprint();
  for (const { path } of reading)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await hr.send(method, `/api${path.replaceAll(/:\w+/g, '1')}`, { headers: { 'x-xsrf-token': '' } });
      expect([method, path, answer.status]).not.toEqual([method, path, 419]);
    }
  expect(await fingerprint()).toBe(before);
});
