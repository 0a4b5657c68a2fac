import { describe, expect, test } from 'vitest';
import { sealFlow } from '../crypto/flow-cookie.ts';
import type { Client } from '../testing/client.ts';
import { bearing } from '../testing/programs.ts';
import { openIdProvider, signed } from '../testing/openid-provider.ts';
import type { Signing } from '../testing/openid-provider.ts';
import { startSso } from '../testing/single-sign-on.ts';

/** Vulnerabilities of single sign-on, each tested with a real provider whose responses are manipulated. */

const { op, app, as, make, owner, deps, addProvider, goThere, come, logged } = await startSso();
const acme = await make.entity();
const domain = 'acme.example';
const id = await addProvider({ domains: [domain] });
let serial = 0;

async function known(fields: NonNullable<Parameters<typeof make.employee>[0]> = {}) {
  serial += 1;
  const [email, subject] = [`known${serial}@${domain}`, `sub-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  return { subject, email, person: await make.employee({ entity_id: acme.id, email, ...fields }) };
}
const liveSessions = async () =>
  (await owner.query("select from session_register where method = 'sso' and revoked_at is null")).rowCount;
const links = async () => (await owner.query('select from user_identities')).rowCount;
const reasons = () =>
  logged
    .map((line) => JSON.parse(line) as { event: string; reason?: string })
    .flatMap(({ event, reason }) => (event === 'sso_failed' ? [reason] : []));
const complete = async (browser: Client, query: string, provider = id) =>
  (await browser.post(`/api/sso/${provider}/complete`, { query })).status;

/** Runs a flow that must start no session and link no account. */
async function changesNothing<T>(work: () => Promise<T>): Promise<T> {
  const before = [await liveSessions(), await links()];
  const result = await work();
  expect([await liveSessions(), await links()]).toEqual(before);
  return result;
}

describe('N1: a state belongs to the browser that began', () => {
  test('an answer in another browser, with or without a flow of its own, begins nothing', async () => {
    const { subject } = await known();
    op.person = subject;
    const attacker = await as();
    const query = await goThere(attacker, id);
    await changesNothing(async () => {
      expect(await complete(await as(), query)).toBe(422);
      const victim = await as();
      await victim.post(`/api/sso/${id}/start`, {});
      const answer = await victim.post(`/api/sso/${id}/complete`, { query });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'This sign-in was started again elsewhere. Please try once more.',
      ]);
    });
    expect(await complete(attacker, query)).toBe(200);
  });

  test('a flow of another provider, another key or too old is none', async () => {
    const { subject } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id);
    const flow = browser.cookies.get('tenure_flow') ?? '';
    const other = await addProvider({ name: 'Another' });
    await changesNothing(async () => {
      expect(await complete(browser, query, other)).toBe(422);
      for (const wrong of ['', 'x', flow.slice(0, -2), `1.${'0'.repeat(12)}.${flow.split('.')[2]}`]) {
        browser.cookies.set('tenure_flow', wrong);
        expect(await complete(browser, query)).toBe(422);
      }
      // the same key seals the session cookie for another purpose
      const { content } = { content: (await as((await known()).person.user_id)).cookies.get('tenure_session') ?? '' };
      browser.cookies.set('tenure_flow', content);
      expect(await complete(browser, query)).toBe(422);
      const place = {
        kind: 'sso',
        scope: { cookieName: 'tenure_flow', host: new URL(deps.config.APP_URL).host },
      } as const;
      const begun = deps.sessionCookies.flowOf({ flows: [flow] }, 'sso');
      browser.cookies.set('tenure_flow', sealFlow(deps.ring, place, begun, Date.now() / 1_000 - 1));
      expect(await complete(browser, query)).toBe(422);
    });
    browser.cookies.set('tenure_flow', flow);
    expect(await complete(browser, query)).toBe(200);
  });

  test('twenty uses of one answer at once begin one session', async () => {
    const { subject, person } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id);
    const flow = browser.cookies.get('tenure_flow') ?? '';
    const same = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const window = await as();
        window.cookies.set('tenure_flow', flow);
        return window;
      }),
    );
    const statuses = await Promise.all(same.map((window) => complete(window, query)));
    expect(statuses.toSorted((a, b) => a - b).slice(0, 2)).toEqual([200, 422]);
    const { rowCount } = await owner.query('select from session_register where user_id = $1', [person.user_id]);
    expect(rowCount).toBe(1);
  });

  test('nothing signs in by a GET, without a token of the page, or from elsewhere', async () => {
    const { subject } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id);
    await changesNothing(async () => {
      expect((await browser.get(`/api/sso/${id}/complete${query}`)).status).toBe(405);
      const url = `/api/sso/${id}/complete`;
      const body = { query };
      expect((await browser.send('POST', url, { body, headers: { 'x-xsrf-token': 'x' } })).status).toBe(419);
      expect((await browser.send('POST', url, { body, headers: { referer: 'https://evil.example/' } })).status).toBe(
        419,
      );
    });
  });
});

describe('N2: an address is no identity', () => {
  test.each([
    ['not verified', { email_verified: false }],
    ['without a word on it', { email_verified: undefined }],
    ['verified as text', { email_verified: 'true' }],
    ['verified as number', { email_verified: 1 }],
    ['as a list', { email: ['x'] }],
  ])('an address %s finds no account', async (_what, claims) => {
    const { email } = await known();
    op.people.set('attacker', { email, email_verified: true, ...claims });
    expect((await changesNothing(() => come('attacker', id))).status).toBe(422);
  });

  test('nor does one of another domain, one that looks alike, or one of an account that is linked', async () => {
    const [linked, { email, subject }] = [await known(), await known()];
    expect((await come(linked.subject, id)).status).toBe(200);
    const foreign = await make.employee({ email: 'someone@other.example' });
    // a full-width k, and the Kelvin sign, whose lower case is a k
    const alike = ['\u{ff4b}', '\u{212a}'].map((k) => email.replace('k', k));
    for (const claimed of [linked.email, foreign.email, ...alike, ` ${email}`, `${email}\u{200b}`]) {
      op.people.set('attacker', { email: claimed, email_verified: true });
      expect([claimed, (await changesNothing(() => come('attacker', id))).status]).toEqual([claimed, 422]);
    }
    expect((await come(subject, id)).status).toBe(200);
  });

  test('nor one whose verification comes from another place than the address', async () => {
    const { email } = await known();
    // userinfo says that another address is verified
    op.people.set('attacker', { email: `other@${domain}`, email_verified: true });
    op.bend = ({ claims }) => ({ claims: { ...claims, email, email_verified: undefined } });
    expect((await changesNothing(() => come('attacker', id))).status).toBe(422);
    op.bend = null;
  });

  test('nor does an administrator, an emergency account or a company of others', async () => {
    const admin = await known({ roles: ['Admin'] });
    const glass = await known();
    await owner.query('update users set break_glass = true where id = $1', [glass.person.user_id]);
    const narrow = await addProvider({
      name: 'Narrow',
      domains: ['narrow.example'],
      entity_ids: [(await make.entity()).id],
    });
    const other = await make.employee({ email: 'a@narrow.example' });
    op.people.set('narrow', { email: other.email, email_verified: true });
    await changesNothing(async () => {
      for (const { subject } of [admin, glass]) expect((await come(subject, id)).status).toBe(422);
      expect((await come('narrow', narrow)).status).toBe(422);
    });
  });

  test('another provider does not know the subjects of the first', async () => {
    const { subject } = await known();
    const second = await addProvider({ name: 'Second', match_rule: 'linked_only' });
    expect((await come(subject, id)).status).toBe(200);
    expect((await changesNothing(() => come(subject, second))).status).toBe(422);
  });
});

describe('N3: an answer comes from the provider that was asked', () => {
  test('that of one provider at the address of another, or with a wrong iss, is refused before the code leaves', async () => {
    const otherOp = await openIdProvider();
    const other = await addProvider({ name: 'Mixed up' });
    const { subject } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id);
    const tokens = () => op.asked.filter((path) => path === '/token').length;
    const before = tokens();
    await changesNothing(async () => {
      expect(await complete(browser, query, other)).toBe(422);
      const wrong = new URLSearchParams(query);
      for (const iss of [otherOp.issuer, `${op.issuer}/`, '']) {
        const attempt = await as();
        const own = new URLSearchParams(await goThere(attempt, id));
        own.set('iss', iss);
        expect(await complete(attempt, own.toString())).toBe(422);
      }
      wrong.append('iss', otherOp.issuer);
      expect(await complete(browser, wrong.toString())).toBe(422);
    });
    expect(tokens()).toBe(before);
  });
});

describe('N4: a token is signed by the provider, for this service, now', () => {
  const now = Math.floor(Date.now() / 1_000);
  const bends: [string, (plain: Signing) => Partial<Signing>][] = [
    ['not signed', ({ header }) => ({ header: { ...header, alg: 'none' }, key: null })],
    ['with HMAC by the public key', ({ header }) => ({ header: { ...header, alg: 'HS256' }, key: op.publicPem() })],
    [
      'with HMAC by the secret',
      ({ header }) => ({ header: { ...header, alg: 'HS256' }, key: 'a-secret-of-the-provider' }),
    ],
    ['by another key under the name of its own', () => ({ key: op.foreignKey.privateKey })],
    ['by an unknown key', ({ header }) => ({ header: { ...header, kid: 'unknown' }, key: op.foreignKey.privateKey })],
    [
      'by a key that it brings along',
      ({ header }) => ({
        header: {
          ...header,
          kid: 'mine',
          jku: 'https://evil.example/jwks',
          jwk: op.foreignKey.publicKey.export({ format: 'jwk' }),
        },
        key: op.foreignKey.privateKey,
      }),
    ],
    ['for another service', ({ claims }) => ({ claims: { ...claims, aud: 'other' } })],
    ['for several without saying which', ({ claims }) => ({ claims: { ...claims, aud: ['tenure', 'other'] } })],
    ['for another party', ({ claims }) => ({ claims: { ...claims, azp: 'other' } })],
    ['with another nonce', ({ claims }) => ({ claims: { ...claims, nonce: 'x' } })],
    ['without a nonce', ({ claims }) => ({ claims: { ...claims, nonce: undefined } })],
    ['of another issuer', ({ claims }) => ({ claims: { ...claims, iss: `${op.issuer}/` } })],
    ['that ended', ({ claims }) => ({ claims: { ...claims, exp: now - 120 } })],
    ['of a time to come', ({ claims }) => ({ claims: { ...claims, iat: now + 300 } })],
    ['that is not valid yet', ({ claims }) => ({ claims: { ...claims, nbf: now + 300 } })],
    ['for another access token', ({ claims }) => ({ claims: { ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } })],
    ['without a subject', ({ claims }) => ({ claims: { ...claims, sub: undefined } })],
    ['with a number as subject', ({ claims }) => ({ claims: { ...claims, sub: 1 } })],
  ];
  test.each(bends)('one %s is refused', async (_what, bend) => {
    const { subject } = await known();
    op.bend = bend;
    expect((await changesNothing(() => come(subject, id))).status).toBe(422);
    op.bend = null;
    expect((await come(subject, id)).status).toBe(200);
  });

  test('a clock that differs by less than a minute is no reason', async () => {
    const { subject } = await known();
    op.bend = ({ claims }) => ({ claims: { ...claims, exp: Math.floor(Date.now() / 1_000) - 40 } });
    expect((await come(subject, id)).status).toBe(200);
    op.bend = null;
  });

  test('tokens by unknown keys make it ask for keys once in thirty seconds', async () => {
    const { subject } = await known();
    const fetched = () => op.asked.filter((path) => path === '/jwks').length;
    const before = fetched();
    op.bend = ({ header }) => ({ header: { ...header, kid: 'unknown' }, key: op.foreignKey.privateKey });
    for (let count = 0; count < 5; count += 1) expect((await come(subject, id)).status).toBe(422);
    op.bend = null;
    expect(fetched() - before).toBeLessThanOrEqual(1);
  });

  test('the answer says nothing of the reason, the log does', async () => {
    const { subject } = await known();
    op.bend = ({ claims }) => ({ claims: { ...claims, nonce: 'x' } });
    const { body } = await come(subject, id);
    op.bend = null;
    const message = 'The sign-in with Provider 1 did not work. Please try once more.';
    expect(body).toEqual({ message, errors: { sso: [message] } });
    expect(reasons().at(-1)).toBe('OAUTH_JWT_CLAIM_COMPARISON_FAILED');
  });

  test('the log takes the reason of a provider as far as it is a code', async () => {
    const { subject } = await known();
    op.person = subject;
    const refused = async (error: string) => {
      const browser = await as();
      const answer = new URLSearchParams(await goThere(browser, id));
      answer.delete('code');
      answer.set('error', error);
      expect(await complete(browser, answer.toString())).toBe(422);
      return reasons().at(-1);
    };
    expect(await refused('access_denied')).toBe('access_denied');
    expect(await refused(`Canary ${'x'.repeat(1_000)}`)).toBe('OAUTH_AUTHORIZATION_RESPONSE_ERROR');
  });

  test('tokens and secrets are in no line of the log', () => {
    expect(signed({ claims: {}, header: {}, key: null })).toBe('e30.e30.');
    const all = logged.join('\n');
    expect(all).not.toMatch(/eyJ[\w-]{10,}\.|a-secret-of-the-provider|code=/);
  });
});

test('a link that another person made ends with more rights of the account once they are gone', async () => {
  const { subject, person } = await known();
  const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  expect((await come(subject, id)).status).toBe(200);
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [hr.id]);
  expect((await come(subject, id)).status).toBe(200);
  const admin = await as((await make.admin()).user_id);
  const { rows } = await owner.query("select id from roles where name = 'HR'");
  const assignments = [{ role_id: Number(rows[0].id) }];
  expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments })).status).toBe(200);
  expect((await owner.query('select from user_identities where user_id = $1', [person.user_id])).rowCount).toBe(0);
});

test('an account that decides about the person who set its address is not found by it', async () => {
  const { subject, person } = await known();
  const hr = await make.employee({ entity_id: acme.id, roles: ['HR'], reporting_manager_id: person.id });
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  expect((await changesNothing(() => come(subject, id))).status).toBe(422);
  await owner.query('update employees set reporting_manager_id = null where id = $1', [hr.id]);
  expect((await come(subject, id)).status).toBe(200);
});

test('a link of HR opens no account for the first time that decides about HR by then; one that was used stays', async () => {
  const [{ subject, person }, used] = [await known(), await known()];
  const hr = await make.employee({ entity_id: acme.id, roles: ['HR'] });
  for (const one of [{ subject, person }, used])
    await owner.query(
      `insert into user_identities (user_id, provider_id, subject, linked_by, linked_by_id) values ($1, $2, $3, 'hr', $4)`,
      [one.person.user_id, id, one.subject, hr.user_id],
    );
  expect((await come(used.subject, id)).status).toBe(200);
  await owner.query('update employees set reporting_manager_id = $2 where id = $1', [hr.id, person.id]);
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  expect((await come(subject, id)).status).toBe(422);
  const { rows } = await owner.query(
    "select reason from audit_log where action = 'identity.unlinked' and subject_id = $1",
    [person.user_id],
  );
  expect(rows).toEqual([{ reason: 'The user who linked it can no longer open the account.' }]);
  await owner.query('update employees set reporting_manager_id = $2 where id = $1', [hr.id, used.person.id]);
  expect((await come(used.subject, id)).status).toBe(200);
});

test('a link that another person made is worth no more than their rights', async () => {
  const { subject, person, email } = await known({ roles: ['Employee'] });
  const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  expect((await come(subject, id)).status).toBe(200);
  expect((await come(subject, id)).status).toBe(200);
  await owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'HR'", [
    person.user_id,
  ]);
  // HR of all companies has more rights than HR of one company
  expect((await come(subject, id)).status).toBe(422);
  // and the rule does not link it again through the address that HR set
  expect((await changesNothing(() => come(subject, id))).status).toBe(422);
  const { rows } = await owner.query(
    "select reason from audit_log where action = 'identity.unlinked' and subject_label = $1",
    [(await owner.query('select name from employees where email = $1', [email])).rows[0].name],
  );
  expect(rows).toEqual([{ reason: 'The account can do more than the person who linked it.' }]);
});

test('a token that was made in a session of such a link ends with it', async () => {
  const roles = [{ role: 'HR' as const, entity_ids: [acme.id] }];
  const { subject, person } = await known({ roles });
  const hr = await make.employee({ entity_id: acme.id, roles });
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  const { browser } = await come(subject, id);
  const made = await browser.post('/api/profile/tokens', { name: 'Mine', permissions: ['departments.view'] });
  expect(made.status).toBe(201);
  const program = bearing({ app }, made.body.token as string);
  expect((await program.get('/api/departments')).status).toBe(200);
  await owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'", [
    person.user_id,
  ]);
  expect((await come(subject, id)).status).toBe(422);
  expect((await program.get('/api/departments')).status).toBe(401);
});
