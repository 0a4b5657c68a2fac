import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { deleteSamlRequests } from '../../jobs/housekeeping.ts';
import { rsaCertificate } from '../../testing/certificates.ts';
import { untilMinuteHas } from '../../testing/minute.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';
import { readRequest } from '../../testing/saml-provider.ts';
import type { Bends } from '../../testing/saml-provider.ts';
import { badSignaturesPerMinute } from './acs.ts';

const sso = await startSaml();
const { as, admin, make, owner, app, deps, idp, addProvider, begin, deliver, end, come, reasons, logged } = sso;
const acme = await make.entity();
const domain = 'acme.example';

test('the library is not loaded with the service, but with the first request to a provider of SAML', () => {
  const script = `
    import { createRequire } from 'node:module';
    const { cache } = createRequire(process.cwd() + '/x.js');
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('/@node-saml/'));
    await import('./server/src/app.ts');
    const before = isLoaded();
    const { verifierFor } = await import('./server/src/sso/saml/library.ts');
    const between = isLoaded();
    await verifierFor({ APP_URL: 'https://x' }, { id: 1, sso_url: 'https://y', certificates: ['AAAA'] }, { requestId: '_' });
    console.log(JSON.stringify([before, between, isLoaded()]));
    process.exit();`;
  const said = execFileSync('npx', ['node', '--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual([false, false, true]);
});

const groups = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
const id = await addProvider({
  domains: [domain],
  entity_ids: [acme.id],
  match_rule: 'tenant_address',
  address_attribute: 'mail',
  groups_claim: groups,
  second_factor: 'values',
  second_factor_values: ['urn:mfa'],
});
const { name } = (await admin.get(`/api/identity-providers/${id}`)).body.data as { name: string };
let serial = 0;
type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
async function known(fields: Fields = {}) {
  serial += 1;
  const email = `known${serial}@${domain}`;
  return { subject: `sub-${serial}`, email, person: await make.employee({ entity_id: acme.id, email, ...fields }) };
}
const saying = (email: string, more: Record<string, string[]> = {}, say: Bends['say'] = {}): { bends: Bends } => ({
  bends: { say: { attributes: { mail: [email], [groups]: [], ...more }, ...say } },
});
const sessionsOf = async (userId: number) =>
  (
    await owner.query(
      'select method, factors, provider_id, proved_at from session_register where user_id = $1 and revoked_at is null',
      [userId],
    )
  ).rows;

describe('a sign-in', () => {
  test('asks the provider without a word of its own, and binds the request to the browser', async () => {
    const browser = await as();
    const { body, setCookies } = await browser.post(`/api/sso/${id}/start`, {});
    expect(body.data.url).toMatch(/^https:\/\/idp\.test\/sso\?tenant=1&SAMLRequest=[^&]+$/);
    const asked = await begin(browser, id);
    expect(asked).toMatchObject({
      id: expect.stringMatching(/^_[\w-]{43}$/),
      acs: `http://localhost:8000/sso/${id}/acs`,
      audience: `http://localhost:8000/sso/${id}/metadata`,
    });
    expect(asked.xml).toContain('nameid-format:persistent');
    expect(asked.xml).not.toMatch(/ForceAuthn|RequestedAuthnContext/);
    expect(setCookies.find((line) => line.startsWith('tenure_flow='))).toMatch(/HttpOnly; SameSite=Strict$/);
    const { rows } = await owner.query('select * from saml_requests');
    expect(JSON.stringify(rows)).not.toContain(asked.id);
  });

  test('links the first time by the address, tells the person, and begins a session', async () => {
    const { subject, person, email } = await known();
    const browser = await as();
    const asked = await begin(browser, id, '/employees?page=2');
    const delivered = await deliver(id, idp.answer(asked, subject, saying(email).bends));
    expect([delivered.status, delivered.setCookies, delivered.headers['cache-control']]).toEqual([
      303,
      undefined,
      'no-store',
    ]);
    expect(delivered.location.href).toMatch(
      new RegExp(`^http://localhost:8000/sso/callback/${id}\\?handoff=[\\w-]{43}$`),
    );
    const { status, body } = await end(browser, id, delivered.location);
    expect([status, body]).toEqual([200, { message: 'Logged in successfully.', next: '/employees?page=2' }]);
    expect((await browser.get('/api/me')).body.data.user.id).toBe(person.user_id);
    expect(browser.cookies.has('tenure_flow')).toBe(false);
    expect(await sessionsOf(person.user_id)).toMatchObject([{ method: 'sso', factors: 1, provider_id: String(id) }]);
    const { rows } = await owner.query('select variant from notifications where user_id = $1', [person.user_id]);
    expect(rows).toEqual([{ variant: 'identity_linked' }]);
  });

  test('finds the same account afterwards by the subject, whatever the address is', async () => {
    const [one, other] = [await known(), await known()];
    expect((await come(one.subject, id, saying(one.email))).status).toBe(200);
    const { browser } = await come(one.subject, id, saying(other.email));
    expect((await browser.get('/api/me')).body.data.user.id).toBe(one.person.user_id);
  });

  test('finds no account by an address of another domain, of an administrator, twice, or by a name that looks like one', async () => {
    const elsewhere = await known({ email: 'a@elsewhere.example' });
    const root = await known({ roles: ['Admin'] });
    const twice = await known();
    const said = [
      saying('a@elsewhere.example'),
      saying(root.email),
      { bends: { say: { attributes: { mail: [twice.email, 'b@acme.example'] } } } },
      saying(twice.email.replace('k', 'ｋ')),
    ];
    for (const [index, how] of said.entries()) {
      const { status, body } = await come(`stranger-${index}`, id, how);
      expect([status, body.message]).toEqual([
        422,
        `You are signed in at ${name}, but no account here belongs to you. Please ask your HR department.`,
      ]);
    }
    expect(await sessionsOf(elsewhere.person.user_id)).toEqual([]);
  });

  test('links no one by itself unless it is said', async () => {
    const plain = await addProvider({ domains: ['plain.example'], address_attribute: 'mail' });
    await make.employee({ email: 'a@plain.example' });
    const { status } = await come('plain', plain, {
      bends: { say: { attributes: { mail: ['a@plain.example'], displayName: ['Ann Plain'] } } },
    });
    expect(status).toBe(422);
    const tried = (await admin.get(`/api/identity-providers/${plain}/unmatched`)).body.data;
    expect(tried).toMatchObject([{ subject: 'plain', email: 'a@plain.example', name: 'Ann Plain' }]);
  });

  test('takes the chosen attribute for the subject, and then any name id', async () => {
    const by = await addProvider({ subject_attribute: 'employeeNumber', domains: ['by.example'] });
    const person = await make.employee();
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'E1', 'hr')",
      [person.user_id, by],
    );
    expect((await begin(await as(), by)).xml).not.toContain('nameid-format');
    const say = { attributes: { employeeNumber: ['E1'] }, format: 'x' };
    expect((await come('anything', by, { bends: { say } })).status).toBe(200);
    for (const attributes of [{}, { employeeNumber: ['E1', 'E2'] }, { employeeNumber: [''] }]) {
      expect((await come('E1', by, { bends: { say: { attributes } } })).status).toBe(422);
      expect(reasons().at(-1)).toBe('subject');
    }
  });

  test('counts as two factors by how the person signed in there', async () => {
    const { subject, person, email } = await known();
    await come(subject, id, saying(email, {}, { context: 'urn:mfa' }));
    expect(await sessionsOf(person.user_id)).toMatchObject([{ factors: 2 }]);
  });

  test('confirms no action, however recent the provider says it is: some name the time of their answer', async () => {
    const { subject, person, email } = await known();
    for (const signedInAt of [-1, -3_600]) {
      expect((await come(subject, id, saying(email, {}, { signedInAt }))).status).toBe(200);
      const { proved_at } = (await sessionsOf(person.user_id)).at(-1) as { proved_at: Date };
      expect(proved_at.getTime()).toBe(0);
    }
  });

  test('at a provider that is off is none, and one that is disabled ends its sessions', async () => {
    const off = await addProvider();
    const person = await make.employee();
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'off', 'hr')",
      [person.user_id, off],
    );
    const { browser } = await come('off', off);
    expect((await browser.get('/api/me')).status).toBe(200);
    const later = await as();
    const asked = await begin(later, off);
    expect((await admin.post(`/api/identity-providers/${off}/disable`, {})).status).toBe(200);
    expect((await browser.get('/api/me')).status).toBe(401);
    const { location } = await deliver(off, idp.answer(asked, 'off'));
    expect((await end(later, off, location)).status).toBe(404);
    expect((await later.post(`/api/sso/${off}/start`, {})).status).toBe(404);
  });
});

describe('groups', () => {
  test('give and take roles; without the attribute nothing changes', async () => {
    const { subject, person, email } = await known();
    const { rows } = await owner.query("select id from roles where name = 'HR'");
    const rules = [{ value: 'people-team', role_id: Number(rows[0].id), entity_ids: [acme.id] }];
    const saved = await admin.put(`/api/identity-providers/${id}/role-rules`, { rules, confirmation: name });
    expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
    const rolesAfter = async (how: ReturnType<typeof saying>) => {
      const { browser, status } = await come(subject, id, how);
      expect(status).toBe(200);
      return (await browser.get('/api/me')).body.data.roles as string[];
    };
    expect(await rolesAfter(saying(email, { [groups]: ['other', 'people-team'] }))).toContain('HR');
    expect(await rolesAfter({ bends: { say: { attributes: { mail: [email] } } } })).toContain('HR');
    expect(logged.some((line) => line.includes('sso_groups_missing'))).toBe(true);
    const link = 'http://schemas.microsoft.com/claims/groups.link';
    expect(await rolesAfter(saying(email, { [link]: ['https://graph.example'], [groups]: ['x'] }))).toContain('HR');
    expect(await rolesAfter(saying(email))).not.toContain('HR');
    expect(await sessionsOf(person.user_id)).toHaveLength(4);
  });
});

describe('the rest of a sign-in is that of every provider', () => {
  test('a dangerous action is confirmed there, where the person signs in anew', async () => {
    const { subject, email } = await known();
    const { browser } = await come(subject, id, saying(email, {}, { signedInAt: -36_000 }));
    const confirm = async (signedInAt: number) => {
      const { body } = await browser.post('/api/profile/step-up/options', {});
      const url = body.data.url as string;
      const asked = readRequest(url);
      expect(asked.xml).toContain('ForceAuthn="true"');
      const { location } = await deliver(id, idp.answer(asked, subject, saying(email, {}, { signedInAt }).bends));
      return end(browser, id, location);
    };
    expect((await confirm(-3_600)).body.message).toContain('did not ask you to sign in again');
    expect((await confirm(-1)).status).toBe(200);
  });

  test('an administrator tries it, which signs no one in', async () => {
    const tried = await addProvider({ domains: ['tried.example'], address_attribute: 'mail' });
    await admin.post(`/api/identity-providers/${tried}/disable`, {});
    const { body } = await admin.post(`/api/identity-providers/${tried}/test`, {});
    const say = { attributes: { mail: ['a@tried.example'], many: ['1', '2'] } };
    const { location } = await deliver(tried, idp.answer(readRequest(body.data.url as string), 'tried', { say }));
    expect((await end(admin, tried, location)).body.message).toMatch(/^SAML \d works\. No one was signed in\.$/);
    const { data } = (await admin.get(`/api/identity-providers/${tried}/test-result`)).body;
    expect(data).toMatchObject({ subject: 'tried', factors: 1, found: null });
    const { claims } = data as { claims: unknown };
    expect(claims).toContainEqual({ name: 'mail', value: 'a@tried.example' });
    expect(claims).toContainEqual({ name: 'many', value: '["1","2"]' });
    expect(claims).toContainEqual({ name: 'NameID', value: 'tried' });
  });

  test('a person links the own account', async () => {
    const own = await addProvider();
    const person = await make.employee();
    const browser = await as(person.user_id);
    const { body } = await browser.post(`/api/profile/identities/${own}/start`);
    const { location } = await deliver(own, idp.answer(readRequest(body.data.url as string), 'mine'));
    expect((await end(browser, own, location)).status).toBe(200);
    const entered = await come('mine', own);
    expect((await entered.browser.get('/api/me')).body.data.user.id).toBe(person.user_id);
  });

  test('a logout leads nowhere else, and a logout token is none', async () => {
    const { subject, email } = await known();
    const { browser } = await come(subject, id, saying(email));
    expect((await browser.post('/logout')).body.end_session_url).toBeUndefined();
    const answer = await app.inject({ method: 'POST', url: `/sso/${id}/backchannel-logout`, payload: {} });
    expect(answer.statusCode).toBe(400);
  });
});

describe('beside sign-ins', () => {
  test('the metadata of the service names its addresses', async () => {
    const { statusCode, headers, body } = await app.inject(`/sso/${id}/metadata`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml; charset=utf-8']);
    expect(body).toContain(`entityID="http://localhost:8000/sso/${id}/metadata"`);
    expect(body).toContain(`Location="http://localhost:8000/sso/${id}/acs"`);
    for (const other of ['987654', '0', 'x']) expect((await app.inject(`/sso/${other}/metadata`)).statusCode).toBe(404);
  });

  test('what no browser came for is forgotten', async () => {
    const asked = await begin(await as(), id);
    await deliver(id, idp.answer(asked, 'nobody-came'));
    await begin(await as(), id);
    await owner.query("update saml_requests set expires_at = now() - interval '1 minute'");
    await deleteSamlRequests({ deps, now: Temporal.Now.instant() });
    expect((await owner.query('select from saml_requests')).rowCount).toBe(0);
  });

  test('a stream of answers of one network is limited', async () => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 2_500) statuses.push((await deliver(id, 'x')).status);
    expect(statuses.length).toBeGreaterThan(600);
    expect(statuses.at(-1)).toBe(429);
  });

  test('a network that goes on with wrong signatures is refused, and others are not', { timeout: 90_000 }, async () => {
    const browser = await as();
    const asked = await begin(browser, id);
    const wrong = idp.answer(asked, 'someone', { by: rsaCertificate() });
    await untilMinuteHas(40);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 100)
      statuses.push((await deliver(id, wrong, '192.0.2.9')).status);
    expect(statuses).toEqual([...Array.from({ length: badSignaturesPerMinute }, () => 303), 429]);
    const { location } = await deliver(id, idp.answer(asked, 'someone'), '192.0.2.10');
    expect(location.searchParams.has('handoff')).toBe(true);
  });
});
