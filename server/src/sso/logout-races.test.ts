import { describe, expect, test } from 'vitest';
import { codeOf, enrol, clearLastStep } from '../testing/factors.ts';
import { signed } from '../testing/openid-provider.ts';
import { startSso } from '../testing/single-sign-on.ts';
import { waitingLocks } from '../testing/waiting-locks.ts';

/** A provider signs a person out while they sign in. */

const { op, app, as, make, owner, addProvider, goThere, come } = await startSso();
const acme = await make.entity();
const domain = 'acme.example';
const id = await addProvider({ domains: [domain] });
let serial = 0;

/** A person at the provider, whose session there has an id. */
async function known() {
  serial += 1;
  const [email, subject, sid] = [`known${serial}@${domain}`, `sub-${serial}`, `sid-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  op.bend = ({ claims }) => ({ claims: { ...claims, sid } });
  return { subject, sid, person: await make.employee({ entity_id: acme.id, email }) };
}
/** The provider reports that a session or a subject was signed out. */
async function signOut(who: { sid: string } | { sub: string }) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: op.issuer,
    aud: 'tenure',
    iat: now,
    exp: now + 120,
    jti: `jti-${(serial += 1)}`,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...who,
  };
  const header = { alg: 'RS256', kid: op.key.kid, typ: 'logout+jwt' };
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `/sso/${id}/backchannel-logout`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: signed({ claims, header, key: op.key.privateKey }) }).toString(),
  });
  return statusCode;
}
const waiting = async () => (await waitingLocks(owner)).length;
/** Starts work while the account is locked: a sign-in stops after checking whether it can continue. */
async function whileHeld<T>(userId: number, work: () => Promise<T>): Promise<T> {
  const connection = await owner.connect();
  try {
    await connection.query('begin');
    await connection.query('select from users where id = $1 for no key update', [userId]);
    const begun = await work();
    await connection.query('commit');
    return begun;
  } finally {
    connection.release();
  }
}
const sessionsOf = async (userId: number) =>
  (await owner.query('select from session_register where user_id = $1 and revoked_at is null', [userId])).rowCount;
const kinds = ['sid', 'sub'] as const;
const named = (kind: (typeof kinds)[number], { sid, subject }: Awaited<ReturnType<typeof known>>) =>
  kind === 'sid' ? { sid } : { sub: subject };

describe.each(kinds)('a logout by %s', (kind) => {
  test('that comes before the answer of the provider ends the sign-in, and the next one works', async () => {
    const someone = await known();
    expect((await come(someone.subject, id)).status).toBe(200);
    op.person = someone.subject;
    const browser = await as();
    const query = await goThere(browser, id);
    expect(await signOut(named(kind, someone))).toBe(200);
    const { status, body } = await browser.post(`/api/sso/${id}/complete`, { query });
    expect([status, body.errors]).toEqual([
      422,
      { sso: ['The sign-in with Provider 1 did not work. Please try once more.'] },
    ]);
    expect([(await browser.get('/api/me')).status, await sessionsOf(someone.person.user_id)]).toEqual([401, 0]);
    // the session there may continue, because some providers end only that of a single application
    const again = await come(someone.subject, id);
    expect((await again.browser.get('/api/me')).status).toBe(200);
  });

  test('that comes before the first answer ends the sign-in of a person who is not linked', async () => {
    const someone = await known();
    op.person = someone.subject;
    const browser = await as();
    const query = await goThere(browser, id);
    expect(await signOut(named(kind, someone))).toBe(200);
    expect((await browser.post(`/api/sso/${id}/complete`, { query })).status).toBe(422);
    expect([(await browser.get('/api/me')).status, await sessionsOf(someone.person.user_id)]).toEqual([401, 0]);
    const again = await come(someone.subject, id);
    expect((await again.browser.get('/api/me')).status).toBe(200);
  });

  test('that comes while the session begins waits for it, and ends it', async () => {
    const someone = await known();
    expect((await come(someone.subject, id)).status).toBe(200);
    op.person = someone.subject;
    const browser = await as();
    const query = await goThere(browser, id);
    const { entering, leaving } = await whileHeld(someone.person.user_id, async () => {
      const begun = { entering: browser.post(`/api/sso/${id}/complete`, { query }) };
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      const ending = { leaving: signOut(named(kind, someone)) };
      await expect.poll(waiting, { interval: 10 }).toBe(2);
      return { ...begun, ...ending };
    });
    expect([(await entering).status, await leaving]).toEqual([200, 200]);
    expect([(await browser.get('/api/me')).status, await sessionsOf(someone.person.user_id)]).toEqual([401, 0]);
  });

  test('that comes while a second step begins the session waits for it, and ends it', async () => {
    const someone = await known();
    const { user_id } = someone.person;
    const { secret } = await enrol(await as(user_id));
    await owner.query('update session_register set revoked_at = now() where user_id = $1', [user_id]);
    await clearLastStep(owner);
    const { browser, body } = await come(someone.subject, id);
    expect(body.two_factor).toBe(true);
    const { entering, leaving } = await whileHeld(user_id, async () => {
      const begun = { entering: browser.post('/two-factor-challenge', { code: codeOf(secret) }) };
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      const ending = { leaving: signOut(named(kind, someone)) };
      await expect.poll(waiting, { interval: 10 }).toBe(2);
      return { ...begun, ...ending };
    });
    expect([(await entering).status, await leaving]).toEqual([200, 200]);
    expect([(await browser.get('/api/me')).status, await sessionsOf(user_id)]).toEqual([401, 0]);
  });

  test('that comes before the answer ends a second step too', async () => {
    const someone = await known();
    const { secret } = await enrol(await as(someone.person.user_id));
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, $3, 'hr')",
      [someone.person.user_id, id, someone.subject],
    );
    await clearLastStep(owner);
    op.person = someone.subject;
    const browser = await as();
    const query = await goThere(browser, id);
    expect(await signOut(named(kind, someone))).toBe(200);
    await browser.post(`/api/sso/${id}/complete`, { query });
    expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(422);
  });
});
