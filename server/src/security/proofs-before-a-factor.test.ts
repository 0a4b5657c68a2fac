import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { codeOf, enrol, clearLastStep } from '../testing/factors.ts';
import { softPasskey } from '../testing/passkey.ts';
import { startSso } from '../testing/single-sign-on.ts';

/** After a second factor is added, proofs made or flows started without one are void. */

const APP_URL = 'http://localhost:8000';
const { op, as, make, owner, addProvider, come, goThere } = await startSso({ STEP_UP_MINUTES: '10' });
const acme = await make.entity();
/** Counts as two factors, so that its sessions continue when the account gets its own factor. */
const id = await addProvider({ domains: ['acme.example'], second_factor: 'always' });
let serial = 0;

beforeEach(() => {
  op.bend = null;
});

/** A person with two sessions from the provider: a browser that was left open, and the one at home. */
async function twice() {
  serial += 1;
  const email = `twice${serial}@acme.example`;
  const subject = `twice-${serial}`;
  op.people.set(subject, { email, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email, roles: ['HR'] });
  const [left, home] = [(await come(subject, id)).browser, (await come(subject, id)).browser];
  return { ...person, subject, left, home };
}

const asked = async (browser: Client) => (await browser.post('/api/profile/recovery-codes')).body.step_up;
const startProof = async (browser: Client) => {
  const { url } = (await browser.post('/api/profile/step-up/options', {})).body.data as { url: string };
  return op.visit(url);
};
const complete = (browser: Client, query: string) => browser.post(`/api/sso/${id}/complete`, { query });
const sinceThen = 'A second factor was added to your account after you began this. Confirm with it, then start again.';

/** Waits a moment, in milliseconds of the database's clock. */
const earlier = (userId: number) =>
  owner.query("update session_register set proved_at = proved_at - interval '1 minute' where user_id = $1", [userId]);

describe('after an app was added in another session', () => {
  test('a proof of minutes ago counts no more; the app does', async () => {
    const { left, home, user_id } = await twice();
    expect(await asked(left)).toBeUndefined();
    await earlier(user_id);
    const { secret } = await enrol(home);
    expect(await asked(home)).toBeUndefined();
    expect(await asked(left)).toEqual(['totp']);
    expect((await left.delete('/api/profile/totp')).status).toBe(403);
    expect((await left.get('/api/me')).body.data.step_up_until <= new Date().toISOString()).toBe(true);
    await clearLastStep(owner);
    expect((await left.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
    expect(await asked(left)).toBeUndefined();
  });

  test('a proof that was begun at the provider is refused at its end', async () => {
    const { left, home, user_id, subject } = await twice();
    op.person = subject;
    const query = await startProof(left);
    await earlier(user_id);
    await enrol(home);
    const { status, body } = await complete(left, query);
    expect([status, body.errors]).toEqual([422, { sso: [sinceThen] }]);
    expect(await asked(left)).toEqual(['totp']);
  });

  test('a sign-in at the provider of before is no proof in a session that begins later', async () => {
    const { home, subject, user_id } = await twice();
    const at = Math.floor(Date.now() / 1_000) - 120;
    await earlier(user_id);
    await enrol(home);
    op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: at } });
    const { browser, status } = await come(subject, id);
    expect([status, await asked(browser)]).toEqual([200, ['totp']]);
  });

  test('a passkey, an app and a link that were begun before are not added', async () => {
    const { left, home, user_id } = await twice();
    const { options } = (await left.post('/api/profile/passkeys/options')).body.data;
    const other = await addProvider();
    const { url } = (await left.post(`/api/profile/identities/${other}/start`, {})).body.data as { url: string };
    await earlier(user_id);
    await enrol(home);
    op.person = 'somebody';
    op.people.set('somebody', { email: 'somebody@elsewhere.example', email_verified: true });
    const query = await op.visit(url);
    const linked = await left.post(`/api/sso/${other}/complete`, { query });
    expect([linked.status, linked.body.errors]).toEqual([422, { sso: [sinceThen] }]);
    const added = await left.post('/api/profile/passkeys', {
      name: 'Mine',
      credential: softPasskey(APP_URL).create(options),
    });
    expect([added.status, added.body.step_up]).toEqual([403, ['totp']]);
    const { rows } = await owner.query(
      `select (select count(*)::int from authenticators where user_id = $1 and kind = 'passkey') as passkeys,
              (select count(*)::int from user_identities where user_id = $1) as links`,
      [user_id],
    );
    expect(rows).toEqual([{ passkeys: 0, links: 1 }]);
  });

  test('an app that was begun before the first passkey is not confirmed', async () => {
    const { left, home, user_id } = await twice();
    const { secret } = (await left.post('/api/profile/totp')).body.data as { secret: string };
    await earlier(user_id);
    const { options } = (await home.post('/api/profile/passkeys/options')).body.data;
    const credential = softPasskey(APP_URL).create(options);
    expect((await home.post('/api/profile/passkeys', { name: 'Key', credential })).status).toBe(201);
    const { status, body } = await left.post('/api/profile/totp/confirm', { code: codeOf(secret) });
    expect([status, body.step_up]).toEqual([403, ['passkey']]);
  });
});

test('a sign-in that was begun before ends in a session of today’s demands', async () => {
  const plain = await addProvider({ domains: ['plain.example'] });
  op.people.set('plain', { email: 'plain@plain.example', email_verified: true });
  const { user_id } = await make.employee({ entity_id: acme.id, email: 'plain@plain.example', roles: ['HR'] });
  const [home, left] = [(await come('plain', plain)).browser, await as()];
  const query = await goThere(left, plain);
  await earlier(user_id);
  await enrol(home);
  const { body } = await left.post(`/api/sso/${plain}/complete`, { query });
  expect(body.two_factor).toBe(true);
  expect((await left.get('/api/me')).status).toBe(401);
});

test('another factor leaves proofs by the first one as they are', async () => {
  const { left, home } = await twice();
  const { secret } = await enrol(home);
  await clearLastStep(owner);
  expect((await left.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
  const { options } = (await home.post('/api/profile/passkeys/options')).body.data;
  const credential = softPasskey(APP_URL).create(options);
  expect((await home.post('/api/profile/passkeys', { name: 'Key', credential })).status).toBe(201);
  expect(await asked(left)).toBeUndefined();
});
