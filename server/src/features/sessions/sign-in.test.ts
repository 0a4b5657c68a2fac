import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { multipart } from '../../testing/client.ts';
import type { Answer } from '../../testing/client.ts';

const { as, make, owner } = await startApp();
const password = 'Str0ng!Passw0rd';
const noMatch = 'These credentials do not match our records.';

/** A client with a separate address, so that tests do not share attempts. */
const guestFor = async () => {
  await owner.query('delete from login_attempts');
  return as();
};
const liveSessions = async (userId: number) =>
  (
    await owner.query('select count(*)::int as n from session_register where user_id = $1 and revoked_at is null', [
      userId,
    ])
  ).rows[0].n as number;

describe('GET /sanctum/csrf-cookie', () => {
  test('is empty, not cached, and sets one cookie', async () => {
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      const answer = await (await as()).get('/sanctum/csrf-cookie', { accept });
      expect([answer.status, answer.bytes.length, answer.headers['content-type']]).toEqual([204, 0, undefined]);
      expect(answer.headers['content-length']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.setCookies.map((line) => line.split('=')[0])).toEqual(['XSRF-TOKEN']);
    }
  });

  test('issues a session token for an authentic session cookie, also of an ended session', async () => {
    const client = await as((await make.employee()).user_id);
    const kept = client.cookies.get('XSRF-TOKEN');
    await client.get('/sanctum/csrf-cookie');
    expect(client.cookies.get('XSRF-TOKEN')).toBe(kept);
    client.cookies.delete('XSRF-TOKEN');
    await client.get('/sanctum/csrf-cookie');
    expect(client.cookies.get('XSRF-TOKEN')).toMatch(/^s/);
    await owner.query('update session_register set revoked_at = now()');
    client.cookies.set('XSRF-TOKEN', 'g-rubbish');
    await client.get('/sanctum/csrf-cookie');
    expect(client.cookies.get('XSRF-TOKEN')).toMatch(/^s/);
    expect((await as()).cookies.get('XSRF-TOKEN')).toMatch(/^g/);
  });

  test('has a separate limit by address', async () => {
    const { as: from } = await startApp();
    const guest = await from();
    const answers: Answer[] = [];
    while (answers.at(-1)?.status !== 429 && answers.length < 2_500)
      answers.push(await guest.get('/sanctum/csrf-cookie'));
    expect(answers.length).toBeGreaterThanOrEqual(1_200);
    expect(answers.at(-1)?.headers).toMatchObject({ 'x-ratelimit-limit': '1200', 'x-ratelimit-remaining': '0' });
    expect(answers.at(-1)?.body).toEqual({ message: 'Too Many Attempts.' });
  });
});

describe('POST /login', () => {
  test('accepts JSON, forms and multipart, and ignores unknown fields', async () => {
    const { email } = await make.employee({ password });
    const form = new URLSearchParams({ email, password }).toString();
    const parts = multipart({ name: 'x', content: '' }, { email: ` ${email.toUpperCase()} `, password });
    for (const request of [
      { body: { email, password, remember: null, role: 'Admin' } },
      {
        payload: JSON.stringify({ email, password }),
        headers: { 'content-type': 'application/vnd.api+json; charset=utf-16' },
      },
      { payload: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { payload: parts.payload, headers: parts.headers },
    ]) {
      const client = await guestFor();
      const answer = await client.send('POST', '/login', request);
      expect([answer.status, answer.body]).toEqual([200, { message: 'Logged in successfully.' }]);
      expect(answer.setCookies.map((line) => line.split('=')[0])).toEqual([
        'tenure_session',
        'XSRF-TOKEN',
        'tenure_device',
      ]);
      expect((await client.get('/api/me')).status).toBe(200);
    }
  });

  test('always starts a new session and ends the presented one, also when already signed in', async () => {
    const [ada, bob] = [await make.employee({ password }), await make.employee({ password })];
    const client = await guestFor();
    await client.post('/login', { email: ada.email, password });
    const [cookie, token] = [client.cookies.get('tenure_session'), client.cookies.get('XSRF-TOKEN')];
    const again = await client.post('/login', { email: bob.email, password });
    expect([again.status, again.body]).toEqual([200, { message: 'Logged in successfully.' }]);
    expect(client.cookies.get('tenure_session')).not.toBe(cookie);
    expect(client.cookies.get('XSRF-TOKEN')).not.toBe(token);
    expect((await client.get('/api/me')).body.data.user.id).toBe(bob.user_id);
    expect(await liveSessions(ada.user_id)).toBe(0);
  });

  test.each([
    [{}, { email: ['The email field is required.'], password: ['The password field is required.'] }],
    [
      { email: '', password: '' },
      { email: ['The email field is required.'], password: ['The password field is required.'] },
    ],
    [
      { email: null, password: null },
      { email: ['The email field is required.'], password: ['The password field is required.'] },
    ],
    [
      { email: ['a@b.de'], password: { x: 1 } },
      { email: ['The email field must be a string.'], password: ['The password field must be a string.'] },
    ],
    [
      { email: 7, password: true },
      { email: ['The email field must be a string.'], password: ['The password field must be a string.'] },
    ],
    [{ email: 'ada', password: 'x' }, { email: ['The email field must be a valid email address.'] }],
    [{ email: 'a@b..c', password: 'x' }, { email: ['The email field must be a valid email address.'] }],
  ])('refuses %j field by field', async (body, errors) => {
    const answer = await (await guestFor()).post('/login', body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(answer.body.message).toMatch(/^The email field/);
  });

  test('answers all wrong credentials with the same bytes and headers', async () => {
    const [right, left, reset] = [
      await make.employee({ password }),
      await make.employee({ password }),
      await make.employee({ password }),
    ];
    const bare = await make.employee();
    const used = await make.employee({ password });
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [left.id]);
    await owner.query(
      "update users set must_change_password = true, one_time_password = true, password_expires_at = now() - interval '1 second' where id = $1",
      [reset.user_id],
    );
    await owner.query('update users set must_change_password = true, one_time_password = false where id = $1', [
      used.user_id,
    ]);
    const expected = JSON.stringify({ message: noMatch, errors: { email: [noMatch] } });
    const heads = new Set<string>();
    for (const [email, tried] of [
      [right.email, 'Wr0ng!Passw0rd'],
      [right.email, ` ${password}`],
      [right.email, `${password} `],
      ['nobody@example.com', password],
      [left.email, password],
      [reset.email, password],
      [used.email, password],
      [bare.email, password],
    ] as const) {
      const answer = await (await guestFor()).post('/login', { email, password: tried });
      expect([answer.status, answer.bytes.toString()]).toEqual([422, expected]);
      const { date: _date, 'x-request-id': _id, 'set-cookie': cookies, ...head } = answer.headers;
      heads.add(JSON.stringify([head, [cookies].flat().map((line) => line?.replace(/=g[^;]+/, ''))]));
    }
    expect(heads.size).toBe(1);
    expect((await (await guestFor()).post('/login', { email: right.email, password })).status).toBe(200);
  });

  test('accepts a one-time password once, to choose an own one', async () => {
    const person = await make.employee({ password });
    await owner.query(
      "update users set must_change_password = true, one_time_password = true, password_expires_at = now() + interval '1 hour' where id = $1",
      [person.user_id],
    );
    await owner.query('delete from login_attempts');
    const clients = await Promise.all(Array.from({ length: 5 }, () => as()));
    const answers = await Promise.all(
      clients.map((client) => client.post('/login', { email: person.email, password })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const inside = clients[answers.findIndex(({ status }) => status === 200)];
    expect((await inside?.get('/api/me'))?.body.data.user.must_change_password).toBe(true);
    expect((await inside?.get('/api/employees'))?.body).toEqual({ message: 'Password change required.' });
  });
});

describe('POST /logout', () => {
  test.each([
    ['no body', {}],
    ['an empty form', { payload: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['an empty JSON body', { payload: '', headers: { 'content-type': 'application/json' } }],
    ['broken JSON', { payload: '{', headers: { 'content-type': 'application/json' } }],
    ['any body', { body: { all: true } }],
    ['text', { payload: 'bye', headers: { 'content-type': 'text/plain' } }],
  ])('ends this session with %s, and other sessions of the person continue', async (_what, request) => {
    const person = await make.employee();
    const [client, other] = [await as(person.user_id), await as(person.user_id)];
    const copy = new Map(client.cookies);
    const answer = await client.send('POST', '/logout', request);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Logged out successfully.' }]);
    expect(client.cookies.get('tenure_session')).toBeUndefined();
    expect(client.cookies.get('XSRF-TOKEN')).toMatch(/^g/);
    expect((await other.get('/api/me')).status).toBe(200);
    for (const [name, value] of copy) client.cookies.set(name, value);
    expect((await client.get('/api/me')).status).toBe(401);
    expect((await client.post('/logout')).status).toBe(401);
    expect(await liveSessions(person.user_id)).toBe(1);
  });

  test('is 401 for a guest', async () => {
    const answer = await (await as()).post('/api/logout');
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });

  test('sent twice in parallel ends the session once', async () => {
    const client = await as((await make.employee()).user_id);
    const answers = await Promise.all([client.post('/logout'), client.post('/logout')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
  });
});

describe('GET /api/me', () => {
  test('holds user, roles and permissions, the lists sorted', async () => {
    const person = await make.employee({ roles: ['HR', 'Employee'] });
    const { status, body } = await (await as(person.user_id)).get('/api/me');
    expect([status, Object.keys(body)]).toEqual([200, ['data']]);
    expect(body.data.user).toMatchObject({ id: person.user_id, email: person.email, must_change_password: false });
    expect(body.data.user.name).toEqual(expect.any(String));
    expect(body.data.roles).toEqual(['Employee', 'HR']);
    expect(body.data.permissions).toEqual((body.data.permissions as string[]).toSorted());
    expect(body.data.permissions).toContain('employees.view');
  });
});

describe('a session ends', () => {
  const ends: [string, string][] = [
    ['revoked', 'update session_register set revoked_at = now() where user_id = $1'],
    ['at its absolute end', "update session_register set expires_at = now() - interval '1 second' where user_id = $1"],
    ['when idle', "update session_register set last_seen_at = now() - interval '121 minutes' where user_id = $1"],
    ['with the epoch of its person', 'update users set session_epoch = session_epoch + 1 where id = $1'],
    ['with the account', 'update users set is_enabled = false where id = $1'],
    ['when the person is suspended', "update employees set activity_status = 'inactive' where user_id = $1"],
    ['when the person is deleted', 'update employees set deleted_at = now() where user_id = $1'],
    ['when it is gone', 'delete from session_register where user_id = $1'],
    [
      'when the clock is set back to before it began',
      "update session_register set created_at = now() + interval '61 seconds' where user_id = $1",
    ],
  ];
  test.each(ends)('%s', async (_how, statement) => {
    const person = await make.employee();
    const client = await as(person.user_id);
    expect((await client.get('/api/me')).status).toBe(200);
    await owner.query(statement, [person.user_id]);
    expect((await client.get('/api/me')).status).toBe(401);
  });

  test('not when it is used in time, and its use is recorded', async () => {
    const person = await make.employee();
    const client = await as(person.user_id);
    await owner.query("update session_register set last_seen_at = now() - interval '119 minutes' where user_id = $1", [
      person.user_id,
    ]);
    expect((await client.get('/api/me')).status).toBe(200);
    const { rows } = await owner.query(
      "select last_seen_at > now() - interval '1 minute' as fresh from session_register where user_id = $1",
      [person.user_id],
    );
    expect(rows).toEqual([{ fresh: true }]);
  });

  test('the oldest, when there are too many', async () => {
    const service = await startApp({ SESSION_MAX_PER_USER: '2' });
    const person = await service.make.employee();
    const clients = [
      await service.as(person.user_id),
      await service.as(person.user_id),
      await service.as(person.user_id),
    ];
    const statuses = await Promise.all(clients.map(async (client) => (await client.get('/api/me')).status));
    expect(statuses).toEqual([401, 200, 200]);
  });
});
