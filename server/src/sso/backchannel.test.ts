import { describe, expect, test } from 'vitest';
import { codeOf, enrol, clearLastStep } from '../testing/factors.ts';
import { untilMinuteHas } from '../testing/minute.ts';
import { signed } from '../testing/openid-provider.ts';
import type { Signing } from '../testing/openid-provider.ts';
import { startSso } from '../testing/single-sign-on.ts';

/** Logout tokens that are replayed, confused with others, or sent in large numbers. */

const { op, app, as, make, owner, logged, addProvider, come, deps } = await startSso();
const acme = await make.entity();
const domain = 'acme.example';
const id = await addProvider({ domains: [domain] });
const logoutEvent = { 'http://schemas.openid.net/event/backchannel-logout': {} };
let serial = 0;

/** A person with two sessions from the provider. */
async function signedIn() {
  serial += 1;
  const [email, subject] = [`known${serial}@${domain}`, `sub-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email });
  const sids = [`sid-${serial}-a`, `sid-${serial}-b`];
  const browsers = [];
  for (const sid of sids) {
    op.bend = ({ claims }) => ({ claims: { ...claims, sid } });
    browsers.push((await come(subject, id)).browser);
  }
  op.bend = null;
  return { subject, person, sids, browsers };
}
const claimsOf = (fields: Record<string, unknown>) => ({
  iss: op.issuer,
  aud: 'tenure',
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 120,
  jti: `jti-${(serial += 1)}`,
  events: logoutEvent,
  ...fields,
});
const tokenOf = (claims: Record<string, unknown>, changes: Partial<Signing> = {}) =>
  signed({ claims, header: { alg: 'RS256', kid: op.key.kid, typ: 'logout+jwt' }, key: op.key.privateKey, ...changes });
const send = async (token: string, provider = id, remoteAddress = '127.0.0.1') => {
  const answer = await app.inject({
    method: 'POST',
    remoteAddress,
    url: `/sso/${provider}/backchannel-logout`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  });
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
};
const alive = async (browsers: Awaited<ReturnType<typeof signedIn>>['browsers']) =>
  Promise.all(browsers.map(async (browser) => (await browser.get('/api/me')).status));

describe('a logout token of the provider', () => {
  test('ends the session it names, at once and on no other browser', async () => {
    const { sids, browsers } = await signedIn();
    expect(await alive(browsers)).toEqual([200, 200]);
    const { status, body, headers } = await send(tokenOf(claimsOf({ sid: sids[0] })));
    expect([status, body, headers['cache-control'], headers['set-cookie']]).toEqual([200, '', 'no-store', undefined]);
    expect(await alive(browsers)).toEqual([401, 200]);
  });

  test('ends all sessions of a subject that came from the provider, and no others', async () => {
    const { subject, browsers, person } = await signedIn();
    const own = await as(person.user_id);
    expect((await send(tokenOf(claimsOf({ sub: subject })))).status).toBe(200);
    expect(await alive([...browsers, own])).toEqual([401, 401, 200]);
  });

  test('says nothing of whether a session lived', async () => {
    const { status, body } = await send(tokenOf(claimsOf({ sub: 'unknown' })));
    expect([status, body]).toEqual([200, '']);
  });

  test('without a type is one, and may have no end', async () => {
    const { sids, browsers } = await signedIn();
    const header = { alg: 'RS256', kid: op.key.kid };
    expect((await send(tokenOf(claimsOf({ sid: sids[1], exp: undefined }), { header }))).status).toBe(200);
    expect(await alive(browsers)).toEqual([200, 401]);
  });
});

describe('a sign-in that waits for a second step', () => {
  /** Two browsers of a person with an app, waiting for its code. */
  async function waiting() {
    const { subject, person, browsers } = await signedIn();
    const { secret } = await enrol(await as(person.user_id));
    await clearLastStep(owner);
    const sids = [`sid-${serial}-c`, `sid-${serial}-d`];
    const steps: Awaited<ReturnType<typeof as>>[] = [];
    for (const sid of sids) {
      op.bend = ({ claims }) => ({ claims: { ...claims, sid } });
      steps.push((await come(subject, id)).browser);
    }
    op.bend = null;
    const goOn = async (index: number) => {
      await clearLastStep(owner);
      return (await steps[index]?.post('/two-factor-challenge', { code: codeOf(secret) }))?.status;
    };
    return { subject, sids, browsers, goOn, person };
  }

  test('ends with the session that a logout names, and no other does', async () => {
    const { sids, goOn } = await waiting();
    expect((await send(tokenOf(claimsOf({ sid: sids[0] })))).status).toBe(200);
    expect([await goOn(0), await goOn(1)]).toEqual([422, 200]);
  });

  test('ends with a logout of its subject; the person can sign in again at once', async () => {
    const { subject, goOn, person } = await waiting();
    expect((await send(tokenOf(claimsOf({ sub: subject })))).status).toBe(200);
    expect([await goOn(0), await goOn(1)]).toEqual([422, 422]);
    await owner.query('delete from authenticators where user_id = $1', [person.user_id]);
    expect(await alive([(await come(subject, id)).browser])).toEqual([200]);
  });

  test('does not end with a logout of another subject, or at another provider', async () => {
    const { subject, goOn } = await waiting();
    const other = await addProvider({ name: `Other ${serial}` });
    expect((await send(tokenOf(claimsOf({ sub: 'unknown' })))).status).toBe(200);
    expect((await send(tokenOf(claimsOf({ sub: subject })), other)).status).toBe(200);
    expect(await goOn(0)).toBe(200);
  });
});

describe('N5: what is no logout token changes nothing', async () => {
  const { subject, sids, browsers } = await signedIn();
  const now = Math.floor(Date.now() / 1_000);
  const base = { sub: subject, sid: sids[0] };
  const wrong: [string, () => string][] = [
    ['of another key', () => tokenOf(claimsOf(base), { key: op.foreignKey.privateKey })],
    ['not signed', () => tokenOf(claimsOf(base), { header: { alg: 'none' }, key: null })],
    ['by HMAC', () => tokenOf(claimsOf(base), { header: { alg: 'HS256', kid: op.key.kid }, key: op.publicPem() })],
    ['for another service', () => tokenOf(claimsOf({ ...base, aud: 'other' }))],
    ['of another issuer', () => tokenOf(claimsOf({ ...base, iss: 'https://op.test' }))],
    ['too old', () => tokenOf(claimsOf({ ...base, iat: now - 400, exp: now + 100 }))],
    ['that ended', () => tokenOf(claimsOf({ ...base, iat: now - 200, exp: now - 100 }))],
    ['of a time to come', () => tokenOf(claimsOf({ ...base, iat: now + 400 }))],
    ['with a nonce', () => tokenOf(claimsOf({ ...base, nonce: 'n' }))],
    ['without events', () => tokenOf(claimsOf({ ...base, events: undefined }))],
    ['with another event', () => tokenOf(claimsOf({ ...base, events: { other: {} } }))],
    [
      'with an event that is no object',
      () => tokenOf(claimsOf({ ...base, events: { ...logoutEvent, [Object.keys(logoutEvent)[0] ?? '']: 'x' } })),
    ],
    ['about no one', () => tokenOf(claimsOf({}))],
    ['without an id', () => tokenOf(claimsOf({ ...base, jti: undefined }))],
    ['of another type', () => tokenOf(claimsOf(base), { header: { alg: 'RS256', kid: op.key.kid, typ: 'at+jwt' } })],
    ['of nothing', () => ''],
    ['of anything', () => 'a.b.c'],
  ];
  test.each(wrong)('one %s', async (_what, token) => {
    const { status, body } = await send(token());
    expect([status, JSON.parse(body)]).toEqual([400, { error: 'invalid_request' }]);
    expect(await alive(browsers)).toEqual([200, 200]);
  });

  test('an ID token', async () => {
    let stolen = '';
    op.bend = (plain) => {
      stolen = signed(plain);
      return {};
    };
    await come(subject, id);
    op.bend = null;
    expect((await send(stolen)).status).toBe(400);
    expect(await alive(browsers)).toEqual([200, 200]);
  });

  test('one for another provider, one that is off, or none', async () => {
    const off = await addProvider({ name: 'Off' });
    const token = tokenOf(claimsOf(base));
    await deps.db.updateTable('identity_providers').set({ is_enabled: false }).where('id', '=', off).execute();
    for (const provider of [off, 987_654]) expect((await send(token, provider)).status).toBe(400);
    expect(await alive(browsers)).toEqual([200, 200]);
  });
});

test('N5: a token is good once, also in twenty requests at a time', async () => {
  const { subject, browsers } = await signedIn();
  const token = tokenOf(claimsOf({ sub: subject }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await alive(browsers)).toEqual([401, 401]);
  const again = (await come(subject, id)).browser;
  expect((await send(token)).status).toBe(400);
  expect((await again.get('/api/me')).status).toBe(200);
});

test('N5: a stream of wrong ones is limited, and keeps no one else waiting', async () => {
  const { browsers, sids } = await signedIn();
  const other = await addProvider({ name: 'Flooded' });
  await untilMinuteHas(20);
  const statuses: number[] = [];
  // one provider and then another: an id costs a stranger nothing
  const stranger = async () => (await send('a.b.c', statuses.length % 2 === 0 ? id : other, '203.0.113.9')).status;
  while (statuses.at(-1) !== 429 && statuses.length < 1_300) statuses.push(await stranger());
  expect(statuses.length).toBeGreaterThan(600);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([400, 429]);
  expect(await alive(browsers)).toEqual([200, 200]);
  // the provider, from another address, can still sign people out
  expect((await send(tokenOf(claimsOf({ sid: sids[0] })), id, '198.51.100.7')).status).toBe(200);
  expect(await alive(browsers)).toEqual([401, 200]);
  expect(logged.join('\n')).not.toMatch(/eyJ[\w-]{10,}\./);
});
