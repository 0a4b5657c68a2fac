import type { PasskeyRequest } from '@tenure/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { addPasskey, signInWith } from '../../testing/passkey.ts';

const { as, make, owner, logged } = await startApp();
const origin = 'http://localhost:8000';
const password = 'Str0ng!Passw0rd';
const refused = {
  message: 'The passkey was not accepted.',
  errors: { credential: ['The passkey was not accepted.'] },
};

beforeEach(() => owner.query('delete from login_attempts'));

async function withPasskey(fields: Parameters<typeof make.employee>[0] = {}) {
  const made = await make.employee({ password, ...fields });
  const client = await as(made.user_id);
  return { ...made, client, ...(await addPasskey(client, origin)), id: made.id };
}
const latest = async (userId: number) =>
  (
    await owner.query(
      `select method, factors, enrol_only, authenticator_id is not null as by_passkey, revoked_at is null as lives
       from session_register where user_id = $1 order by id desc limit 1`,
      [userId],
    )
  ).rows[0] as Record<string, unknown>;
const reasons = () =>
  logged.flatMap((line) => {
    const { event, reason } = JSON.parse(line) as { event?: string; reason?: string };
    return event === 'passkey_failed' ? [reason] : [];
  });

describe('signing in with a passkey alone', () => {
  test('asks for no address, says nothing of accounts, and is a session of two factors', async () => {
    const { user_id, passkey } = await withPasskey();
    const browser = await as();
    const begun = await browser.post('/api/passkeys/sign-in/options');
    expect([begun.status, begun.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(begun.body.data.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 600_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    });
    expect(begun.setCookies.map((line) => line.split('=')[0])).toEqual(['XSRF-TOKEN', 'tenure_passkey']);
    const answer = await browser.post('/api/passkeys/sign-in', { credential: passkey.get(begun.body.data.options) });
    expect([answer.status, answer.body]).toEqual([200, { message: 'Logged in successfully.' }]);
    expect(browser.cookies.has('tenure_passkey')).toBe(false);
    expect((await browser.get('/api/me')).body.data.user.id).toBe(user_id);
    expect(await latest(user_id)).toEqual({
      method: 'passkey',
      factors: 2,
      enrol_only: false,
      by_passkey: true,
      lives: true,
    });
    const { rows } = await owner.query(
      'select last_used_at is not null as used, counter::int from authenticators where user_id = $1',
      [user_id],
    );
    expect(rows).toEqual([{ used: true, counter: 2 }]);
  });

  test('a due second factor is there, and a one-time password asks for no other password', async () => {
    const { user_id, entity_id, passkey } = await withPasskey();
    await owner.query(
      `insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)`,
      [entity_id],
    );
    await owner.query(
      "update users set must_change_password = true, one_time_password = true, password_expires_at = now() + interval '1 hour' where id = $1",
      [user_id],
    );
    const browser = await as();
    expect((await signInWith(browser, passkey)).status).toBe(200);
    const { data } = (await browser.get('/api/me')).body;
    expect([data.user.must_change_password, data.second_factor.state]).toEqual([false, 'ok']);
  });

  test('people who left, accounts that are off and people of a company that demands a provider are refused alike', async () => {
    const gone = await withPasskey();
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [gone.id]);
    const off = await withPasskey();
    await owner.query('update users set is_enabled = false where id = $1', [off.user_id]);
    const demanded = await withPasskey();
    const { rows } = await owner.query(
      `insert into identity_providers (name, issuer, client_id, metadata)
       values ('Acme', 'https://login.acme.example', 'tenure', '{}') returning id`,
    );
    await owner.query(
      'insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, array[$2::bigint])',
      [demanded.entity_id, rows[0].id],
    );
    logged.length = 0;
    for (const { passkey } of [gone, off, demanded]) {
      const answer = await signInWith(await as(), passkey);
      expect([answer.status, answer.body]).toEqual([422, refused]);
    }
    expect(reasons()).toEqual(['account', 'account', 'session_register_sign_in_policy']);
    // an emergency account can sign in, and every administrator is notified
    const admin = await make.admin();
    await owner.query('update users set break_glass = true where id = $1', [demanded.user_id]);
    expect((await signInWith(await as(), demanded.passkey)).status).toBe(200);
    const { rows: told } = await owner.query(
      "select user_id from notifications where event = 'break_glass_used' and user_id = $1",
      [admin.user_id],
    );
    expect(told).toHaveLength(1);
  });

  test('one that who was let in by a colleague added goes when the account gains more rights than the colleague has', async () => {
    const hr = await make.employee({ roles: ['HR'] });
    const made = await make.employee({ password });
    await owner.query('update users set password_issued_by = $1 where id = $2', [hr.user_id, made.user_id]);
    const { passkey } = await addPasskey(await as(made.user_id), origin);
    expect((await signInWith(await as(), passkey)).status).toBe(200);
    // the same with a passkey that was added in a session of this one
    const browser = await as();
    await signInWith(browser, passkey);
    const second = await addPasskey(browser, origin, 'Second');
    const admin = await as((await make.admin()).user_id);
    const { data } = (await admin.get(`/api/employees/${made.id}/roles`)).body;
    const role = (data.assignable as { role: string; role_id: number }[]).find((one) => one.role === 'Admin');
    const given = await admin.put(`/api/employees/${made.id}/roles`, { assignments: [{ role_id: role?.role_id }] });
    expect(given.status).toBe(200);
    for (const one of [passkey, second.passkey]) expect((await signInWith(await as(), one)).body).toEqual(refused);
    const { rows } = await owner.query(
      `select (select count(*)::int from authenticators where user_id = $1) as passkeys,
              (select count(*)::int from recovery_codes where user_id = $1) as codes,
              (select count(*)::int from audit_log where subject_id = $1 and action = 'account.passkey_removed') as told`,
      [made.user_id],
    );
    expect(rows).toEqual([{ passkeys: 0, codes: 0, told: 2 }]);
  });

  test('one of an ordinary employee stays when who issued the first password does something else', async () => {
    const hr = await make.employee({ roles: ['HR'] });
    const issued = async (fields: Parameters<typeof make.employee>[0] = {}) => {
      const made = await make.employee({ password, ...fields });
      await owner.query('update users set password_issued_by = $1 where id = $2', [hr.user_id, made.user_id]);
      return { ...made, ...(await addPasskey(await as(made.user_id), origin)) };
    };
    const [employee, manager] = [await issued(), await issued({ roles: ['Manager'] })];
    await owner.query('delete from role_assignments where user_id = $1', [hr.user_id]);
    expect((await signInWith(await as(), employee.passkey)).status).toBe(200);
    // like the password of an account that manages people
    expect((await signInWith(await as(), manager.passkey)).body).toEqual(refused);
  });

  test('wrong answers are limited as codes are, for an account and for unknown passkeys', async () => {
    const { passkey } = await withPasskey();
    const { passkey: other } = await withPasskey();
    const client = await as();
    const tried: number[] = [];
    for (let count = 0; count < 6; count += 1)
      tried.push((await signInWith(client, passkey, { challenge: 'AAAA', counter: 50 + count })).status);
    expect(tried).toEqual([422, 422, 422, 422, 422, 429]);
    expect((await signInWith(client, other)).status).toBe(200);
    const stranger = await as();
    for (let count = 0; count < 5; count += 1)
      expect((await signInWith(stranger, other, { id: 'AAAA' })).status).toBe(422);
    expect((await signInWith(stranger, other, { id: 'AAAA' })).status).toBe(429);
  });
});

describe('a passkey as the second step', () => {
  async function pending(email: string) {
    const browser = await as();
    expect((await browser.post('/login', { email, password })).body.two_factor).toBe(true);
    return browser;
  }

  test('is asked by its id, and begins a session of the password with two factors', async () => {
    const { email, user_id, passkey } = await withPasskey();
    const browser = await pending(email);
    const { data } = (await browser.post('/api/two-factor-challenge/options')).body;
    expect(data).toMatchObject({ totp: false, options: { rpId: 'localhost', userVerification: 'required' } });
    expect(data.options.allowCredentials).toEqual([{ id: passkey.id, type: 'public-key', transports: ['internal'] }]);
    // a passkey that is requested by its id need not return its user
    const credential = passkey.get(data.options, { userHandle: null });
    expect((await browser.post('/two-factor-challenge', { credential })).status).toBe(200);
    expect(await latest(user_id)).toMatchObject({ method: 'password', factors: 2, by_passkey: true });
  });

  test('a code of the app and a recovery code do as well; the challenge keeps the ten minutes of the sign-in', async () => {
    const { email, client, recovery_codes, user_id } = await withPasskey();
    const { secret } = await enrol(client);
    await clearLastStep(owner);
    const browser = await pending(email);
    const first = await browser.post('/api/two-factor-challenge/options');
    expect(first.body.data.totp).toBe(true);
    const seconds = Number(
      /Max-Age=(\d+)/.exec(first.setCookies.find((line) => line.startsWith('tenure_flow')) ?? '')?.[1],
    );
    expect(seconds).toBeLessThanOrEqual(600);
    expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
    // the app created new recovery codes
    const other = await pending(email);
    expect((await other.post('/two-factor-challenge', { recovery_code: recovery_codes?.[0] })).status).toBe(422);
    expect(await latest(user_id)).toMatchObject({ method: 'password', factors: 2, by_passkey: false });
  });

  test('an answer without a challenge, a wrong one and one of another account are refused, and the sign-in goes on', async () => {
    const [ada, bob] = [await withPasskey(), await withPasskey()];
    const browser = await pending(ada.email);
    const stale = { challenge: 'AAAA', rpId: 'localhost' } as PasskeyRequest;
    const early = await browser.post('/two-factor-challenge', { credential: ada.passkey.get(stale) });
    expect(early.body.errors).toEqual({
      credential: ['Please try again: this took too long, or was started again elsewhere.'],
    });
    const ask = async () =>
      (await browser.post('/api/two-factor-challenge/options')).body.data.options as PasskeyRequest;
    const strange = await browser.post('/two-factor-challenge', { credential: bob.passkey.get(await ask()) });
    expect([strange.status, strange.body]).toEqual([422, refused]);
    const credential = ada.passkey.get(await ask());
    expect((await browser.post('/two-factor-challenge', { credential })).status).toBe(200);
  });
});
