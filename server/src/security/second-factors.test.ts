import type { Endpoint } from '@tenure/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { allEndpoints } from '../access/matrix.ts';
import { startApp } from '../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../testing/factors.ts';

/** Attacks on the second factor that succeeded against other products. */

const first = await startApp({ TRUST_PROXY: '127.0.0.0/8' });
const second = await startApp({ TRUST_PROXY: '127.0.0.0/8' }, { beside: first });
const { as, make, owner } = first;
const password = 'Str0ng!Passw0rd';
const challenge = '/two-factor-challenge';

beforeEach(() => owner.query('delete from login_attempts'));

async function enrolled() {
  const person = await make.employee({ password });
  const factor = await enrol(await as(person.user_id));
  await clearLastStep(owner);
  return { ...person, ...factor };
}

async function pending(email: string, ip = '192.0.2.1', app = first) {
  const client = await app.as();
  const answer = await client.post('/login', { email, password }, { 'x-forwarded-for': ip });
  expect(answer.body).toMatchObject({ two_factor: true });
  return client;
}

const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort((a, b) => a - b);

describe('N13: a code used twice', () => {
  test('of fifty parallel sends of one code, over two nodes, one begins a session', { timeout: 60_000 }, async () => {
    const { email, secret, user_id } = await enrolled();
    const clients = [];
    for (let index = 0; index < 50; index += 1)
      clients.push(await pending(email, `198.51.100.${index}`, index % 2 ? first : second));
    await owner.query('delete from login_attempts');
    const before = (await owner.query('select from session_register where user_id = $1', [user_id])).rowCount;
    const code = codeOf(secret);
    const answers = await Promise.all(
      clients.map((client, index) => client.post(challenge, { code }, { 'x-forwarded-for': `198.51.100.${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const after = (await owner.query('select from session_register where user_id = $1', [user_id])).rowCount;
    expect((after ?? 0) - (before ?? 0)).toBe(1);
  });

  test('the confirming code of the enrolment is spent too, and an earlier one with it', async () => {
    const person = await make.employee({ password });
    const { secret } = await enrol(await as(person.user_id));
    const client = await pending(person.email);
    for (const steps of [0, -1])
      expect((await client.post(challenge, { code: codeOf(secret, steps) })).status).toBe(422);
    expect((await client.post(challenge, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test('of ten parallel sends of one recovery code, one begins a session', async () => {
    const { email, recovery_codes } = await enrolled();
    const clients = [];
    for (let index = 0; index < 10; index += 1) clients.push(await pending(email, `198.51.100.${index}`));
    const [recovery_code] = recovery_codes;
    const answers = await Promise.all(
      clients.map((client, index) =>
        client.post(challenge, { recovery_code }, { 'x-forwarded-for': `198.51.100.${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('N14: guessing codes', () => {
  test('over two nodes, both spellings and both kinds of codes share one counter, which no password clears', async () => {
    const { email, secret, recovery_codes } = await enrolled();
    const wrongs: object[] = [
      { code: '000000' },
      { code: '000 000' },
      { recovery_code: 'AAAA-AAAA-AAAA-AAAA' },
      { recovery_code: 'aaaaaaaaaaaaaaab' },
      { code: '000001' },
    ];
    for (const [index, body] of wrongs.entries()) {
      // each with a separate sign-in, whose correct password must not restore attempts
      const client = await pending(email, '192.0.2.1', index % 2 ? first : second);
      const path = index % 2 ? challenge : `/api${challenge}`;
      expect((await client.post(path, body, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(422);
    }
    for (const body of [{ code: codeOf(secret) }, { recovery_code: recovery_codes[0] }]) {
      const client = await pending(email, '192.0.2.1');
      const limited = await client.post(challenge, body, { 'x-forwarded-for': '192.0.2.1' });
      expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
      expect(Object.keys(limited.body.errors)).toEqual(Object.keys(body));
    }
    // strangers cannot lock out the owner, who signs in from elsewhere
    const owners = await pending(email, '203.0.113.9');
    expect((await owners.post(challenge, { code: codeOf(secret) }, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(
      200,
    );
  });

  test('twenty wrong codes of an account from anywhere end the tries of strangers', { timeout: 60_000 }, async () => {
    const { email, secret } = await enrolled();
    const answers = [];
    for (let index = 0; index < 22; index += 1) {
      const ip = `198.51.100.${index}`;
      const client = await pending(email, ip);
      answers.push(await client.post(challenge, { code: '000000' }, { 'x-forwarded-for': ip }));
    }
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 20 }, () => 422), 429, 429]);
    const client = await pending(email, '198.51.100.99');
    const late = await client.post(challenge, { code: codeOf(secret) }, { 'x-forwarded-for': '198.51.100.99' });
    expect(late.status).toBe(429);
  });
});

describe('N15: a sign-in that is half done', () => {
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

  test('is 401 at every endpoint for people with a session', { timeout: 120_000 }, async () => {
    const { email } = await enrolled();
    const client = await pending(email);
    const open: string[] = [];
    for (const endpoint of allEndpoints.filter(({ permission }) => permission !== 'public')) {
      const url = `/api${endpoint.path.replaceAll(/:\w+/g, '1')}`;
      const { status } = await client.send(endpoint.method, url, endpoint.method === 'GET' ? {} : { body: {} });
      if (status !== 401) open.push(nameOf(endpoint));
    }
    expect(open).toEqual([]);
  });

  test('a session that may only enrol adds the first factor, becomes a full one, and ends others like it', async () => {
    const person = await make.employee({ password });
    await owner.query(
      "insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)",
      [person.entity_id],
    );
    const [one, two] = [await as(), await as()];
    for (const client of [one, two]) {
      expect((await client.post('/login', { email: person.email, password })).body).toEqual({
        message: 'Logged in successfully.',
      });
      const refused = await client.get('/api/notifications');
      expect([refused.status, refused.body]).toEqual([403, { message: 'Second factor required.' }]);
      expect((await client.delete('/api/profile/totp')).status).toBe(403);
      expect((await client.post('/api/profile/recovery-codes')).status).toBe(403);
    }
    const theirs = (await two.post('/api/profile/totp')).body.data.secret as string;
    const { secret } = (await one.post('/api/profile/totp')).body.data as { secret: string };
    expect((await two.post('/api/profile/totp/confirm', { code: codeOf(theirs) })).status).toBe(422);
    expect((await one.post('/api/profile/totp/confirm', { code: codeOf(secret) })).status).toBe(200);
    expect((await one.get('/api/notifications')).status).toBe(200);
    expect((await two.get('/api/me')).status).toBe(401);
    const { rows } = await owner.query(
      'select factors, enrol_only from session_register where user_id = $1 and revoked_at is null',
      [person.user_id],
    );
    expect(rows).toEqual([{ factors: 2, enrol_only: false }]);
  });

  test('an account with a factor gets no session that may only enrol', async () => {
    const { email, entity_id, secret } = await enrolled();
    await owner.query(
      "insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)",
      [entity_id],
    );
    const client = await pending(email);
    expect((await client.get('/api/me')).status).toBe(401);
    expect((await client.post(challenge, { code: codeOf(secret) })).status).toBe(200);
    expect((await client.get('/api/notifications')).status).toBe(200);
  });
});

describe('N16: a way round the second step', () => {
  test('a password that HR issued is asked for the second factor all the same', async () => {
    const person = await enrolled();
    const hr = await make.employee({ roles: ['HR'] });
    const admin = await as(hr.user_id);
    const reset = await admin.post(`/api/employees/${person.id}/reset-password`, { delivery: 'screen' });
    expect(reset.status).toBe(200);
    const issued = reset.body.one_time_password.password ?? reset.body.one_time_password;
    const client = await as();
    const answer = await client.post('/login', { email: person.email, password: issued });
    expect(answer.body).toEqual({ message: 'A second step is needed.', two_factor: true });
    expect((await client.get('/api/me')).status).toBe(401);
    expect((await client.post(challenge, { code: codeOf(person.secret) })).status).toBe(200);
  });
});
