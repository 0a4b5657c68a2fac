import type { PasskeyRequest } from '@tenure/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { addPasskey, signInWith, softPasskey } from '../../testing/passkey.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

const { as, make, owner } = await startApp();
const origin = 'http://localhost:8000';
const password = 'Str0ng!Passw0rd';

beforeEach(() => owner.query('delete from login_attempts'));

type Client = Awaited<ReturnType<typeof as>>;

async function person(fields: Parameters<typeof make.employee>[0] = {}) {
  const made = await make.employee({ password, ...fields });
  return { ...made, client: await as(made.user_id) };
}
const security = async (client: Client) => (await client.get('/api/profile/security')).body.data;
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
const marksOf = async (userId: number) =>
  (
    await owner.query(
      'select method, factors, enrol_only from session_register where user_id = $1 and revoked_at is null order by id',
      [userId],
    )
  ).rows;
const demandOf = (entityId: number) =>
  owner.query(
    `insert into sign_in_policies (entity_id, second_factor_from) values ($1, (now() at time zone 'UTC')::date)
     on conflict (entity_id) do update set second_factor_from = excluded.second_factor_from`,
    [entityId],
  );

describe('adding a passkey', () => {
  test('the first factor brings recovery codes, ends unproved sessions and notifies the person', async () => {
    const { client, user_id, email } = await person();
    const other = await as(user_id);
    const begun = await client.post('/api/profile/passkeys/options');
    expect([begun.status, begun.headers['cache-control']]).toEqual([200, 'no-store']);
    const { options } = begun.body.data;
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Tenure' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    const passkey = softPasskey(origin);
    const credential = passkey.create(options);
    const added = await client.post('/api/profile/passkeys', { name: 'Laptop', credential });
    expect([added.status, added.body.message]).toEqual([
      201,
      'Passkey added. Keep the recovery codes in a safe place.',
    ]);
    expect(added.body.data.recovery_codes).toHaveLength(10);
    expect(await security(client)).toEqual({
      totp: null,
      passkeys: [
        {
          id: expect.any(Number),
          name: 'Laptop',
          added_at: expect.any(String),
          last_used_at: null,
          backed_up: false,
          works: true,
        },
      ],
      passkeys_work: true,
      password_sign_in: true,
      sign_in_through: null,
      recovery_codes_left: 10,
    });
    expect((await other.get('/api/me')).status).toBe(401);
    expect(await marksOf(user_id)).toEqual([{ method: 'password', factors: 2, enrol_only: false }]);
    expect(await actionsOf(user_id)).toEqual(['account.passkey_added']);
    expect(await noticesOf(user_id)).toEqual(['passkey_added']);
    // a challenge adds only one passkey
    const again = await client.post('/api/profile/passkeys', { name: 'Copy', credential });
    expect([again.status, again.body.errors]).toEqual([
      422,
      { credential: ['Please try again: this took too long, or was started again elsewhere.'] },
    ]);
  });

  test('a second one keeps the codes and has a name of its own; its options name the first', async () => {
    const { client } = await person();
    const { passkey } = await addPasskey(client, origin);
    const begun = await client.post('/api/profile/passkeys/options');
    expect(begun.body.data.options.excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ]);
    const second = await addPasskey(client, origin, 'Phone');
    expect([second.recovery_codes, second.message]).toEqual([null, 'Passkey added.']);
    const known = (await security(client)).passkeys as { name: string }[];
    expect(known.map(({ name }) => name)).toEqual(['Laptop', 'Phone']);
  });

  test('a device that another account knows already is refused, and so are the name and answers of no passkey', async () => {
    const [ada, bob] = [await person(), await person()];
    const { passkey } = await addPasskey(ada.client, origin);
    const { options } = (await bob.client.post('/api/profile/passkeys/options')).body.data;
    const taken = await bob.client.post('/api/profile/passkeys', { name: 'X', credential: passkey.create(options) });
    expect(taken.status).toBe(422);
    expect((await bob.client.post('/api/profile/passkeys', { name: '', credential: {} })).body.errors).toMatchObject({
      name: ['The name field is required.'],
    });
    expect((await bob.client.post('/api/profile/passkeys', { name: 'X' })).body.errors).toMatchObject({
      credential: ['The passkey field is required.'],
    });
    expect((await security(bob.client)).passkeys).toEqual([]);
  });

  test('a session that ended while the request was under way adds none', async () => {
    const { client, user_id } = await person();
    const { options } = (await client.post('/api/profile/passkeys/options')).body.data;
    const credential = softPasskey(origin).create(options);
    const blocking = await owner.connect();
    await blocking.query('begin');
    await blocking.query('select from users where id = $1 for update', [user_id]);
    const adding = client.post('/api/profile/passkeys', { name: 'Late', credential });
    await vi.waitFor(async () => expect(await waitingLocks(owner)).toContain('transactionid'), 10_000);
    await blocking.query('update session_register set revoked_at = now() where user_id = $1', [user_id]);
    await blocking.query('commit');
    blocking.release();
    expect((await adding).status).toBe(401);
    expect((await owner.query('select from authenticators where user_id = $1', [user_id])).rowCount).toBe(0);
  });

  test('at most twenty', async () => {
    const { client, user_id } = await person();
    await addPasskey(client, origin);
    await owner.query(
      `insert into authenticators (user_id, kind, name, rp_id, counter, confirmed_at, credential_id)
       select $1, 'passkey', 'Old', 'localhost', 0, now(), decode(lpad(i::text, 8, '0'), 'hex') from generate_series(1, 19) as i`,
      [user_id],
    );
    const { options } = (await client.post('/api/profile/passkeys/options')).body.data;
    const credential = softPasskey(origin).create(options);
    const refused = await client.post('/api/profile/passkeys', { name: 'One more', credential });
    expect(refused.body.errors).toEqual({ credential: ['You can have at most 20 passkeys. Remove one first.'] });
  });

  test('there are none at an address literal, or over http', async () => {
    for (const APP_URL of ['http://10.0.0.7:8000', 'http://[::1]:8000', 'http://hr.acme.example']) {
      const bare = await startApp({ APP_URL });
      const client = await bare.as((await bare.make.employee()).user_id);
      expect((await client.get('/api/profile/security')).body.data.passkeys_work).toBe(false);
      expect((await client.post('/api/profile/passkeys/options')).status).toBe(422);
      const guest = await bare.as();
      expect((await guest.get('/api/sign-in/options')).body.data.passkey).toBe(false);
      expect((await guest.post('/api/passkeys/sign-in/options')).body.errors).toEqual({
        credential: ['Passkeys don’t work at this address.'],
      });
    }
    expect((await (await as()).get('/api/sign-in/options')).body.data.passkey).toBe(true);
  });
});

describe('renaming and removing', () => {
  test('only the own ones, with a trace', async () => {
    const [ada, bob] = [await person(), await person()];
    const { id } = await addPasskey(ada.client, origin);
    const path = `/api/profile/passkeys/${id}`;
    const renamed = await ada.client.put(path, { name: 'Work laptop' });
    expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Work laptop']);
    expect((await ada.client.put(path, { name: 'x'.repeat(101) })).status).toBe(422);
    expect((await bob.client.put(path, { name: 'Mine' })).status).toBe(404);
    expect((await bob.client.delete(path)).status).toBe(404);
    const { secret } = await enrol(bob.client);
    expect(secret).toBeTruthy();
    const app = (await owner.query("select id from authenticators where user_id = $1 and kind = 'totp'", [bob.user_id]))
      .rows[0].id as number;
    expect((await bob.client.delete(`/api/profile/passkeys/${app}`)).status).toBe(404);
    expect((await ada.client.delete(path)).status).toBe(204);
    expect(await actionsOf(ada.user_id)).toEqual([
      'account.passkey_added',
      'account.passkey_renamed',
      'account.passkey_removed',
    ]);
    expect(await noticesOf(ada.user_id)).toEqual(['passkey_added', 'passkey_removed']);
    expect(await security(ada.client)).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
  });

  test('removing one ends the sessions that it opened, but the one that removes it', async () => {
    const { client } = await person();
    const { passkey, id } = await addPasskey(client, origin);
    const phone = await as();
    expect((await signInWith(phone, passkey)).status).toBe(200);
    expect((await client.delete(`/api/profile/passkeys/${id}`)).status).toBe(204);
    expect((await phone.get('/api/me')).status).toBe(401);
    expect((await client.get('/api/me')).status).toBe(200);
    const gone = await signInWith(await as(), passkey);
    expect([gone.status, gone.body.errors]).toEqual([422, { credential: ['The passkey was not accepted.'] }]);
  });

  test('the app goes without the passkeys and the other way round; the last factor stays where one is demanded', async () => {
    const { client, entity_id } = await person();
    const { id } = await addPasskey(client, origin);
    await enrol(client);
    await demandOf(entity_id);
    expect((await client.delete('/api/profile/totp')).status).toBe(204);
    expect(await security(client)).toMatchObject({ totp: null, passkeys: [{ id }], recovery_codes_left: 10 });
    const refused = await client.delete(`/api/profile/passkeys/${id}`);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { passkey: ['Your account needs a second factor, so the last one can’t be removed.'] },
    ]);
    await enrol(client);
    expect((await client.delete(`/api/profile/passkeys/${id}`)).status).toBe(204);
    expect((await client.delete('/api/profile/totp')).status).toBe(422);
  });
});

describe('signing in without the password', () => {
  async function withTwo(fields: Parameters<typeof make.employee>[0] = {}) {
    const made = await person(fields);
    const first = await addPasskey(made.client, origin);
    const second = await addPasskey(made.client, origin, 'Phone');
    return { ...made, first, second };
  }
  const switchOff = (client: Client) => client.put('/api/profile/password-sign-in', { enabled: false });

  test('needs two passkeys, closes the door of the password, ends its other sessions and notifies the person', async () => {
    const alone = await person();
    await addPasskey(alone.client, origin);
    expect((await switchOff(alone.client)).body.errors).toEqual({
      enabled: ['Add a second passkey first: a single one can get lost.'],
    });
    const { client, user_id, email, first } = await withTwo();
    const browser = await as();
    await browser.post('/login', { email, password });
    const challenge = (await browser.post('/api/two-factor-challenge/options')).body.data.options as PasskeyRequest;
    expect((await browser.post('/two-factor-challenge', { credential: first.passkey.get(challenge) })).status).toBe(
      200,
    );
    const pending = await as();
    expect((await pending.post('/login', { email, password })).body.two_factor).toBe(true);
    const off = await switchOff(client);
    expect([off.status, off.body.data]).toEqual([200, { password_sign_in: false }]);
    expect((await browser.get('/api/me')).status).toBe(401);
    const right = await (await as()).post('/login', { email, password });
    const wrong = await (await as()).post('/login', { email, password: 'Wr0ng!Passw0rd' });
    expect([right.status, right.body]).toEqual([422, wrong.body]);
    // a sign-in that was waiting for its second step is cancelled
    const late = (await pending.post('/api/two-factor-challenge/options')).body;
    expect(late.errors).toEqual({ sign_in: ['Please sign in again.'] });
    await expect(
      owner.query(
        `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, factors)
         values ('x', $1, 0, 0, now() + interval '1 hour', 2)`,
        [user_id],
      ),
    ).rejects.toMatchObject({ constraint: 'session_register_password_sign_in' });
    expect((await signInWith(await as(), first.passkey)).status).toBe(200);
    expect((await noticesOf(user_id)).slice(-1)).toEqual(['password_off']);
    expect((await client.put('/api/profile/password-sign-in', { enabled: true })).body.message).toBe(
      'You can sign in with your password again.',
    );
    expect((await (await as()).post('/login', { email, password })).status).toBe(200);
    expect((await actionsOf(user_id)).slice(-2)).toEqual(Array(2).fill('account.password_sign_in_changed'));
    expect((await noticesOf(user_id)).slice(-1)).toEqual(['password_on']);
  });

  test('no password can be changed, issued or chosen by link meanwhile; two passkeys stay', async () => {
    const { client, id, user_id, first } = await withTwo();
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    expect((await hr.post(`/api/employees/${id}/reset-password`, { delivery: 'screen' })).status).toBe(200);
    const back = await as();
    expect((await signInWith(back, first.passkey)).status).toBe(200);
    // signing in with a passkey does not require a new password
    expect((await back.get('/api/me')).body.data.user.must_change_password).toBe(false);
    expect((await client.get('/api/me')).status).toBe(401);
    expect((await switchOff(back)).status).toBe(200);
    const refused = await hr.post(`/api/employees/${id}/reset-password`, { delivery: 'screen' });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'This person signs in with passkeys only. Remove their second factor first, then create a new password.',
    ]);
    const many = await hr.post('/api/employees/reset-passwords', { employee_ids: [id], delivery: 'screen' });
    expect(many.body.data.refused).toHaveLength(1);
    const own = await back.put('/api/profile/password', {
      current_password: password,
      password: 'An0ther!Passw0rd',
      password_confirmation: 'An0ther!Passw0rd',
    });
    expect(own.body.errors).toEqual({ password: ['Signing in with your password is off. Turn it on first.'] });
    const stays = await back.delete(`/api/profile/passkeys/${first.id}`);
    expect(stays.body.errors).toEqual({
      passkey: [
        'Signing in with your password is off, so two passkeys must stay. Add another one or turn your password on first.',
      ],
    });
    // HR removes both: the password that was switched off is void, and HR issues a new one
    const reset = await hr.send('DELETE', `/api/employees/${id}/second-factor`, {
      body: { reason: 'Both devices were stolen.' },
    });
    expect(reset.status).toBe(204);
    const { rows } = await owner.query(
      `select password_sign_in, password_hash, must_enrol, (select count(*)::int from authenticators a where a.user_id = u.id) as factors
       from users u where id = $1`,
      [user_id],
    );
    expect(rows).toEqual([{ password_sign_in: true, password_hash: null, must_enrol: true, factors: 0 }]);
    expect((await hr.post(`/api/employees/${id}/reset-password`, { delivery: 'screen' })).status).toBe(200);
  });

  test.each([
    ['HR takes the factors away', true],
    ['the release before removes them, which leaves the switch', false],
  ])('the password that was switched off opens nothing when %s, and a new one does', async (_when, byHr) => {
    const { client, id, user_id, email } = await withTwo();
    expect((await switchOff(client)).status).toBe(200);
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    if (byHr) {
      const body = { reason: 'Both devices were stolen.' };
      expect((await hr.send('DELETE', `/api/employees/${id}/second-factor`, { body })).status).toBe(204);
    } else await owner.query('delete from authenticators where user_id = $1', [user_id]);
    expect((await client.get('/api/me')).status).toBe(401);
    expect((await (await as()).post('/login', { email, password })).status).toBe(422);
    const issued = await hr.post(`/api/employees/${id}/reset-password`, { delivery: 'screen' });
    expect(issued.status).toBe(200);
    const sent = { email, password: issued.body.one_time_password as string };
    expect((await (await as()).post('/login', sent)).status).toBe(200);
  });

  test('an emergency account keeps its password, and who has none to use cannot become one', async () => {
    const admin = await withTwo({ roles: ['Admin'] });
    expect((await admin.client.put('/api/break-glass-accounts', { user_ids: [admin.user_id] })).status).toBe(200);
    expect((await switchOff(admin.client)).body.errors).toEqual({
      enabled: ['Emergency accounts keep signing in with their password.'],
    });
    expect((await admin.client.put('/api/break-glass-accounts', { user_ids: [] })).status).toBe(200);
    expect((await switchOff(admin.client)).status).toBe(200);
    const refused = await admin.client.put('/api/break-glass-accounts', { user_ids: [admin.user_id] });
    expect(refused.status).toBe(422);
  });

  test('recovery codes and an app stay a second step for the password only', async () => {
    const { client, email } = await withTwo();
    const { secret } = await enrol(client);
    await switchOff(client);
    await clearLastStep(owner);
    const browser = await as();
    expect((await browser.post('/login', { email, password })).status).toBe(422);
    expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(422);
  });
});
