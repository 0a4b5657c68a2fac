import type { PasskeyRequest } from '@tenure/contract';
import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { mailServer } from '../../testing/mail-server.ts';
import { addPasskey } from '../../testing/passkey.ts';

/** Reading the mailbox of a person with a second factor is not enough to set a password or to end anything. */

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner, logged } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const origin = 'http://localhost:8000';
const acme = await make.entity();
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const former = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const wrong = { message: 'The code is not right.', errors: { code: ['The code is not right.'] } };

beforeEach(() => owner.query('delete from login_attempts'));

/** A link that HR sent to the person, by its token. */
async function linkTo(person: { id: number; email: string }, what = 'reset-password'): Promise<string> {
  const answer = await hr.post(`/api/employees/${person.id}/${what}`);
  expect([answer.status, answer.body.delivery]).toEqual([200, 'mail']);
  await deliver(deps);
  const mail = received.findLast(({ to }) => to.includes(person.email))?.source ?? '';
  return /\/(?:reset|welcome)#([\w-]{43})/.exec(mail)?.[1] as string;
}

async function person(fields: Parameters<typeof make.employee>[0] = {}) {
  const made = await make.employee({ entity_id: acme.id, password: former, ...fields });
  return { ...made, browser: await as(made.user_id) };
}

async function withApp() {
  const made = await person();
  const factor = await enrol(made.browser);
  await clearLastStep(owner);
  return { ...made, ...factor, token: await linkTo(made) };
}

const redeem = async (token: string, proof: object = {}, password = next, client?: Awaited<ReturnType<typeof as>>) =>
  (client ?? (await as())).post('/api/account-links/redeem', {
    token,
    password,
    password_confirmation: password,
    ...proof,
  });
const check = async (token: string) => (await as()).post('/api/account-links/check', { token });
const signIn = async (email: string, password: string) =>
  (await (await as()).post('/login', { email, password })).status;

test('without the code of the app nothing changes; with it the password is set', async () => {
  const { token, browser, secret, email, user_id } = await withApp();
  const api_token = await browser.post('/api/profile/tokens', {
    name: 'Report',
    permissions: ['employees.view'],
    days: 7,
  });
  expect((await check(token)).body.data).toMatchObject({ purpose: 'password_reset', second_factor: true });
  const bare = await redeem(token);
  expect([bare.status, bare.body.errors]).toEqual([422, { code: ['The code field is required.'] }]);
  expect((await redeem(token, { code: '000000' })).body).toEqual(wrong);
  expect((await redeem(token, { code: codeOf(secret, -3) })).body).toEqual(wrong);
  expect((await browser.get('/api/me')).status).toBe(200);
  expect(await signIn(email, former)).toBe(200);
  expect((await check(token)).status).toBe(200);
  const { rows: before } = await owner.query('select session_epoch, token_epoch from users where id = $1', [user_id]);

  const code = codeOf(secret);
  expect((await redeem(token, { code })).status).toBe(200);
  const { rows: after } = await owner.query('select session_epoch, token_epoch from users where id = $1', [user_id]);
  expect(after).not.toEqual(before);
  expect(api_token.status === 201 || api_token.status === 403).toBe(true);
  expect((await browser.get('/api/me')).status).toBe(401);
  expect(await signIn(email, former)).toBe(422);
  const client = await as();
  expect((await client.post('/login', { email, password: next })).body.two_factor).toBe(true);
  // the code is used up
  expect((await client.post('/two-factor-challenge', { code })).body).toEqual(wrong);
});

test('a link of a person without a factor asks for none', async () => {
  const made = await person();
  const token = await linkTo(made);
  expect((await check(token)).body.data.second_factor).toBe(false);
  const options = await (await as()).post('/api/account-links/options', { token });
  expect(options.body.data).toEqual({ totp: false, options: null });
  expect((await redeem(token)).status).toBe(200);
});

test('an invitation of an account with a factor asks for it too', async () => {
  const made = await person();
  const { secret } = await enrol(made.browser);
  await clearLastStep(owner);
  await owner.query('update users set password_hash = null where id = $1', [made.user_id]);
  const token = await linkTo(made, 'invite');
  expect((await check(token)).body.data).toMatchObject({ purpose: 'invitation', second_factor: true });
  expect((await redeem(token)).body.errors).toEqual({ code: ['The code field is required.'] });
  expect((await redeem(token, { code: codeOf(secret) })).status).toBe(200);
});

test('a refused password uses up no code, and the former password is not confirmed without one', async () => {
  const { token, secret } = await withApp();
  const code = codeOf(secret);
  const guessed = await redeem(token, { code: '000000' }, former);
  expect(guessed.body).toEqual(wrong);
  expect((await redeem(token, {}, former)).body.errors).toEqual({ code: ['The code field is required.'] });
  expect((await redeem(token, { code }, 'short')).body.errors).toHaveProperty('password');
  expect((await redeem(token, { code }, former)).body.errors).toEqual({
    password: ['The password field and current password must be different.'],
  });
  expect((await redeem(token, { code })).status).toBe(200);
});

test('a recovery code does as well, once, and the person is notified', async () => {
  const { token, recovery_codes, user_id, id, email } = await withApp();
  const [recovery_code] = recovery_codes;
  expect((await redeem(token, { recovery_code })).status).toBe(200);
  const { rows } = await owner.query(
    "select params->>'count' as left from notifications where user_id = $1 and variant = 'recovery_code'",
    [user_id],
  );
  expect(rows).toEqual([{ left: '9' }]);
  const { rows: actions } = await owner.query(
    'select action from audit_log where actor_id = $1 order by id desc limit 2',
    [user_id],
  );
  expect(new Set(actions.map(({ action }) => action as string))).toEqual(
    new Set(['account.password_link_used', 'account.recovery_code_used']),
  );
  const again = await redeem(await linkTo({ id, email }), { recovery_code }, 'Th1rd#Phrase');
  expect(again.body.errors).toEqual({ recovery_code: ['The code is not right.'] });
});

test('a passkey does as well: that of the account, asked for this link', async () => {
  const made = await person();
  const { passkey } = await addPasskey(made.browser, origin);
  const { passkey: strange } = await addPasskey((await person()).browser, origin);
  const token = await linkTo(made);
  expect((await check(token)).body.data.second_factor).toBe(true);
  const client = await as();
  const asked = async () =>
    (await client.post('/api/account-links/options', { token })).body.data as {
      totp: boolean;
      options: PasskeyRequest;
    };
  const { totp, options } = await asked();
  expect([totp, options.allowCredentials.map(({ id }) => id)]).toEqual([false, [passkey.id]]);
  const refused = await redeem(token, { credential: strange.get(options) }, next, client);
  expect(refused.body.errors).toEqual({ credential: ['The passkey was not accepted.'] });
  // a challenge works once, and a sign-in challenge does not work for a link
  const late = await redeem(token, { credential: passkey.get(options) }, next, client);
  expect(late.body.errors).toEqual({ credential: ['The passkey was not accepted.'] });
  const signing = (await client.post('/api/passkeys/sign-in/options')).body.data as { options: PasskeyRequest };
  const elsewhere = await redeem(token, { credential: passkey.get(signing.options) }, next, client);
  expect(Object.keys(elsewhere.body.errors)).toEqual(['credential']);
  const own = await asked();
  expect((await redeem(token, { credential: passkey.get(own.options) }, next, client)).status).toBe(200);
  expect(client.cookies.has('tenure_passkey')).toBe(false);
});

test('wrong codes count with those of sign-ins, and the person learns of them', async () => {
  const { token, secret, email, user_id } = await withApp();
  for (let n = 0; n < 5; n += 1) expect((await redeem(token, { code: '000000' })).status).toBe(422);
  const limited = await redeem(token, { code: codeOf(secret) });
  expect([limited.status, Object.keys(limited.body.errors)]).toEqual([429, ['code']]);
  const client = await as();
  await client.post('/login', { email, password: former });
  expect((await client.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(429);
  const { rows } = await owner.query('select variant from notifications where user_id = $1 and variant is not null', [
    user_id,
  ]);
  expect(rows.map(({ variant }) => variant)).toContain('link_codes');
  expect(
    logged.filter((line) => line.includes('second_factor_failed') && line.includes(`"user_id":${user_id}`)),
  ).toHaveLength(5);
  await owner.query('delete from login_attempts');
  expect((await redeem(token, { code: codeOf(secret) })).status).toBe(200);
});

test('of 20 uses at the same moment with one code one counts', async () => {
  const { token, secret } = await withApp();
  const code = codeOf(secret);
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(token, { code })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a factor that is added while the link is open is asked for', async () => {
  const made = await person();
  const token = await linkTo(made);
  const { secret } = await enrol(made.browser);
  await clearLastStep(owner);
  const bare = await redeem(token);
  expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['code']]);
  expect((await redeem(token, { code: codeOf(secret) })).status).toBe(200);
});
