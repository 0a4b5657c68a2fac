import { URI } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';

const { as, make, owner } = await startApp();
const password = 'Str0ng!Passw0rd';
const wrong = { message: 'The code is not right.', errors: { code: ['The code is not right.'] } };
const others = { passkeys: [], passkeys_work: true, password_sign_in: true, sign_in_through: null };
const none = { totp: null, recovery_codes_left: 0, ...others };

beforeEach(() => owner.query('delete from login_attempts'));

async function person() {
  const made = await make.employee({ password });
  return { ...made, client: await as(made.user_id) };
}
const security = async (client: Awaited<ReturnType<typeof as>>) =>
  (await client.get('/api/profile/security')).body.data;
const actionsOf = async (userId: number) =>
  (
    await owner.query("select action from audit_log where actor_id = $1 and action like 'account.%' order by id", [
      userId,
    ])
  ).rows.map(({ action }) => action as string);
const noticesOf = async (userId: number) =>
  (
    await owner.query(
      "select variant from notifications where user_id = $1 and event = 'account_security_notice' order by id",
      [userId],
    )
  ).rows.map(({ variant }) => variant as string);

describe('an authenticator app', () => {
  test('counts once a code of it was sent; the seed is shown once and stored sealed', async () => {
    const { client, user_id, email } = await person();
    expect(await security(client)).toEqual(none);
    const begun = await client.post('/api/profile/totp');
    expect([begun.status, begun.headers['cache-control']]).toEqual([201, 'no-store']);
    const { secret, otpauth_url } = begun.body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(URI.parse(otpauth_url)).toMatchObject({ issuer: 'Tenure', label: email });
    expect(await security(client)).toEqual(none);
    const stored = (await owner.query('select secret from authenticators where user_id = $1', [user_id])).rows;
    expect(stored).toEqual([{ secret: expect.stringMatching(/^1[.][0-9a-f]{12}[.]/) }]);

    const refused = await client.post('/api/profile/totp/confirm', { code: '000000' });
    expect([refused.status, refused.body]).toEqual([422, wrong]);
    expect(await security(client)).toEqual(none);
    const code = codeOf(secret);
    const confirmed = await client.post('/api/profile/totp/confirm', { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(confirmed.body.message).toBe('Authenticator app added. Keep the recovery codes in a safe place.');
    expect(confirmed.body.data.recovery_codes).toHaveLength(10);
    expect(await security(client)).toEqual({
      totp: { added_at: expect.any(String), last_used_at: expect.any(String) },
      recovery_codes_left: 10,
      ...others,
    });
    expect(await actionsOf(user_id)).toEqual(['account.second_factor_added']);
    expect(await noticesOf(user_id)).toEqual(['factor_added']);
    const codes = (await owner.query('select hash from recovery_codes where user_id = $1', [user_id])).rows;
    expect(codes).toHaveLength(10);
    expect(JSON.stringify(codes)).not.toContain(confirmed.body.data.recovery_codes[0]);
  });

  test('replaces an earlier one only once it is confirmed, with new recovery codes', async () => {
    const { client, user_id } = await person();
    const first = await enrol(client);
    const begun = await client.post('/api/profile/totp');
    expect((await owner.query('select from authenticators where user_id = $1', [user_id])).rowCount).toBe(2);
    // the earlier factor still proves the user's identity
    expect((await client.post('/api/profile/step-up', { code: codeOf(first.secret, 1) })).status).toBe(200);
    const { secret } = begun.body.data;
    const second = await client.post('/api/profile/totp/confirm', { code: codeOf(secret) });
    expect(second.status).toBe(200);
    expect((await owner.query('select from authenticators where user_id = $1', [user_id])).rowCount).toBe(1);
    await clearLastStep(owner);
    expect((await client.post('/api/profile/step-up', { code: codeOf(first.secret) })).status).toBe(422);
    const { recovery_codes } = first;
    expect((await client.post('/api/profile/step-up', { recovery_code: recovery_codes[0] })).status).toBe(422);
    expect((await client.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
  });

  test('is removed with the recovery codes, and a restart of setting up forgets the one before', async () => {
    const { client, user_id } = await person();
    const early = (await client.post('/api/profile/totp')).body.data.secret as string;
    await enrol(client);
    await clearLastStep(owner);
    expect((await client.post('/api/profile/step-up', { code: codeOf(early) })).status).toBe(422);
    expect((await client.delete('/api/profile/totp')).status).toBe(204);
    expect(await security(client)).toEqual(none);
    expect((await owner.query('select from recovery_codes where user_id = $1', [user_id])).rowCount).toBe(0);
    expect(await actionsOf(user_id)).toEqual(['account.second_factor_added', 'account.second_factor_removed']);
    expect(await noticesOf(user_id)).toEqual(['factor_added', 'factor_removed']);
    const again = await client.delete('/api/profile/totp');
    expect([again.status, again.body.message]).toEqual([422, 'No authenticator app is set up.']);
  });

  test('stays where a second factor is demanded', async () => {
    const { client, entity_id } = await person();
    await enrol(client);
    const demand = (from: string) =>
      owner.query(
        `insert into sign_in_policies (entity_id, second_factor_from) values ($1, ${from})
         on conflict (entity_id) do update set second_factor_from = excluded.second_factor_from`,
        [entity_id],
      );
    await demand("(now() at time zone 'UTC')::date");
    const refused = await client.delete('/api/profile/totp');
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { totp: ['Your account needs a second factor, so the last one can’t be removed.'] },
    ]);
    await demand("(now() at time zone 'UTC')::date + 1");
    expect((await client.delete('/api/profile/totp')).status).toBe(204);
  });

  test('ends the sessions that have not proved it, and keeps the one that has', async () => {
    const { client, user_id } = await person();
    const other = await as(user_id);
    await client.post('/api/profile/totp/confirm', { code: '000000' });
    expect((await other.get('/api/me')).status).toBe(200);
    await enrol(client);
    expect((await other.get('/api/me')).status).toBe(401);
    const { rows } = await owner.query(
      'select factors from session_register where user_id = $1 and revoked_at is null',
      [user_id],
    );
    expect(rows).toEqual([{ factors: 2 }]);
    expect((await client.get('/api/me')).status).toBe(200);
  });

  test('cannot be confirmed before it is begun, and belongs to one account', async () => {
    const [ada, bob] = [await person(), await person()];
    const { secret } = (await ada.client.post('/api/profile/totp')).body.data;
    const early = await bob.client.post('/api/profile/totp/confirm', { code: codeOf(secret) });
    expect([early.status, early.body.message]).toEqual([422, 'Start again: no authenticator app is being set up.']);
    await bob.client.post('/api/profile/totp');
    expect((await bob.client.post('/api/profile/totp/confirm', { code: codeOf(secret) })).body).toEqual(wrong);
    expect((await ada.client.post('/api/profile/totp/confirm', {})).body.errors).toEqual({
      code: ['The code field is required.'],
    });
  });

  test('does not open in the row of another account, and where its key is gone it counts for nothing', async () => {
    const [ada, bob] = [await person(), await person()];
    const { secret } = await enrol(ada.client);
    await enrol(bob.client);
    await owner.query(
      'update authenticators set secret = (select secret from authenticators where user_id = $1) where user_id = $2',
      [ada.user_id, bob.user_id],
    );
    await clearLastStep(owner);
    expect((await bob.client.post('/api/profile/step-up', { code: codeOf(secret) })).body).toEqual(wrong);
    expect((await ada.client.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
  });
});

describe('recovery codes', () => {
  test('each stands in for the app once, and new ones end the earlier', async () => {
    const { client, user_id } = await person();
    const { recovery_codes } = await enrol(client);
    const use = (recovery_code: string | undefined) => client.post('/api/profile/step-up', { recovery_code });
    expect((await use(recovery_codes[0])).status).toBe(200);
    const spent = await use(recovery_codes[0]);
    expect([spent.status, spent.body.errors]).toEqual([422, { recovery_code: ['The code is not right.'] }]);
    expect((await security(client)).recovery_codes_left).toBe(9);
    const made = await client.post('/api/profile/recovery-codes');
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(made.body.data.recovery_codes).toHaveLength(10);
    expect((await use(recovery_codes[1])).status).toBe(422);
    expect((await use(made.body.data.recovery_codes[9])).status).toBe(200);
    // the person is notified of each use, because someone may have found the codes
    expect(await noticesOf(user_id)).toEqual(['factor_added', 'recovery_code', 'recovery_codes', 'recovery_code']);
    expect((await actionsOf(user_id)).filter((action) => action === 'account.recovery_code_used')).toHaveLength(2);
  });

  test('need an authenticator app', async () => {
    const { client } = await person();
    expect((await client.post('/api/profile/recovery-codes')).status).toBe(422);
  });
});

describe('confirming that it is you', () => {
  test('takes a code from an account with an app, and no password', async () => {
    const { client } = await person();
    expect((await client.post('/api/profile/step-up/options')).body.data).toMatchObject({ proofs: ['password'] });
    expect((await client.post('/api/profile/step-up', { password })).status).toBe(200);
    const { secret } = await enrol(client);
    expect((await client.post('/api/profile/step-up/options')).body.data).toMatchObject({ proofs: ['totp'] });
    const refused = await client.post('/api/profile/step-up', { password });
    expect([refused.status, refused.body.errors]).toEqual([422, { code: ['The code field is required.'] }]);
    expect((await client.post('/api/profile/step-up', { code: codeOf(secret, 1) })).status).toBe(200);
  });
});
