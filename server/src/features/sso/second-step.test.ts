import { expect, test } from 'vitest';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { addPasskey } from '../../testing/passkey.ts';
import { startSso } from '../../testing/single-sign-on.ts';

/** People with a second factor in this service, who come from a provider that counts as one factor. */

const { op, as, admin, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const id = await addProvider({ domains: ['acme.example'], session_max_hours: 1 });
let serial = 0;

/** A person whom the provider knows, with an authenticator app in this service. */
async function withApp() {
  serial += 1;
  const email = `known${serial}@acme.example`;
  const subject = `sub-${serial}`;
  op.people.set(subject, { email, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email });
  const { secret } = await enrol(await as(person.user_id));
  await clearLastStep(owner);
  return { subject, secret, person };
}
const sessionsOf = async (userId: number) =>
  (
    await owner.query(
      `select method, factors, provider_id::int, expires_at - created_at as lives
       from session_register where user_id = $1 and method = 'sso' and revoked_at is null`,
      [userId],
    )
  ).rows;

test('are asked for a code, and have a session of the provider with two factors then', async () => {
  const { subject, secret, person } = await withApp();
  const { status, body, browser } = await come(subject, id);
  expect([status, body]).toEqual([200, { message: 'A second step is needed.', two_factor: true, next: null }]);
  expect((await browser.get('/api/me')).status).toBe(401);
  expect(await sessionsOf(person.user_id)).toEqual([]);
  expect((await browser.post('/two-factor-challenge', { code: '000000' })).status).toBe(422);
  expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
  expect((await browser.get('/api/me')).body.data.user.id).toBe(person.user_id);
  expect(await sessionsOf(person.user_id)).toMatchObject([
    { method: 'sso', factors: 2, provider_id: id, lives: { hours: 1 } },
  ]);
});

test('N16: are asked for their passkey, which a provider of one factor does not stand for', async () => {
  serial += 1;
  const subject = `sub-${serial}`;
  op.people.set(subject, { email: `key${serial}@acme.example`, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email: `key${serial}@acme.example` });
  const { passkey } = await addPasskey(await as(person.user_id), 'http://localhost:8000');
  const { body, browser } = await come(subject, id);
  expect(body.two_factor).toBe(true);
  expect((await browser.get('/api/me')).status).toBe(401);
  const { options } = (await browser.post('/api/two-factor-challenge/options')).body.data;
  expect((await browser.post('/two-factor-challenge', { credential: passkey.get(options) })).status).toBe(200);
  expect(await sessionsOf(person.user_id)).toMatchObject([{ method: 'sso', factors: 2, provider_id: id }]);
});

test('need no password: a forced change of it and an expired one do not stop them', async () => {
  const { subject, secret, person } = await withApp();
  await owner.query(
    "update users set must_change_password = true, one_time_password = true, password_expires_at = now() - interval '1 day' where id = $1",
    [person.user_id],
  );
  const { browser } = await come(subject, id);
  expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
  expect((await browser.get('/api/employees')).status).toBe(200);
  const { rows } = await owner.query('select one_time_password from users where id = $1', [person.user_id]);
  expect(rows).toEqual([{ one_time_password: true }]);
});

test.each<[string, (userId: number) => Promise<unknown>]>([
  ['the provider is off', () => admin.post(`/api/identity-providers/${id}/disable`, {})],
  ['the link is gone', (userId) => owner.query('delete from user_identities where user_id = $1', [userId])],
  [
    'all sessions of the account ended',
    (userId) => owner.query('update users set session_epoch = session_epoch + 1 where id = $1', [userId]),
  ],
  ['the account is off', (userId) => owner.query('update users set is_enabled = false where id = $1', [userId])],
])('cannot go on once %s', async (_, change) => {
  const { subject, secret, person } = await withApp();
  const { browser } = await come(subject, id);
  await change(person.user_id);
  const { status, body } = await browser.post('/two-factor-challenge', { code: codeOf(secret) });
  expect([status, body.errors]).toEqual([422, { sign_in: ['Please sign in again.'] }]);
  expect(await sessionsOf(person.user_id)).toEqual([]);
  await admin.post(`/api/identity-providers/${id}/enable`, {});
});

test('cannot go on after the provider was off, also once it is on again', async () => {
  const { subject, secret } = await withApp();
  const { browser } = await come(subject, id);
  await admin.post(`/api/identity-providers/${id}/disable`, {});
  await admin.post(`/api/identity-providers/${id}/enable`, {});
  const { status, body } = await browser.post('/two-factor-challenge', { code: codeOf(secret) });
  expect([status, body.errors]).toEqual([422, { sign_in: ['Please sign in again.'] }]);
  expect((await browser.post('/api/two-factor-challenge/options')).status).toBe(422);
  const again = (await come(subject, id)).browser;
  expect((await again.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
});

test('end no later than the provider says once the code came', async () => {
  const { subject, secret, person } = await withApp();
  const { browser } = await come(subject, id);
  expect((await admin.put(`/api/identity-providers/${id}`, { session_max_hours: 0.5 })).status).toBe(200);
  expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
  const { rows } = await owner.query(
    `select extract(epoch from expires_at - created_at)::int as seconds from session_register
     where user_id = $1 and method = 'sso' and revoked_at is null`,
    [person.user_id],
  );
  expect(rows).toEqual([{ seconds: 1800 }]);
  expect((await admin.put(`/api/identity-providers/${id}`, { session_max_hours: 1 })).status).toBe(200);
});

test('are sent to the provider that their company demands before a code is asked for', async () => {
  const { subject } = await withApp();
  const other = await addProvider({ name: 'Demanded', domains: ['other.example'] });
  await come(subject, id);
  await owner.query('insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, $2)', [
    acme.id,
    [other],
  ]);
  const { status, body } = await come(subject, id);
  expect([status, body.two_factor]).toEqual([422, undefined]);
  await owner.query('delete from sign_in_policies where entity_id = $1', [acme.id]);
});

test('without a factor that is demanded get a session that can only add one', async () => {
  serial += 1;
  const subject = `sub-${serial}`;
  op.people.set(subject, { email: `new${serial}@acme.example`, email_verified: true });
  await make.employee({ entity_id: acme.id, email: `new${serial}@acme.example` });
  await owner.query(`insert into sign_in_policies (entity_id, second_factor_from) values ($1, '2026-01-01')`, [
    acme.id,
  ]);
  const { status, browser } = await come(subject, id);
  expect(status).toBe(200);
  const me = await browser.get('/api/me');
  expect(me.body.data.second_factor).toEqual({ state: 'required', from: '2026-01-01' });
  expect((await browser.get('/api/employees')).body.message).toBe('Second factor required.');
  await enrol(browser);
  expect((await browser.get('/api/employees')).status).toBe(200);
});
