import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { startSso } from '../../testing/single-sign-on.ts';

/** People who came from a provider and have no factor in this service confirm their identity at the provider. */

const { op, as, admin, make, owner, addProvider, come, logged } = await startSso({ STEP_UP_MINUTES: '10' });
const acme = await make.entity();
const id = await addProvider({ domains: ['acme.example'] });
let serial = 0;

beforeEach(() => {
  op.bend = null;
  logged.length = 0;
});

const age = (userId: number) =>
  owner.query("update session_register set proved_at = now() - interval '1 hour' where user_id = $1", [userId]);

/** A person whose session came from the provider an hour ago. */
async function arrived(provider = id) {
  serial += 1;
  const email = `here${serial}@acme.example`;
  const subject = `step-${serial}`;
  op.people.set(subject, { email, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email, roles: ['HR'], password: 'Str0ng!Passw0rd' });
  const { status, browser } = await come(subject, provider);
  expect(status).toBe(200);
  await age(person.user_id);
  return { ...person, subject, browser };
}
const isAsked = async (browser: Client) => (await browser.post('/api/profile/recovery-codes')).body.step_up;
const start = async (browser: Client, next?: string) =>
  (await browser.post('/api/profile/step-up/options', next === undefined ? {} : { next })).body.data;
const complete = (browser: Client, query: string) => browser.post(`/api/sso/${id}/complete`, { query });
const reasons = () =>
  logged.flatMap((line) => {
    const { event, reason } = JSON.parse(line) as { event?: string; reason?: string };
    return event === 'sso_failed' ? [reason] : [];
  });

describe('confirming at the provider', () => {
  test('the provider asks the person to sign in anew; the session goes on, and the browser returns to its page', async () => {
    const { browser, subject, user_id } = await arrived();
    expect(await isAsked(browser)).toEqual(['provider']);
    const { proofs, url, options } = await start(browser, '/employees?page=2');
    expect([proofs, options]).toEqual([['provider'], null]);
    const asked = new URL(url as string).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    const before = browser.cookies.get('tenure_session');
    op.person = subject;
    const answer = await complete(browser, await op.visit(url as string));
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Thank you. You can go on.', next: '/employees?page=2' },
    ]);
    expect(browser.cookies.get('tenure_session')).toBe(before);
    expect(await isAsked(browser)).toBeUndefined();
    const { rows } = await owner.query(
      'select count(*)::int as sessions from session_register where user_id = $1 and revoked_at is null',
      [user_id],
    );
    expect(rows).toEqual([{ sessions: 1 }]);
  });

  test('a password is no proof there: another person may know it', async () => {
    const { browser } = await arrived();
    const answer = await browser.post('/api/profile/step-up', { password: 'Str0ng!Passw0rd' });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { password: ['Confirm it with the provider that you signed in with.'] },
    ]);
    expect(await isAsked(browser)).toEqual(['provider']);
    const chosen = 'An0ther!Phrase';
    const sent = { current_password: 'Str0ng!Passw0rd', password: chosen, password_confirmation: chosen };
    expect((await browser.put('/api/profile/password', sent)).status).toBe(200);
    expect(await isAsked(browser)).toEqual(['provider']);
  });

  test('a provider that did not ask anew, or does not say when, proves nothing', async () => {
    const { browser, subject } = await arrived();
    const notAsked =
      'Provider 1 did not ask you to sign in again, so this can’t be confirmed there. Sign out of Provider 1 and of Tenure, then sign in again.';
    for (const [at, message] of [
      [undefined, expect.stringMatching(/^Provider 1 doesn’t tell us when you signed in, .* require a second factor/)],
      [Math.floor(Date.now() / 1_000) - 120, notAsked],
    ]) {
      op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: at } });
      const { url } = await start(browser);
      op.person = subject;
      const answer = await complete(browser, await op.visit(url as string));
      expect([answer.status, answer.body.message]).toEqual([422, message]);
    }
    expect(reasons()).toEqual(['auth_time', 'auth_time']);
    expect(await isAsked(browser)).toEqual(['provider']);
    // no factor of the account is required if the provider vouches for two
    await owner.query("update identity_providers set second_factor = 'always' where id = $1", [id]);
    op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: undefined } });
    const { url } = await start(browser);
    expect((await complete(browser, await op.visit(url as string))).body.message).toMatch(
      /send the time \(auth_time\)\.$/,
    );
    await owner.query("update identity_providers set second_factor = 'never' where id = $1", [id]);
  });

  test('people of a provider that does not say when set up a factor once one is required of them', async () => {
    const { browser, subject, user_id } = await arrived();
    op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: undefined } });
    expect((await browser.post('/api/profile/totp')).body.step_up).toEqual(['provider']);
    const demand = 'update roles set second_factor_from = $1 where id = $2';
    const { rows } = await owner.query("insert into roles (name, scope) values ('Careful', 'own') returning id");
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [user_id, rows[0].id]);
    await owner.query(demand, ['2026-01-01', rows[0].id]);
    // the earlier session proves no more than before
    expect((await browser.post('/api/profile/totp')).body.step_up).toEqual(['provider']);
    const { browser: next } = await come(subject, id);
    expect((await next.get('/api/employees')).body.message).toBe('Second factor required.');
    const { secret } = await enrol(next);
    expect((await next.get('/api/employees')).status).toBe(200);
    await age(user_id);
    expect(await isAsked(next)).toEqual(['totp']);
    await clearLastStep(owner);
    expect((await next.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
    expect(await isAsked(next)).toBeUndefined();
  });

  test('a test of a provider shows whether it says when', async () => {
    const confirms = async (auth_time?: number) => {
      if (auth_time === undefined) op.bend = ({ claims }) => ({ claims: { ...claims, auth_time } });
      else op.bend = null;
      const { body } = await admin.post(`/api/identity-providers/${id}/test`);
      expect(Number(new URL(body.data.url as string).searchParams.get('max_age'))).toBe(315_360_000);
      expect((await complete(admin, await op.visit(body.data.url as string))).status).toBe(200);
      return (await admin.get(`/api/identity-providers/${id}/test-result`)).body.data.confirms;
    };
    const { subject } = await arrived();
    op.person = subject;
    expect([await confirms(), await confirms(1)]).toEqual([false, true]);
  });

  test('another person at the provider, another session here, and an answer sent twice prove nothing', async () => {
    const [ada, bob] = [await arrived(), await arrived()];
    const first = await start(ada.browser);
    op.person = bob.subject;
    const other = await complete(ada.browser, await op.visit(first.url as string));
    expect([other.status, other.body.message]).toEqual([
      422,
      'You signed in there with another account. Please try again with your own.',
    ]);
    const second = await start(ada.browser);
    op.person = ada.subject;
    const query = await op.visit(second.url as string);
    // the flow of one browser in another person's session
    const flow = ada.browser.cookies.get('tenure_flow') as string;
    bob.browser.cookies.set('tenure_flow', flow);
    expect((await complete(bob.browser, query)).status).toBe(422);
    expect((await complete(ada.browser, query)).status).toBe(422);
    expect(reasons()).toEqual(['other_person', 'other_session', 'state_used']);
    for (const { browser } of [ada, bob]) expect(await isAsked(browser)).toEqual(['provider']);
  });

  test('an answer that began as a sign-in confirms nothing of the session before, but begins a new one', async () => {
    const { browser, subject } = await arrived();
    const { status } = await come(subject, id, browser);
    expect(status).toBe(200);
    expect(await isAsked(browser)).toBeUndefined();
    // and the other way round: a proof does not sign anyone in
    const guest = await as();
    const { browser: other, subject: who } = await arrived();
    const { url } = await start(other);
    op.person = who;
    const query = await op.visit(url as string);
    guest.cookies.set('tenure_flow', other.cookies.get('tenure_flow') as string);
    expect((await complete(guest, query)).status).toBe(422);
    expect((await guest.get('/api/me')).status).toBe(401);
  });

  test('a sign-in is as old a proof as the provider says, and none where it does not say', async () => {
    const { browser, subject } = await arrived();
    const now = Math.floor(Date.now() / 1_000);
    for (const at of [now - 3_600, undefined, 0, now + 3_600]) {
      op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: at } });
      expect((await come(subject, id, browser)).status).toBe(200);
      expect([at, await isAsked(browser)]).toEqual([at, ['provider']]);
    }
    // a clock that is ahead does not make a proof last longer
    op.bend = ({ claims }) => ({ claims: { ...claims, auth_time: now + 50 } });
    expect((await come(subject, id, browser)).status).toBe(200);
    expect(await isAsked(browser)).toBeUndefined();
    const { rows } = await owner.query('select max(proved_at) <= now() as is_past from session_register');
    expect(rows).toEqual([{ is_past: true }]);
    // providers must return it if asked for the age of a sign-in; no age is too old
    const { body } = await browser.post(`/api/sso/${id}/start`, {});
    const asked = new URL(body.data.url as string).searchParams;
    expect([asked.get('prompt'), Number(asked.get('max_age'))]).toEqual([null, 315_360_000]);
  });

  test('a person with a factor here confirms with it, also in a session of a provider', async () => {
    const trusted = await addProvider({ domains: ['other.example'], second_factor: 'always' });
    const email = 'factor@other.example';
    op.people.set('factor', { email, email_verified: true });
    const person = await make.employee({ entity_id: acme.id, email });
    await owner.query(
      "insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'Phone', now())",
      [person.user_id],
    );
    const { browser } = await come('factor', trusted);
    await age(person.user_id);
    expect(await isAsked(browser)).toEqual(['totp']);
    expect((await start(browser)).url).toBeNull();
  });

  test('the page to return to is one of the application', async () => {
    const { browser } = await arrived();
    for (const next of ['https://evil.example', '//evil.example', 'employees'])
      expect((await browser.post('/api/profile/step-up/options', { next })).status).toBe(422);
    expect((await admin.post('/api/profile/step-up/options')).body.data.proofs).toEqual(['password']);
  });
});
