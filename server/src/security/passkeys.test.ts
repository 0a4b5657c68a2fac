import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PasskeyCreation, PasskeyRequest } from '@tenure/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { issueLinks, mintToken } from '../access/account-links.ts';
import { startApp } from '../testing/app.ts';
import { addPasskey, signInWith, softPasskey } from '../testing/passkey.ts';
import type { Bent, SoftPasskey } from '../testing/passkey.ts';

/** Known vulnerabilities of passkeys and second steps in other products: N16 to N18 of the design. */

const { as, make, owner, logged, deps } = await startApp({ STEP_UP_MINUTES: '10' });
const origin = 'http://localhost:8000';
const password = 'Str0ng!Passw0rd';
const refused = { credential: ['The passkey was not accepted.'] };
const notAdded = {
  credential: [
    'The passkey was not added. Please try again, with a device that asks for your fingerprint, face or PIN.',
  ],
};

beforeEach(async () => {
  logged.length = 0;
  await owner.query('delete from login_attempts');
});

async function withPasskey() {
  const made = await make.employee({ password });
  const client = await as(made.user_id);
  return { ...made, employee_id: made.id, client, ...(await addPasskey(client, origin)) };
}
const events = (name: string) =>
  logged.flatMap((line) => {
    const { event, reason } = JSON.parse(line) as { event?: string; reason?: string };
    return event === name ? [reason] : [];
  });
const age = (userId: number, seconds: number) =>
  owner.query('update session_register set proved_at = now() - make_interval(secs => $2) where user_id = $1', [
    userId,
    seconds,
  ]);

describe('N16: what opens an account anew still asks for the passkey', () => {
  async function stepsOf(email: string, sent: string, passkey: SoftPasskey) {
    const browser = await as();
    const first = await browser.post('/login', { email, password: sent });
    expect(first.body).toEqual({ message: 'A second step is needed.', two_factor: true });
    expect((await browser.get('/api/me')).status).toBe(401);
    const { options } = (await browser.post('/api/two-factor-challenge/options')).body.data;
    return (await browser.post('/two-factor-challenge', { credential: passkey.get(options) })).status;
  }

  test('a one-time password of HR', async () => {
    const { email, employee_id, passkey } = await withPasskey();
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    const issued = await hr.post(`/api/employees/${employee_id}/reset-password`, { delivery: 'screen' });
    expect(await stepsOf(email, issued.body.one_time_password as string, passkey)).toBe(200);
  });

  test('a password that was chosen through a link, which signs no one in', async () => {
    const { email, user_id, passkey } = await withPasskey();
    const admin = await make.admin();
    await issueLinks(deps.db, [user_id], { purpose: 'password_reset', by: admin.user_id, hours: 24 });
    const { rows } = await owner.query('select id from account_links where user_id = $1', [user_id]);
    const minted = await mintToken(deps.db, rows[0].id, email);
    const guest = await as();
    const chosen = 'An0ther#Phrase';
    const body = { token: minted?.token, password: chosen, password_confirmation: chosen };
    const bare = await guest.post('/api/account-links/redeem', body);
    expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['code']]);
    const { options } = (await guest.post('/api/account-links/options', { token: minted?.token })).body.data;
    const proved = { ...body, credential: passkey.get(options as PasskeyRequest) };
    expect((await guest.post('/api/account-links/redeem', proved)).status).toBe(200);
    expect((await guest.get('/api/me')).status).toBe(401);
    expect(await stepsOf(email, chosen, passkey)).toBe(200);
  });
});

describe('N17: a device that did not know the person is refused', () => {
  test('when a passkey is added', async () => {
    const client = await as((await make.employee()).user_id);
    for (const bent of [{ uv: false }, { uv: false, up: false }, { up: false }]) {
      const { options } = (await client.post('/api/profile/passkeys/options')).body.data as {
        options: PasskeyCreation;
      };
      const credential = softPasskey(origin).create(options, bent);
      const answer = await client.post('/api/profile/passkeys', { name: 'Key', credential });
      expect([bent, answer.status, answer.body.errors]).toEqual([bent, 422, notAdded]);
    }
    expect((await client.get('/api/profile/security')).body.data.passkeys).toEqual([]);
    expect(events('passkey_failed')).toEqual(Array(3).fill('user_verification'));
  });

  test('when it signs in, goes on with a sign-in and confirms an action', async () => {
    const { email, passkey, client, user_id } = await withPasskey();
    const alone = await signInWith(await as(), passkey, { uv: false });
    expect([alone.status, alone.body.errors]).toEqual([422, refused]);
    const browser = await as();
    await browser.post('/login', { email, password });
    const step = (await browser.post('/api/two-factor-challenge/options')).body.data.options as PasskeyRequest;
    const second = await browser.post('/two-factor-challenge', { credential: passkey.get(step, { uv: false }) });
    expect([second.status, second.body.errors]).toEqual([422, refused]);
    await age(user_id, 3_600);
    const { options } = (await client.post('/api/profile/step-up/options')).body.data;
    const third = await client.post('/api/profile/step-up', { credential: passkey.get(options, { uv: false }) });
    expect([third.status, third.body.errors]).toEqual([422, refused]);
    expect((await client.delete('/api/profile/passkeys/1')).status).toBe(403);
    expect(events('passkey_failed')).toEqual(Array(3).fill('user_verification'));
  });
});

test('a device that vouches for its key makes the service ask no address', async () => {
  const asked: string[] = [];
  const inside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => void inside.listen(0, '127.0.0.1', resolve));
  const revoked = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/secret`;
  const client = await as((await make.employee()).user_id);
  const { options } = (await client.post('/api/profile/passkeys/options')).body.data as { options: PasskeyCreation };
  const passkey = softPasskey(origin);
  const credential = passkey.create(options, { revoked });
  const added = await client.post('/api/profile/passkeys', { name: 'Phone', credential });
  inside.close();
  expect(asked).toEqual([]);
  expect(added.status).toBe(201);
  expect((await signInWith(await as(), passkey)).status).toBe(200);
});

describe('N18: an answer for another place, account or time is refused', () => {
  const elsewhere: readonly [string, Bent, string][] = [
    ['another port', { origin: 'http://localhost:8001' }, 'origin'],
    ['another scheme', { origin: 'https://localhost:8000' }, 'origin'],
    ['a sibling host', { origin: 'http://evil.localhost:8000' }, 'origin'],
    ['a host that begins the same', { origin: 'http://localhost:8000.evil.example' }, 'origin'],
    ['another RP id', { rpId: 'evil.example' }, 'rp_id'],
    ['the RP id of a parent', { rpId: 'example' }, 'rp_id'],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }, 'challenge'],
    ['the other ceremony', { type: 'webauthn.create' }, 'answer'],
  ];

  test.each(elsewhere)('signing in with one of %s', async (_name, bent, reason) => {
    const { passkey } = await withPasskey();
    const answer = await signInWith(await as(), passkey, bent);
    expect([answer.status, answer.body.errors]).toEqual([422, refused]);
    expect(events('passkey_failed')).toEqual([reason]);
    expect((await signInWith(await as(), passkey)).status).toBe(200);
  });

  test('adding one of another place', async () => {
    const client = await as((await make.employee()).user_id);
    for (const bent of [{ origin: 'http://localhost:8001' }, { rpId: 'evil.example' }, { challenge: 'AAAA' }]) {
      const { options } = (await client.post('/api/profile/passkeys/options')).body.data as {
        options: PasskeyCreation;
      };
      const credential = softPasskey(origin).create(options, bent);
      expect((await client.post('/api/profile/passkeys', { name: 'Key', credential })).body.errors).toEqual(notAdded);
    }
    expect(events('passkey_failed')).toEqual(['origin', 'rp_id', 'challenge']);
  });

  test('with the handle of another account, or none', async () => {
    const [ada, bob] = [await withPasskey(), await withPasskey()];
    const { rows } = await owner.query('select webauthn_id from users where id = $1', [bob.user_id]);
    const userHandle = (rows[0].webauthn_id as Buffer).toString('base64url');
    for (const handle of [userHandle, null, 'AAAA', ''])
      expect((await signInWith(await as(), ada.passkey, { userHandle: handle })).status).toBe(422);
    expect(events('passkey_failed')).toEqual(['user_handle', 'no_user_handle', 'user_handle', 'no_user_handle']);
  });

  test('signed by the passkey of another account', async () => {
    const [ada, bob] = [await withPasskey(), await withPasskey()];
    const answer = await signInWith(await as(), ada.passkey, { id: bob.passkey.id });
    expect(answer.body.errors).toEqual(refused);
    // only that account can answer the challenge of its step-up
    const { options } = (await ada.client.post('/api/profile/step-up/options')).body.data;
    const strange = await ada.client.post('/api/profile/step-up', { credential: bob.passkey.get(options) });
    expect(strange.body.errors).toEqual(refused);
  });

  test('twice, in parallel too', async () => {
    const { passkey } = await withPasskey();
    const browser = await as();
    const { options } = (await browser.post('/api/passkeys/sign-in/options')).body.data;
    const cookies = new Map(browser.cookies);
    const credential = passkey.get(options);
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const other = await as();
        for (const [name, value] of cookies) other.cookies.set(name, value);
        return (await other.post('/api/passkeys/sign-in', { credential })).status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
  });

  test('eleven minutes later, and for something else than it was begun for', async () => {
    const { passkey, client } = await withPasskey();
    const browser = await as();
    const { options } = (await browser.post('/api/passkeys/sign-in/options')).body.data;
    const credential = passkey.get(options);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 660_000);
    const late = await browser.post('/api/passkeys/sign-in', { credential });
    clock.mockRestore();
    const over = { credential: ['Please try again: this took too long, or was started again elsewhere.'] };
    expect([late.status, late.body.errors]).toEqual([422, over]);
    const begun = (await client.post('/api/profile/passkeys/options')).body.data.options as PasskeyCreation;
    const asStepUp = passkey.get({ challenge: begun.challenge, rpId: 'localhost' } as PasskeyRequest);
    expect((await client.post('/api/profile/step-up', { credential: asStepUp })).body.errors).toEqual(over);
    expect((await client.post('/api/passkeys/sign-in', { credential: asStepUp })).body.errors).toEqual(over);
  });

  test('whose counter went back, which is logged apart; one that never counts is accepted', async () => {
    const { passkey, user_id } = await withPasskey();
    expect((await signInWith(await as(), passkey, { counter: 10 })).status).toBe(200);
    for (const counter of [10, 9, 0]) expect((await signInWith(await as(), passkey, { counter })).status).toBe(422);
    expect(events('passkey_counter_went_back')).toHaveLength(3);
    expect((await signInWith(await as(), passkey, { counter: 11 })).status).toBe(200);
    await owner.query('update authenticators set counter = 0 where user_id = $1', [user_id]);
    for (let count = 0; count < 2; count += 1)
      expect((await signInWith(await as(), passkey, { counter: 0 })).status).toBe(200);
  });
});

describe('confirming an action', () => {
  test('an account with a passkey confirms with it, not with its password', async () => {
    const { client, user_id, passkey } = await withPasskey();
    await age(user_id, 3_600);
    const asked = await client.post('/api/profile/recovery-codes');
    expect([asked.status, asked.body.step_up]).toEqual([403, ['passkey']]);
    expect((await client.post('/api/profile/step-up', { password })).status).toBe(422);
    const { data } = (await client.post('/api/profile/step-up/options')).body;
    expect(data).toMatchObject({ proofs: ['passkey'], url: null, options: { userVerification: 'required' } });
    const credential = passkey.get(data.options);
    expect((await client.post('/api/profile/step-up', { credential })).body.message).toBe('Thank you. You can go on.');
    expect((await client.post('/api/profile/recovery-codes')).status).toBe(201);
    await age(user_id, 3_600);
    expect((await client.post('/api/profile/step-up', { credential })).status).toBe(422);
  });

  test('a session that may only add a factor can confirm itself when it is old, and then add a passkey', async () => {
    const { email, entity_id, user_id } = await make.employee({ password });
    await owner.query(
      `insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)`,
      [entity_id],
    );
    const client = await as();
    await client.post('/login', { email, password });
    await age(user_id, 3_600);
    const asked = await client.post('/api/profile/passkeys/options');
    expect([asked.status, asked.body.step_up]).toEqual([403, ['password']]);
    expect((await client.post('/api/profile/totp')).body.step_up).toEqual(['password']);
    expect((await client.post('/api/profile/step-up/options')).body.data.proofs).toEqual(['password']);
    expect((await client.post('/api/profile/step-up', { password })).status).toBe(200);
    expect((await client.post('/api/profile/totp')).status).toBe(201);
    await addPasskey(client, origin);
    expect((await client.get('/api/employees')).status).not.toBe(403);
    expect((await client.get('/api/me')).body.data.second_factor.state).toBe('ok');
  });

  test('a session that may only add the first factor adds no second one to an account that has one', async () => {
    const { email, entity_id, user_id } = await make.employee({ password });
    await owner.query(
      `insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)`,
      [entity_id],
    );
    const [first, second] = [await as(), await as()];
    for (const client of [first, second]) await client.post('/login', { email, password });
    const { options } = (await second.post('/api/profile/passkeys/options')).body.data;
    await addPasskey(first, origin);
    await owner.query('update session_register set revoked_at = null where user_id = $1', [user_id]);
    const credential = softPasskey(origin).create(options);
    expect((await second.post('/api/profile/passkeys', { name: 'Mine', credential })).status).toBe(403);
    expect((await second.post('/api/profile/passkeys/options')).status).toBe(403);
  });
});
