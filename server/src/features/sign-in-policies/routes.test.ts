import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { demandsOf } from '../../sso/demands.ts';
import { openForAdministrator } from '../../sso/open-door.ts';
import { enrol } from '../../testing/factors.ts';
import { startSso } from '../../testing/single-sign-on.ts';

const { op, as, admin, make, owner, deps, addProvider, goThere, come, logged } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const domain = 'acme.example';
const id = await addProvider({ domains: [domain], entity_ids: [acme.id] });
const name = 'Provider 1';
const password = 'Str0ng!Passw0rd';
const path = `/api/sign-in-policies/${acme.id}`;
const required = { sso_required: true, sso_provider_ids: [id] };
const optional = { sso_required: false, sso_provider_ids: [] };
let serial = 0;

async function known(fields: NonNullable<Parameters<typeof make.employee>[0]> = {}) {
  serial += 1;
  const [email, subject] = [`known${serial}@${domain}`, `sub-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  return { email, subject, person: await make.employee({ entity_id: acme.id, email, password, ...fields }) };
}
/** An administrator with a password, and optionally a second factor. */
async function helper(hasFactor: boolean) {
  const { person, email } = await known({ roles: ['Admin'] });
  if (hasFactor)
    await owner.query(
      "insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'Phone', now())",
      [person.user_id],
    );
  return { user_id: person.user_id, email };
}
const idOf = async ({ user_id }: { user_id: number }) =>
  (await owner.query<{ id: number }>('select id::int from employees where user_id = $1', [user_id])).rows[0]?.id;
const testProvider = async () => {
  const browser = admin;
  op.person = 'tester';
  op.people.set('tester', { email: `tester@${domain}`, email_verified: true });
  const { body } = await browser.post(`/api/identity-providers/${id}/test`);
  const query = await op.visit(body.data.url);
  return browser.post(`/api/sso/${id}/complete`, { query });
};
const signIn = async (email: string, tried = password) => {
  await owner.query('delete from login_attempts');
  const browser = await as();
  return { browser, answer: await browser.post('/login', { email, password: tried }) };
};

/** A rule, and everything that it needs. */
const glass = await helper(true);
// so that the emergency account is never the last administrator
const spare = await helper(false);
async function enforce() {
  await testProvider();
  expect((await admin.put('/api/break-glass-accounts', { user_ids: [glass.user_id] })).status).toBe(200);
  const answer = await admin.put(path, required);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
}
beforeEach(async () => {
  await admin.delete(path);
  await admin.put('/api/break-glass-accounts', { user_ids: [] });
});

describe('a test of a provider', () => {
  test('shows the claims and whose account it would be, and signs no one in', async () => {
    const { person, subject } = await known();
    op.person = subject;
    const { body } = await admin.post(`/api/identity-providers/${id}/test`);
    const before = await owner.query('select count(*) as n from session_register');
    const query = await op.visit(body.data.url);
    const answer = await admin.post(`/api/sso/${id}/complete`, { query });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: `${name} works. No one was signed in.`, next: null },
    ]);
    expect((await owner.query('select count(*) as n from session_register')).rows).toEqual(before.rows);
    const { data } = (await admin.get(`/api/identity-providers/${id}/test-result`)).body;
    expect(data).toMatchObject({
      tested_at: expect.any(String),
      subject,
      factors: 1,
      found: { by: 'address' },
    });
    expect(data.claims).toContainEqual({ name: 'email_verified', value: 'true' });
    expect((await owner.query('select from user_identities where user_id = $1', [person.user_id])).rowCount).toBe(0);
  });

  test('works while it is off, is of the administrator who began it, and is void after a change of the connection', async () => {
    const off = await addProvider({ match_rule: 'linked_only' });
    await admin.post(`/api/identity-providers/${off}/disable`, {});
    op.person = 'tester';
    op.people.set('tester', {});
    const { body } = await admin.post(`/api/identity-providers/${off}/test`);
    const query = await op.visit(body.data.url);
    const other = await as((await make.admin()).user_id);
    other.cookies.set('tenure_flow', admin.cookies.get('tenure_flow') ?? '');
    expect((await other.post(`/api/sso/${off}/complete`, { query })).status).toBe(422);
    const again = await op.visit((await admin.post(`/api/identity-providers/${off}/test`)).body.data.url);
    expect((await admin.post(`/api/sso/${off}/complete`, { query: again })).status).toBe(200);
    const tested = async () => (await admin.get(`/api/identity-providers/${off}`)).body.data.tested_at;
    expect(await tested()).not.toBeNull();
    await admin.put(`/api/identity-providers/${off}`, { name: 'Only renamed' });
    expect(await tested()).not.toBeNull();
    await admin.put(`/api/identity-providers/${off}`, { client_secret: 'another' });
    expect(await tested()).toBeNull();
  });
});

describe('a rule that demands a provider', () => {
  test('is set once, however often it is sent', async () => {
    const entries = async () =>
      (await owner.query("select count(*)::int as n from audit_log where action = 'sign_in_policy.updated'")).rows[0].n;
    const shorter = { ...optional, session_max_hours: 8 };
    const { revision } = (await admin.put(path, shorter)).body.data;
    const before = await entries();
    expect((await admin.put(path, { ...shorter, revision })).body.data.revision).toBe(revision);
    expect(await entries()).toBe(before);
  });

  test('is not set while something stands in its way, and the preflight says what', async () => {
    await owner.query('update identity_providers set tested_at = null');
    const off = await addProvider({ name: 'Elsewhere', entity_ids: [beta.id] });
    await admin.post(`/api/identity-providers/${off}/disable`, {});
    const wanted = { sso_required: true, sso_provider_ids: [off, id, 987_654] };
    const blockers = [
      'One of the providers no longer exists.',
      'Elsewhere is off.',
      'Elsewhere wasn’t tested in the last 24 hours.',
      'People of this company can’t sign in through Elsewhere.',
      `${name} wasn’t tested in the last 24 hours.`,
      'There is no emergency account with a password and a second factor.',
    ];
    const shown = await admin.post(`${path}/preflight`, wanted);
    expect([shown.status, shown.body.data.blockers]).toEqual([200, blockers]);
    const { status, body } = await admin.put(path, wanted);
    expect([status, body.errors]).toEqual([422, { sso_required: blockers }]);
    expect((await admin.put(path, { sso_required: true, sso_provider_ids: [] })).status).toBe(422);
  });

  test('lists before who is not linked, whom a rule would find, and the sessions that would end', async () => {
    await testProvider();
    const [linked, found] = [await known(), await known()];
    const lost = await make.employee({ entity_id: acme.id, email: 'lost@elsewhere.example' });
    await come(linked.subject, id);
    await as(found.person.user_id);
    const { data } = (await admin.post(`${path}/preflight`, required)).body;
    const listed = new Map(
      (data.unlinked as { user_id: number; is_found: boolean }[]).map((one) => [one.user_id, one.is_found]),
    );
    expect(listed.has(linked.person.user_id)).toBe(false);
    expect([listed.get(found.person.user_id), listed.get(lost.user_id)]).toEqual([true, false]);
    expect(data.unlinked_count).toBe(listed.size);
    expect(data.sessions_to_end).toBeGreaterThan(0);
  });

  test('ends what came another way, and nothing else', async () => {
    const [byPassword, bySso] = [await known(), await known()];
    const other = await make.employee({ entity_id: beta.id });
    const browsers = [
      await as(byPassword.person.user_id),
      (await come(bySso.subject, id)).browser,
      await as(other.user_id),
    ];
    await enforce();
    const statuses = await Promise.all(browsers.map(async (browser) => (await browser.get('/api/me')).status));
    expect(statuses).toEqual([401, 200, 200]);
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'sign_in_policy.updated' order by id desc limit 1",
    );
    expect(rows[0].changes.sso_required).toEqual({ from: false, to: true });
  });

  test('ends a session that begins at the same moment', async () => {
    const { person } = await known();
    const browser = await as(person.user_id);
    await enforce();
    await admin.delete(path);
    const { rows } = await owner.query('select sid_hash from session_register where user_id = $1', [person.user_id]);
    // a sign-in that is not committed yet
    const signingIn = await owner.connect();
    await signingIn.query('begin');
    await signingIn.query('delete from session_register where user_id = $1', [person.user_id]);
    await signingIn.query(
      `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at)
       select $2, u.id, u.session_epoch, i.global_epoch, now() + interval '1 hour'
       from users u cross join installation i where u.id = $1`,
      [person.user_id, rows[0].sid_hash],
    );
    const saving = admin.put(path, required);
    await setTimeout(300);
    await signingIn.query('commit');
    signingIn.release();
    expect((await saving).status).toBe(200);
    expect((await browser.get('/api/me')).status).toBe(401);
  });

  test('a right password is answered like a wrong one, and works again when the rule goes', async () => {
    const { email } = await known();
    await enforce();
    const right = (await signIn(email)).answer;
    const wrong = (await signIn(email, 'Wr0ng!Passw0rd')).answer;
    expect([right.status, right.bytes.toString()]).toEqual([422, wrong.bytes.toString()]);
    expect((await admin.put(path, optional)).status).toBe(200);
    expect((await signIn(email)).answer.status).toBe(200);
  });

  test('N6: no other door leads to a session, a password or a link', async () => {
    const { person, email, subject } = await known();
    const hr = await as((await make.employee({ entity_id: beta.id, roles: ['HR'] })).user_id);
    await enforce();
    const said = `People of this company sign in through ${name}.`;
    for (const url of [`/api/employees/${person.id}/reset-password`, `/api/employees/${person.id}/invite`]) {
      const { status, body } = await hr.post(url, url.endsWith('invite') ? {} : { delivery: 'screen' });
      expect([url, status, body.message]).toEqual([url, 422, url.endsWith('invite') ? expect.any(String) : said]);
    }
    const many = await hr.post('/api/employees/reset-passwords', { employee_ids: [person.id], delivery: 'screen' });
    expect(many.body.data.refused).toMatchObject([{ employee_id: person.id, reason: said }]);
    const { browser } = await come(subject, id);
    const next = 'An0ther!Phrase';
    const own = await browser.put('/api/profile/password', {
      current_password: password,
      password: next,
      password_confirmation: next,
    });
    expect([own.status, own.body.errors]).toEqual([422, { password: [said] }]);
    // so that the page shows a sentence instead of the form
    expect((await browser.get('/api/profile/security')).body.data.sign_in_through).toBe(name);
    expect((await hr.get('/api/profile/security')).body.data.sign_in_through).toBe(null);
    expect((await browser.get('/api/profile/sessions')).body.data).toMatchObject([{ method: 'sso', provider: name }]);
    expect((await signIn(email, next)).answer.status).toBe(422);
    // and the database refuses what a handler would allow
    await expect(
      owner.query(
        `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at)
         select 'x', u.id, u.session_epoch, i.global_epoch, now() + interval '1 hour'
         from users u cross join installation i where u.id = $1`,
        [person.user_id],
      ),
    ).rejects.toThrow('demands another way');
  });

  test('is changed in other ways without another test of its provider', async () => {
    await enforce();
    await owner.query("update identity_providers set tested_at = now() - interval '2 days'");
    const more = { ...required, session_max_hours: 8 };
    expect((await admin.post(`${path}/preflight`, more)).body.data.blockers).toEqual([]);
    expect((await admin.put(path, more)).body.data).toMatchObject({ sso_required: true, session_max_hours: 8 });
    expect((await admin.put(path, optional)).status).toBe(200);
    expect((await admin.put(path, required)).body.errors.sso_required).toEqual([
      `${name} wasn’t tested in the last 24 hours.`,
    ]);
  });

  test('through another provider is none', async () => {
    const second = await addProvider({ name: 'Second', domains: ['second.example'] });
    const { person } = await known({ email: 'a@second.example' });
    op.people.set('second', { email: 'a@second.example', email_verified: true });
    expect((await come('second', second)).status).toBe(200);
    await enforce();
    const { status, body } = await come('second', second);
    expect([status, body.message]).toEqual([422, 'People of your company sign in another way.']);
    expect(
      (await owner.query('select from session_register where user_id = $1 and revoked_at is null', [person.user_id]))
        .rowCount,
    ).toBe(0);
  });

  test('of a company goes before the default, which is for all others', async () => {
    await testProvider();
    const { data } = (await admin.get('/api/sign-in-policies')).body;
    expect(data.policies[0]).toMatchObject({ entity: null, is_own: true, sso_required: false });
    expect(data.policies).toContainEqual(
      expect.objectContaining({ entity: { id: acme.id, name: acme.name }, is_own: false }),
    );
    for (const other of ['987654', '0', 'other', 'default2'])
      expect((await admin.post(`/api/sign-in-policies/${other}/preflight`, required)).status).toBe(404);
    expect((await admin.put('/api/sign-in-policies/default', required)).body.errors.sso_required).toContain(
      `People of this company can’t sign in through ${name}.`,
    );
  });

  test('is for administrators alone', async () => {
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    for (const answer of [
      await hr.get('/api/sign-in-policies'),
      await hr.put(path, optional),
      await hr.get('/api/break-glass-accounts'),
    ])
      expect(answer.status).toBe(403);
  });
});

test('a rule ends the links to a password of its people, for good', async () => {
  const { person } = await known();
  const links = async () =>
    (
      await owner.query(
        `select revoked_at is not null as is_over from account_links where user_id = $1
         union all select revoked_at is not null from own_account_links where user_id = $1`,
        [person.user_id],
      )
    ).rows;
  const { rows } = await owner.query<{ email: string }>('select email from users where id = $1', [person.user_id]);
  const by = (await make.admin()).user_id;
  await owner.query(
    `insert into account_links (user_id, purpose, email, created_by, expires_at)
     values ($1, 'password_reset', $2, $3, now() + interval '1 day')`,
    [person.user_id, rows[0]?.email, by],
  );
  await owner.query(
    `insert into own_account_links (user_id, purpose, email, expires_at)
     values ($1, 'requested_reset', $2, now() + interval '1 day')`,
    [person.user_id, rows[0]?.email],
  );
  expect(await links()).toEqual([{ is_over: false }, { is_over: false }]);
  await enforce();
  expect(await links()).toEqual([{ is_over: true }, { is_over: true }]);
});

type Chosen = { user_id: number };

describe('emergency accounts', () => {
  test('are administrators with a second factor, are linked to no provider, and one stays while a rule needs it', async () => {
    const plain = await helper(false);
    const employee = await known();
    const set = (user_ids: number[]) => admin.put('/api/break-glass-accounts', { user_ids });
    expect((await set([employee.person.user_id])).body.errors).toHaveProperty(['user_ids.0']);
    expect((await set([plain.user_id])).body.errors).toHaveProperty(['user_ids.0']);
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'glass', 'person')",
      [glass.user_id, id],
    );
    await enforce();
    expect((await owner.query('select from user_identities where user_id = $1', [glass.user_id])).rowCount).toBe(0);
    const { rows } = await owner.query("select reason from audit_log where action = 'identity.unlinked'");
    expect(rows).toEqual([{ reason: 'Chosen as an emergency account.' }]);
    expect((await set([])).body.errors).toHaveProperty('user_ids');
    expect((await admin.get('/api/break-glass-accounts')).body.data.accounts).toMatchObject([
      { user_id: glass.user_id, has_second_factor: true },
    ]);
  });

  test('the last one keeps Admin, its employment and its second factor while a rule needs it', async () => {
    const said =
      'This is the last emergency account while a sign-in rule requires a provider. Choose another one first.';
    const person = `/api/employees/${await idOf(glass)}`;
    const send = {
      roles: () => admin.put(`${person}/roles`, { assignments: [] }),
      employment: () => admin.post(`${person}/deactivate`, { reason: 'Away for a while.' }),
      factor: () => admin.delete(`${person}/second-factor`, { reason: 'The phone is lost.' }),
    };
    await enforce();
    for (const [what, refused] of Object.entries(send)) {
      const { status, body } = await refused();
      expect([what, status, Object.values(body.errors ?? {}).flat()]).toEqual([what, 422, [said]]);
    }
    expect((await admin.get('/api/break-glass-accounts')).body.data.accounts).toMatchObject([
      { user_id: glass.user_id, has_second_factor: true },
    ]);
    // without a rule, or for another administrator, nothing is refused
    expect((await admin.put(`/api/employees/${await idOf(spare)}/roles`, { assignments: [] })).status).toBe(200);
    await admin.delete(path);
    expect((await send.employment()).status).toBe(200);
    await owner.query("update employees set activity_status = 'active' where user_id = $1", [glass.user_id]);
  });

  test('N7: with a wrong secret after the rule, one gets in with its password, and all administrators hear of it', async () => {
    const { subject } = await known();
    await enforce();
    // a second one without a factor, which would need a separate step
    const helped = await helper(false);
    await owner.query('update users set break_glass = true where id = $1', [helped.user_id]);
    await admin.put(`/api/identity-providers/${id}`, { client_secret: 'wrong' });
    expect((await come(subject, id)).status).toBe(422);
    const { answer, browser } = await signIn(helped.email);
    expect(answer.status).toBe(200);
    expect((await browser.put(path, optional)).status).toBe(200);
    const { rows } = await owner.query("select user_id from notifications where event = 'break_glass_used'");
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect((await owner.query("select from audit_log where action = 'break_glass.used'")).rowCount).toBe(1);
    expect(logged.some((line) => line.includes('"break_glass_used"'))).toBe(true);
    await admin.put(`/api/identity-providers/${id}`, { client_secret: 'a-secret-of-the-provider' });
    await owner.query('update users set break_glass = false where id = $1', [helped.user_id]);
  });

  test('one that is no administrator any more is none', async () => {
    await admin.put('/api/break-glass-accounts', { user_ids: [glass.user_id] });
    await owner.query(
      "delete from role_assignments where user_id = $1 and role_id = (select id from roles where name = 'Admin')",
      [glass.user_id],
    );
    const { rows } = await owner.query('select break_glass from users where id = $1', [glass.user_id]);
    expect(rows).toEqual([{ break_glass: false }]);
    await owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'", [
      glass.user_id,
    ]);
  });

  test('of two choices from the same page the second one is refused', async () => {
    const { user_id } = await helper(true);
    const url = '/api/break-glass-accounts';
    const { accounts, revision } = (await admin.get(url)).body.data as { accounts: Chosen[]; revision: number };
    const before = accounts.map((account) => account.user_id);
    const added = await admin.put(url, { user_ids: [...before, user_id], revision });
    expect([added.status, added.body.data.revision > revision]).toEqual([200, true]);
    const late = await admin.put(url, { user_ids: before, revision });
    expect([late.status, late.body.revision]).toEqual([422, added.body.data.revision]);
    const ids = async () => ((await admin.get(url)).body.data.accounts as Chosen[]).map((account) => account.user_id);
    expect(await ids()).toContain(user_id);
    expect((await admin.put(url, { user_ids: before })).status).toBe(200);
    expect(await ids()).toEqual(before);
  });

  test('one keeps its second factor', async () => {
    const { user_id } = await helper(false);
    const browser = await as(user_id);
    await enrol(browser);
    const own = '/api/profile/totp';
    const before = (await admin.get('/api/break-glass-accounts')).body.data.accounts as { user_id: number }[];
    const others = before.map((account) => account.user_id);
    expect((await admin.put('/api/break-glass-accounts', { user_ids: [...others, user_id] })).status).toBe(200);
    expect((await browser.delete(own)).body.errors).toHaveProperty('totp');
    expect((await admin.put('/api/break-glass-accounts', { user_ids: others })).status).toBe(200);
    expect((await browser.delete(own)).status).toBe(204);
  });

  test('the command on the machine takes away what a proof of identity would ask for', async () => {
    const { user_id, email } = await helper(false);
    const before = await as(user_id);
    await enrol(before);
    expect((await before.post('/api/profile/step-up/options')).body.data.proofs).toEqual(['totp']);
    const { db, hashing } = deps;
    const opened = await openForAdministrator({ db, hashing, email, withoutFactors: true });
    const { browser } = await signIn(email, opened.password);
    const next = 'An0ther!Phrase';
    const body = { current_password: opened.password, password: next, password_confirmation: next };
    expect((await browser.put('/api/profile/password', body)).status).toBe(200);
    expect((await browser.post('/api/profile/step-up/options')).body.data.proofs).toEqual(['password']);
  });

  test('the command on the machine lets an administrator in, once, for a quarter of an hour', async () => {
    const locked = await helper(true);
    const { db, hashing } = deps;
    expect(await demandsOf(db)).toEqual([]);
    await enforce();
    expect(await demandsOf(db)).toEqual([
      expect.stringMatching(/: people sign in only through .+ \(Sign-in › Rules\)\.$/),
    ]);
    expect((await signIn(locked.email)).answer.status).toBe(422);
    const open = (email: string, withoutFactors = true) => openForAdministrator({ db, hashing, email, withoutFactors });
    await owner.query("insert into recovery_codes (user_id, hash) values ($1, repeat('0', 64))", [locked.user_id]);
    const opened = await open(locked.email.toUpperCase());
    expect((await owner.query('select from recovery_codes where user_id = $1', [locked.user_id])).rowCount).toBe(0);
    expect(opened.minutes).toBe(15);
    expect((await signIn(locked.email, opened.password)).answer.status).toBe(200);
    expect((await signIn(locked.email, opened.password)).answer.status).toBe(422);
    await expect(open((await known()).email)).rejects.toThrow('not the address of an administrator');
    const { rows } = await owner.query(
      "select reason from audit_log where action = 'break_glass.updated' and subject_id = $1",
      [locked.user_id],
    );
    expect(rows).toEqual([{ reason: 'Opened on the machine, second factors removed.' }]);
    const late = await open(locked.email);
    await owner.query("update users set password_expires_at = now() - interval '1 second' where id = $1", [
      locked.user_id,
    ]);
    expect((await signIn(locked.email, late.password)).answer.status).toBe(422);
  });
});

test('signing out goes on to the provider where it is wanted, and only from its sessions', async () => {
  const { subject, email } = await known();
  const out = async (browser: Awaited<ReturnType<typeof as>>) => (await browser.post('/logout')).body;
  expect(await out((await come(subject, id)).browser)).toEqual({ message: 'Logged out successfully.' });
  const { body } = await admin.put(`/api/identity-providers/${id}`, { end_session: true });
  expect(body.data).toMatchObject({ end_session: true, can_end_session: true });
  const { end_session_url } = await out((await come(subject, id)).browser);
  const url = new URL(end_session_url);
  expect([url.origin, Object.fromEntries(url.searchParams)]).toEqual([
    op.issuer,
    { client_id: 'tenure', post_logout_redirect_uri: 'http://localhost:8000/login', logout_hint: email },
  ]);
  expect(await out((await signIn(email)).browser)).toEqual({ message: 'Logged out successfully.' });
  await goThere(await as(), id);
});
