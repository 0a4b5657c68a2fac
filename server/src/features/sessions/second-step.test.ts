import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';

const { as, make, owner, logged } = await startApp();
const password = 'Str0ng!Passw0rd';
const wrong = { message: 'The code is not right.', errors: { code: ['The code is not right.'] } };
const again = { message: 'Please sign in again.', errors: { sign_in: ['Please sign in again.'] } };

beforeEach(() => owner.query('delete from login_attempts'));

async function enrolled(fields: Parameters<typeof make.employee>[0] = {}) {
  const person = await make.employee({ password, ...fields });
  const factor = await enrol(await as(person.user_id));
  await clearLastStep(owner);
  return { ...person, ...factor };
}

/** A browser that sent the correct password. */
async function pending(email: string) {
  const client = await as();
  const answer = await client.post('/login', { email, password });
  expect(answer.status).toBe(200);
  return client;
}

describe('signing in with a second factor', () => {
  test('the password is answered with two_factor and no session, the code with a session of two factors', async () => {
    const { email, secret, user_id } = await enrolled();
    const client = await as();
    const first = await client.post('/login', { email, password });
    expect([first.status, first.body]).toEqual([200, { message: 'A second step is needed.', two_factor: true }]);
    const names = first.setCookies.map((line) => line.split('=')[0]);
    expect(names).toEqual(['XSRF-TOKEN', 'tenure_flow']);
    expect(first.setCookies[1]).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await client.get('/api/me')).status).toBe(401);
    const second = await client.post('/two-factor-challenge', { code: codeOf(secret) });
    expect([second.status, second.body]).toEqual([200, { message: 'Logged in successfully.' }]);
    expect(second.setCookies.map((line) => line.split('=')[0])).toEqual([
      'tenure_session',
      'XSRF-TOKEN',
      'tenure_device',
      'tenure_flow',
      'tenure_passkey',
    ]);
    expect(client.cookies.has('tenure_flow')).toBe(false);
    expect((await client.get('/api/me')).body.data.user.id).toBe(user_id);
    const { rows } = await owner.query(
      'select method, factors, enrol_only from session_register order by id desc limit 1',
    );
    expect(rows).toEqual([{ method: 'password', factors: 2, enrol_only: false }]);
  });

  test('the prefix is optional, and forms do as well as JSON', async () => {
    const { email, secret } = await enrolled();
    const client = await pending(email);
    const answer = await client.send('POST', '/api/two-factor-challenge', {
      payload: new URLSearchParams({ code: codeOf(secret) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(200);
    expect((await client.get('/api/me')).status).toBe(200);
  });

  test('a recovery code does as well, once, and the person is notified', async () => {
    const { email, recovery_codes, user_id } = await enrolled();
    const [recovery_code = ''] = recovery_codes;
    const client = await pending(email);
    const typed = recovery_code.toLowerCase().replaceAll('-', ' ');
    expect((await client.post('/two-factor-challenge', { recovery_code: typed })).status).toBe(200);
    const { rows } = await owner.query(
      "select params->>'count' as left from notifications where user_id = $1 and variant = 'recovery_code'",
      [user_id],
    );
    expect(rows).toEqual([{ left: '9' }]);
    const { rows: actions } = await owner.query(
      'select action from audit_log where actor_id = $1 order by id desc limit 1',
      [user_id],
    );
    expect(actions).toEqual([{ action: 'account.recovery_code_used' }]);
    const other = await pending(email);
    const spent = await other.post('/two-factor-challenge', { recovery_code });
    expect([spent.status, spent.body.errors]).toEqual([422, { recovery_code: ['The code is not right.'] }]);
  });

  test('a wrong, an old and no code are refused, and the sign-in can go on', async () => {
    const { email, secret } = await enrolled();
    const client = await pending(email);
    for (const code of ['000000', codeOf(secret, -3), codeOf(secret, 3), 'x'])
      expect((await client.post('/two-factor-challenge', { code })).body).toEqual(wrong);
    expect((await client.post('/two-factor-challenge', {})).body.errors).toEqual({
      code: ['The code field is required.'],
    });
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
  });

  test('a one-time password is used up by the second step only, and leads to an own one', async () => {
    const { email, secret, user_id } = await enrolled();
    await owner.query(
      "update users set must_change_password = true, one_time_password = true, password_expires_at = now() + interval '1 hour' where id = $1",
      [user_id],
    );
    await pending(email);
    const [client, late] = [await pending(email), await pending(email)];
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
    expect((await client.get('/api/me')).body.data.user.must_change_password).toBe(true);
    await clearLastStep(owner);
    expect((await late.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
    expect((await (await as()).post('/login', { email, password })).status).toBe(422);
  });

  test('the session of another account in the browser lasts until the second step', async () => {
    const ada = await make.employee({ password });
    const bob = await enrolled();
    const client = await as();
    await client.post('/login', { email: ada.email, password });
    await client.post('/login', { email: bob.email, password });
    expect((await client.get('/api/me')).body.data.user.id).toBe(ada.user_id);
    const copy = client.cookies.get('tenure_session') as string;
    expect((await client.post('/two-factor-challenge', { code: codeOf(bob.secret) })).status).toBe(200);
    expect((await client.get('/api/me')).body.data.user.id).toBe(bob.user_id);
    const thief = await as();
    thief.cookies.set('tenure_session', copy);
    expect((await thief.get('/api/me')).status).toBe(401);
  });

  test('a page that offers passkeys by itself does not end it', async () => {
    const { email, secret } = await enrolled();
    const client = await pending(email);
    expect((await client.post('/api/passkeys/sign-in/options')).status).toBe(200);
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
    expect([...client.cookies.keys()]).not.toContain('tenure_passkey');
  });

  test('signing out ends a sign-in that has begun', async () => {
    const bob = await enrolled();
    const client = await as((await make.employee()).user_id);
    await client.post('/login', { email: bob.email, password });
    await client.post('/logout');
    expect(client.cookies.has('tenure_flow')).toBe(false);
  });
});

describe('a sign-in that has begun ends', () => {
  test('without a cookie, with another one, and after its time', async () => {
    const { email, secret } = await enrolled();
    const guest = await as();
    expect((await guest.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
    guest.cookies.set('tenure_flow', '1.000000000000.AAAA');
    expect((await guest.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
    const client = await pending(email);
    const other = await startApp();
    const elsewhere = await other.as();
    elsewhere.cookies.set('tenure_flow', client.cookies.get('tenure_flow') as string);
    expect((await elsewhere.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
  });

  test.each([
    ['the password is reset', 'update users set session_epoch = session_epoch + 1 where id = $1'],
    ['the account is switched off', 'update users set is_enabled = false where id = $1'],
    ['the person leaves', "update employees set activity_status = 'inactive' where user_id = $1"],
    [
      'a backup is restored',
      'update installation set global_epoch = global_epoch + (select 1 from users where id = $1)',
    ],
  ])('when %s', async (_what, statement) => {
    const { email, secret, user_id } = await enrolled();
    const client = await pending(email);
    await owner.query(statement, [user_id]);
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
    expect((await owner.query('select last_step from authenticators where user_id = $1', [user_id])).rows).toEqual([
      { last_step: null },
    ]);
  });

  test('once it came to its end: its cookie begins no second session', async () => {
    const { email, secret } = await enrolled();
    const client = await pending(email);
    const copy = client.cookies.get('tenure_flow') as string;
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
    await clearLastStep(owner);
    const thief = await as();
    thief.cookies.set('tenure_flow', copy);
    expect((await thief.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
  });

  test('after five wrong codes, of which the person is notified', async () => {
    const { email, secret, user_id } = await enrolled();
    const client = await pending(email);
    for (let index = 0; index < 5; index += 1) {
      expect((await client.post('/two-factor-challenge', { code: '000000' })).body).toEqual(wrong);
      // the limits by account and address are tested elsewhere
      await owner.query("delete from login_attempts where key not like 'step:%'");
    }
    expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).body).toEqual(again);
    const { rows } = await owner.query(
      'select variant from notifications where user_id = $1 order by id desc limit 1',
      [user_id],
    );
    expect(rows).toEqual([{ variant: 'codes' }]);
    expect(
      logged.filter((line) => line.includes('second_factor_failed') && line.includes(`"user_id":${user_id}`)),
    ).toHaveLength(5);
  });
});

test('of people of a company that signs in through a provider, a right password is answered like a wrong one', async () => {
  const { email, entity_id } = await enrolled();
  await owner.query(
    "insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, '{7}')",
    [entity_id],
  );
  const [right, wrongOne] = [await as(), await as()];
  const answers = [
    await right.post('/login', { email, password }),
    await wrongOne.post('/login', { email, password: 'Wr0ng!Passw0rd' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers[0]?.bytes).toEqual(answers[1]?.bytes);
  expect(right.cookies.has('tenure_flow')).toBe(false);
});
