import { describe, expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';

const { op, as, admin, make, owner, addProvider, goThere, come, logged } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const domain = 'acme.example';
const id = await addProvider({ domains: [domain], entity_ids: [acme.id] });
const name = 'Provider 1';

type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
let serial = 0;
/** A person in this service whom the provider also knows. */
async function known(fields: Fields = {}, claims: Record<string, unknown> = {}) {
  serial += 1;
  const email = `known${serial}@${domain}`;
  const subject = `sub-${serial}`;
  op.people.set(subject, { email, email_verified: true, name: `Known ${serial}`, ...claims });
  return { subject, email, person: await make.employee({ entity_id: acme.id, email, ...fields }) };
}
const sessionsOf = async (userId: number) =>
  (
    await owner.query(
      'select method, factors, provider_id, expires_at - created_at as lives from session_register where user_id = $1 and revoked_at is null',
      [userId],
    )
  ).rows;
const noAccount = `You are signed in at ${name}, but no account here belongs to you. Please ask your HR department.`;

describe('what the sign-in page offers', () => {
  test('before it knows an address: whether one leads somewhere, and providers without domains', async () => {
    const guest = await as();
    const { status, body } = await guest.get('/api/sign-in/options');
    expect([status, body.data]).toEqual([200, { by_address: true, passkey: true, providers: [] }]);
  });

  test('for an address: by its domain alone, in the same way for people who are here and others', async () => {
    const { email } = await known();
    const ask = async (address: string) =>
      (await (await as()).post('/api/sign-in/options', { email: address })).body.data;
    const there = { provider: { id, name }, password: true };
    for (const address of [email, `no-one@${domain}`, `No-One@ACME.example`]) expect(await ask(address)).toEqual(there);
    for (const address of ['a@other.example', `a@sub.${domain}`, `${domain}@other.example`])
      expect(await ask(address)).toEqual({ provider: null, password: true });
  });
});

describe('a sign-in', () => {
  test('goes to the provider with PKCE, a nonce and a state, and binds all of it to the browser', async () => {
    const browser = await as();
    const { body, setCookies } = await browser.post(`/api/sso/${id}/start`, { next: '/employees?page=2' });
    const url = new URL(body.data.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'tenure',
      redirect_uri: `http://localhost:8000/sso/callback/${id}`,
      response_type: 'code',
      response_mode: 'query',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const cookie = setCookies.find((line) => line.startsWith('tenure_flow='));
    expect(cookie).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(url.searchParams.get('state'));
  });

  test('links the first time by the verified address, tells the person, and begins a session', async () => {
    const { subject, person } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id, '/employees?page=2');
    const answer = await browser.post(`/api/sso/${id}/complete`, { query });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Logged in successfully.', next: '/employees?page=2' },
    ]);
    expect((await browser.get('/api/me')).body.data.user.id).toBe(person.user_id);
    expect(browser.cookies.has('tenure_flow')).toBe(false);
    expect(await sessionsOf(person.user_id)).toMatchObject([{ method: 'sso', factors: 1, provider_id: String(id) }]);
    const { rows } = await owner.query(
      "select actor_id, changes from audit_log where action = 'identity.linked' and subject_id = $1",
      [person.user_id],
    );
    expect(rows).toMatchObject([
      { actor_id: String(person.user_id), changes: { linked_by: { from: null, to: 'rule' } } },
    ]);
    const { rows: notices } = await owner.query('select variant, params from notifications where user_id = $1', [
      person.user_id,
    ]);
    expect(notices).toMatchObject([{ variant: 'identity_linked', params: { provider: name } }]);
  });

  test('finds the same account afterwards by the subject, whatever the address is', async () => {
    const { subject, person } = await known();
    const other = await known();
    expect((await come(subject, id)).status).toBe(200);
    op.people.set(subject, { email: other.email, email_verified: true });
    const { browser } = await come(subject, id);
    expect((await browser.get('/api/me')).body.data.user.id).toBe(person.user_id);
    const { rows } = await owner.query('select email, linked_by from user_identities where user_id = $1', [
      person.user_id,
    ]);
    expect(rows).toEqual([{ email: other.email, linked_by: 'rule' }]);
  });

  test('ends the presented session, and a forced change of the password does not stop it', async () => {
    const { subject, person } = await known({ password: 'Str0ng!Passw0rd' });
    await owner.query('update users set must_change_password = true where id = $1', [person.user_id]);
    const browser = await as(person.user_id);
    expect((await browser.get('/api/employees')).status).toBe(403);
    await come(subject, id, browser);
    expect((await browser.get('/api/employees')).status).toBe(200);
    expect((await browser.get('/api/me')).body.data.user.must_change_password).toBe(false);
    expect(await sessionsOf(person.user_id)).toHaveLength(1);
  });

  test('counts as two factors where the provider is trusted for it and says so', async () => {
    const factors = await addProvider({
      second_factor: 'values',
      second_factor_values: ['mfa'],
      domains: ['two.example'],
    });
    for (const [amr, expected] of [
      [['pwd'], 1],
      [['pwd', 'mfa'], 2],
      ['mfa', 2],
      [[{ mfa: true }], 1],
    ] as const) {
      const { subject, person } = await known(
        { email: `two${serial}@two.example` },
        { email: `two${serial}@two.example` },
      );
      op.bend = ({ claims }) => ({ claims: { ...claims, amr } });
      expect((await come(subject, factors)).status).toBe(200);
      op.bend = null;
      expect(await sessionsOf(person.user_id)).toMatchObject([{ factors: expected }]);
    }
  });

  test('lasts no longer than the provider says', async () => {
    const short = await addProvider({ session_max_hours: 1, domains: ['short.example'] });
    const { subject, person } = await known({ email: 'a@short.example' }, { email: 'a@short.example' });
    await come(subject, short);
    expect(await sessionsOf(person.user_id)).toMatchObject([{ lives: { hours: 1 } }]);
  });

  test('lasts no longer after a change of the password', async () => {
    const short = await addProvider({ session_max_hours: 1, domains: ['brief.example'] });
    const password = 'Str0ng!Passw0rd';
    const { subject, person } = await known({ email: 'a@brief.example', password }, { email: 'a@brief.example' });
    const { browser } = await come(subject, short);
    const next = 'An0ther!Phrase';
    const body = { current_password: password, password: next, password_confirmation: next };
    expect((await browser.put('/api/profile/password', body)).status).toBe(200);
    const { rows } = await owner.query(
      "select expires_at <= now() + interval '1 hour' as is_short from session_register where user_id = $1 and revoked_at is null",
      [person.user_id],
    );
    expect(rows).toEqual([{ is_short: true }]);
  });

  test('of people who left, moved to a company of others, or are unknown is refused alike', async () => {
    const gone = await known();
    const moved = await known();
    for (const { subject } of [gone, moved]) expect((await come(subject, id)).status).toBe(200);
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [gone.person.id]);
    const elsewhere = await make.department({ entity_id: beta.id });
    await owner.query('update employees set entity_id = $2, department_id = $3 where id = $1', [
      moved.person.id,
      beta.id,
      elsewhere.id,
    ]);
    op.people.set('stranger', { email: `stranger@${domain}`, email_verified: true });
    for (const subject of [gone.subject, moved.subject, 'stranger']) {
      const { status, body } = await come(subject, id);
      expect([status, body]).toEqual([422, { message: noAccount, errors: { sso: [noAccount] } }]);
    }
    const events = logged.map((line) => JSON.parse(line) as { event: string });
    expect(events.filter(({ event }) => event === 'sso_unmatched')).toHaveLength(3);
  });

  test('at a provider that is off is none', async () => {
    const { subject } = await known();
    const off = await addProvider();
    const browser = await as();
    op.person = subject;
    const query = await goThere(browser, off);
    await admin.post(`/api/identity-providers/${off}/disable`, {});
    expect((await browser.post(`/api/sso/${off}/complete`, { query })).status).toBe(404);
    expect((await browser.post(`/api/sso/${off}/start`, {})).status).toBe(404);
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a b', '/"', `/${'a'.repeat(300)}`])(
    'does not go on to %s',
    async (next) => {
      expect((await (await as()).post(`/api/sso/${id}/start`, { next })).status).toBe(422);
    },
  );
});

describe('the own links', () => {
  const start = (browser: Awaited<ReturnType<typeof as>>) => browser.post(`/api/profile/identities/${id}/start`);

  test('an administrator links the own account, which no rule does', async () => {
    const { subject, person } = await known({ roles: ['Admin'], password: 'Str0ng!Passw0rd' });
    expect((await come(subject, id)).status).toBe(422);
    const browser = await as(person.user_id);
    const before = await browser.get('/api/profile/identities');
    expect(before.body.data.identities).toEqual([]);
    expect(before.body.data.providers).toContainEqual({ id, name });
    const query = await op.visit((await start(browser)).body.data.url);
    const linked = await browser.post(`/api/sso/${id}/complete`, { query });
    expect([linked.status, linked.body]).toEqual([
      200,
      { message: `Your account is now linked to ${name}.`, next: '/profile' },
    ]);
    expect((await come(subject, id)).status).toBe(200);
    const [identity] = (await browser.get('/api/profile/identities')).body.data.identities;
    expect(identity).toMatchObject({ provider: { id, name } });
    expect((await browser.delete(`/api/profile/identities/${identity.id}`)).status).toBe(204);
    expect((await come(subject, id)).status).toBe(422);
  });

  test('a link that one person began does not end in the account of another', async () => {
    const [ada, bob] = [await known({ roles: ['Admin'] }), await known({ roles: ['Admin'] })];
    const browser = await as(ada.person.user_id);
    op.person = ada.subject;
    const query = await op.visit((await start(browser)).body.data.url);
    const others = await as(bob.person.user_id);
    const flow = browser.cookies.get('tenure_flow') ?? '';
    others.cookies.set('tenure_flow', flow);
    expect((await others.post(`/api/sso/${id}/complete`, { query })).status).toBe(422);
    const { rowCount } = await owner.query('select from user_identities where user_id = any($1)', [
      [ada.person.user_id, bob.person.user_id],
    ]);
    expect(rowCount).toBe(0);
  });

  test('a subject belongs to one account, and an account to one subject', async () => {
    const [ada, bob] = [await known(), await known()];
    await come(ada.subject, id);
    const browser = await as(bob.person.user_id);
    const link = async (subject: string) => {
      op.person = subject;
      const query = await op.visit((await start(browser)).body.data.url);
      return (await browser.post(`/api/sso/${id}/complete`, { query })).body.message as string;
    };
    expect(await link(ada.subject)).toBe(`This account at ${name} is linked to another account here.`);
    expect(await link(bob.subject)).toBe(`Your account is now linked to ${name}.`);
    op.people.set('third', { email: `third@${domain}`, email_verified: true });
    expect(await link('third')).toBe(`This account is already linked to ${name}.`);
  });

  test('a link made with a password that HR issued is worth no more than HR', async () => {
    const { person, email } = await known();
    const issuer = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    await owner.query('update users set password_issued_by = $2 where id = $1', [person.user_id, issuer.user_id]);
    // HR signs in with it, and links another account
    op.people.set('of-hr', { email: `hr-of-${email}`, email_verified: true });
    const browser = await as(person.user_id);
    op.person = 'of-hr';
    const query = await op.visit((await start(browser)).body.data.url);
    expect((await browser.post(`/api/sso/${id}/complete`, { query })).status).toBe(200);
    const entered = await come('of-hr', id);
    expect(entered.status).toBe(200);
    // and another account from there
    const second = await addProvider({ match_rule: 'linked_only' });
    const begun = await entered.browser.post(`/api/profile/identities/${second}/start`);
    const more = await op.visit(begun.body.data.url);
    expect((await entered.browser.post(`/api/sso/${second}/complete`, { query: more })).status).toBe(200);
    const { rows } = await owner.query("select id from roles where name = 'Admin'");
    const assignments = [{ role_id: Number(rows[0].id) }];
    expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments })).status).toBe(200);
    expect((await come('of-hr', id)).status).toBe(422);
    expect((await come('of-hr', second)).status).toBe(422);
  });

  test('the only way in stays, and the links of others are none', async () => {
    const { subject, person } = await known();
    await come(subject, id);
    const browser = await as(person.user_id);
    const [identity] = (await browser.get('/api/profile/identities')).body.data.identities;
    const refused = await browser.delete(`/api/profile/identities/${identity.id}`);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'This is your only way to sign in. Please choose a password first.',
    ]);
    const others = await as((await known()).person.user_id);
    expect((await others.delete(`/api/profile/identities/${identity.id}`)).status).toBe(404);
  });

  test('a password that opens nothing is no other way in', async () => {
    const { subject, person } = await known({ password: 'Str0ng!Passw0rd' });
    const { browser } = await come(subject, id);
    const [identity] = (await browser.get('/api/profile/identities')).body.data.identities;
    const remove = async () => (await browser.delete(`/api/profile/identities/${identity.id}`)).status;
    await owner.query('update users set must_change_password = true where id = $1', [person.user_id]);
    expect(await remove()).toBe(422);
    await owner.query('update users set must_change_password = false where id = $1', [person.user_id]);
    await owner.query(
      'insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, $2)',
      [acme.id, [id]],
    );
    expect(await remove()).toBe(422);
    await owner.query('delete from sign_in_policies where entity_id = $1', [acme.id]);
    expect(await remove()).toBe(204);
  });

  test('one that is removed ends the sessions that came from it, but not the one that removes it', async () => {
    const { subject, person } = await known({ password: 'Str0ng!Passw0rd' });
    const [{ browser }, other] = [await come(subject, id), await come(subject, id)];
    const byPassword = await as(person.user_id);
    const [identity] = (await browser.get('/api/profile/identities')).body.data.identities;
    expect((await browser.delete(`/api/profile/identities/${identity.id}`)).status).toBe(204);
    const living = [browser, byPassword, other.browser].map(async (one) => (await one.get('/api/me')).status);
    expect(await Promise.all(living)).toEqual([200, 200, 401]);
  });
});

describe('after the provider changed its keys', () => {
  test('the next sign-in succeeds', async () => {
    const [before, after] = [await known(), await known()];
    expect((await come(before.subject, id)).status).toBe(200);
    const fetched = () => op.asked.filter((path) => path === '/jwks').length;
    const count = fetched();
    expect((await come(before.subject, id)).status).toBe(200);
    expect(fetched()).toBe(count);
    op.rotate();
    const answers = [await come(after.subject, id), await come(before.subject, id)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(fetched()).toBe(count + 1);
  });
});
