import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';
import { workOnRequests } from '../../testing/requested-resets.ts';

/** Password links that people request themselves. */

const { deliver, received, port } = await mailServer();
const smtp = { SMTP_URL: `smtp://127.0.0.1:${port}` };
const app = await startApp({ ...smtp, PASSWORD_RESET_BY_MAIL: 'on', TRUST_PROXY: '127.0.0.0/8' });
const { as, make, deps, owner, logged } = app;
const acme = await make.entity();
const former = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const said = 'If an account belongs to this address, a mail is on its way.';
const dead = 'This link is not valid any more.';
const path = '/api/password-reset-requests';

type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const inAcme = (fields: Fields = {}) => make.employee({ entity_id: acme.id, password: former, ...fields });

const ask = async (email: unknown, ip = '192.0.2.1') =>
  (await as()).send('POST', path, { body: { email }, headers: { 'x-forwarded-for': ip } });

/** The tokens in mails to an address, after the worker did its work. */
async function tokensOf(address: string): Promise<string[]> {
  await workOnRequests(app);
  await deliver(deps);
  return received
    .filter(({ to }) => to.includes(address))
    .map(({ source }) => /\/reset#([\w-]{43})/.exec(source)?.[1] ?? '');
}

const check = async (token: string) => (await as()).post('/api/account-links/check', { token });
const redeem = async (token: string, password = next) =>
  (await as()).post('/api/account-links/redeem', { token, password, password_confirmation: password });
const signIn = async (email: string, password: string) =>
  (await (await as()).post('/login', { email, password })).status;
const links = async (userId: number) =>
  (await owner.query('select from own_account_links where user_id = $1', [userId])).rowCount;
const outcomes = (requestId: string | string[] | undefined) =>
  logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event, request_id }) => event === 'password_reset_requested' && request_id === requestId)
    .map(({ outcome }) => outcome);

beforeEach(() => owner.query('delete from login_attempts'));

test('a person asks for a link, chooses a password with it and signs in', async () => {
  const person = await inAcme();
  const browser = await as(person.user_id);
  const answer = await ask(` ${person.email.toUpperCase()} `);
  expect([answer.status, answer.body]).toEqual([200, { message: said }]);
  const [token = '', ...more] = await tokensOf(person.email);
  expect([token.length, more]).toEqual([43, []]);
  expect(outcomes(answer.headers['x-request-id'])).toEqual(['sent']);
  const mail = received.find(({ to }) => to.includes(person.email));
  expect(mail?.subject).toBe('Choose a new password');
  expect(mail?.source).toContain('expires 30 minutes after you asked for it');

  const { body } = await check(token);
  expect(body.data).toMatchObject({
    purpose: 'requested_reset',
    email_hint: person.email.replace(/^(.).*@/, '$1•••@'),
  });
  const minutes = (Date.parse(body.data.expires_at) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(29);
  expect(minutes).toBeLessThanOrEqual(30);
  // the password and the sessions stay until the link is used
  expect(await signIn(person.email, former)).toBe(200);
  expect((await browser.get('/api/me')).status).toBe(200);
  const used = await redeem(token);
  expect([used.status, used.setCookies.filter((line) => line.startsWith('tenure_session'))]).toEqual([200, []]);
  expect((await browser.get('/api/me')).status).toBe(401);
  expect([await signIn(person.email, former), await signIn(person.email, next)]).toEqual([422, 200]);
  expect((await redeem(token, 'Th1rd#Phrase')).status).toBe(422);
  const { rows } = await owner.query(
    "select action, actor_id from audit_log where subject_type = 'account' and subject_id = $1 order by id",
    [person.user_id],
  );
  expect(rows).toEqual([
    { action: 'account.password_link_requested', actor_id: null },
    { action: 'account.password_link_used', actor_id: String(person.user_id) },
  ]);
});

test('every address gets the same answer after the same statements', async () => {
  const person = await inAcme();
  const admin = await make.admin();
  const counted = async (email: string, ip: string) => {
    const { status, body, headers } = await ask(email, ip);
    const { date: _date, 'x-request-id': _id, 'set-cookie': _cookies, ...others } = headers;
    return { status, body, others };
  };
  const known = await counted(person.email, '192.0.2.1');
  expect(known.status).toBe(200);
  for (const email of ['absent@acme.example', admin.email]) expect(await counted(email, '192.0.2.1')).toEqual(known);
  expect(await workOnRequests(app)).toBe(3);
});

test.each<[string, Fields | undefined, (userId: number) => Promise<unknown>]>([
  ['an administrator', { roles: ['Admin'] }, () => Promise.resolve()],
  ['a break-glass account', {}, (id) => owner.query('update users set break_glass = true where id = $1', [id])],
  ['a person who left', { activity_status: 'inactive' }, () => Promise.resolve()],
  ['a disabled account', {}, (id) => owner.query('update users set is_enabled = false where id = $1', [id])],
  [
    'an account without a password',
    {},
    (id) => owner.query('update users set password_hash = null where id = $1', [id]),
  ],
  [
    'an account with a one-time password',
    {},
    (id) => owner.query('update users set must_change_password = true where id = $1', [id]),
  ],
  [
    'a company whose people sign in elsewhere',
    {},
    (id) =>
      owner.query(
        `insert into sign_in_policies (entity_id, sso_provider_ids, sso_required)
         select entity_id, '{7}', true from employees where user_id = $1`,
        [id],
      ),
  ],
])('%s gets no link', async (_who, fields, happens) => {
  const company = await make.entity();
  const person = await make.employee({ entity_id: company.id, password: former, ...fields });
  await happens(person.user_id);
  const answer = await ask(person.email);
  expect([answer.status, answer.body.message]).toEqual([200, said]);
  expect(await tokensOf(person.email)).toEqual([]);
  expect(await links(person.user_id)).toBe(0);
  expect(outcomes(answer.headers['x-request-id'])).toEqual(['not_allowed']);
});

test('a link is void once its account may not ask any more', async () => {
  const person = await inAcme();
  await ask(person.email);
  const [token = ''] = await tokensOf(person.email);
  expect((await check(token)).status).toBe(200);
  await owner.query(
    "insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin' on conflict do nothing",
    [person.user_id],
  );
  expect((await check(token)).body.errors).toEqual({ token: [dead] });
  expect((await redeem(token)).status).toBe(422);
  expect(await signIn(person.email, former)).toBe(200);
});

/** A person whose address HR set and who got a link there: HR may be able to read that mailbox. */
async function withAddressOfHr() {
  const person = await inAcme({ roles: ['Employee'] });
  const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hr.user_id]);
  await ask(person.email);
  const [token = ''] = await tokensOf(person.email);
  expect((await check(token)).status).toBe(200);
  return { person, hr, token };
}

test('an account that decides about the person who set its address gets no link', async () => {
  const { person, hr, token } = await withAddressOfHr();
  await owner.query('update employees set reporting_manager_id = $1 where id = $2', [person.id, hr.id]);
  expect((await redeem(token)).body.errors).toEqual({ token: [dead] });
  const answer = await ask(person.email);
  expect((await tokensOf(person.email)).filter((sent) => sent !== '')).toEqual([token]);
  expect(outcomes(answer.headers['x-request-id'])).toEqual(['not_allowed']);
  expect(await signIn(person.email, former)).toBe(200);
});

test('an account that may do more than the person who set its address gets no link', async () => {
  const { person, token } = await withAddressOfHr();
  const admin = await as((await make.admin()).user_id);
  const { rows } = await owner.query("select id from roles where name = 'HR'");
  const assignments = [{ role_id: Number(rows[0].id) }];
  expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments })).status).toBe(200);
  expect((await redeem(token)).body.errors).toEqual({ token: [dead] });
  const answer = await ask(person.email);
  expect((await tokensOf(person.email)).filter((sent) => sent !== '')).toEqual([token]);
  expect(outcomes(answer.headers['x-request-id'])).toEqual(['not_allowed']);
  expect(await signIn(person.email, former)).toBe(200);
});

test('a newer link voids the former one; beside them a link of HR stays valid', async () => {
  const person = await inAcme();
  const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
  await hr.post(`/api/employees/${person.id}/reset-password`);
  const [ofHr = ''] = await tokensOf(person.email);
  await ask(person.email);
  await tokensOf(person.email);
  await ask(person.email);
  const [, first = '', second = ''] = await tokensOf(person.email);
  expect([(await check(ofHr)).status, (await check(first)).status, (await check(second)).status]).toEqual([
    200, 422, 200,
  ]);
  expect((await redeem(second)).status).toBe(200);
  // setting a password invalidates all links
  expect((await check(ofHr)).status).toBe(422);
});

test('an account gets three links in an hour, without being told of the fourth', async () => {
  const person = await inAcme();
  for (let n = 0; n < 3; n += 1) {
    await ask(person.email);
    await workOnRequests(app);
  }
  const fourth = await ask(person.email);
  expect([fourth.status, fourth.body.message]).toEqual([200, said]);
  expect((await tokensOf(person.email)).length).toBeLessThanOrEqual(3);
  expect(await links(person.user_id)).toBe(3);
  expect(outcomes(fourth.headers['x-request-id'])).toEqual(['too_many']);
  await owner.query("update own_account_links set created_at = created_at - interval '1 hour' where user_id = $1", [
    person.user_id,
  ]);
  await ask(person.email);
  await workOnRequests(app);
  expect(await links(person.user_id)).toBe(4);
});

test('20 simultaneous requests of one account give at most three links, one of them valid', async () => {
  const person = await inAcme();
  await Promise.all(Array.from({ length: 20 }, (_, n) => ask(person.email, `198.51.100.${n}`)));
  await tokensOf(person.email);
  const { rows } = await owner.query(
    'select count(*)::int as all, count(*) filter (where revoked_at is null)::int as open from own_account_links where user_id = $1',
    [person.user_id],
  );
  expect(rows[0].all).toBeLessThanOrEqual(3);
  expect(rows[0].open).toBe(1);
});

test('a client address asks 20 times in an hour; others go on', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await ask(`absent.${n}@acme.example`, '203.0.113.5')).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  expect((await ask('absent@acme.example', '203.0.113.6')).status).toBe(200);
  await workOnRequests(app);
});

test('needs the CSRF token of its page', async () => {
  const guest = await as();
  guest.cookies.delete('XSRF-TOKEN');
  expect((await guest.post(path, { email: 'absent@acme.example' })).status).toBe(419);
});

test('is off unless the installation turns it on, and needs mail', async () => {
  const off = await startApp(smtp);
  const person = await off.make.employee({ password: former });
  for (const body of [{ email: person.email }, {}, { email: ['a@acme.example'] }])
    expect((await (await off.as()).post(path, body)).status).toBe(404);
  expect(await workOnRequests(off)).toBe(0);
  expect(() => readConfig({ PASSWORD_RESET_BY_MAIL: 'on' })).toThrow(/^PASSWORD_RESET_BY_MAIL: needs SMTP_URL/);
});

test('the page to sign in says whether people may ask', async () => {
  const off = await startApp(smtp);
  const marks = async (from: typeof app) => {
    const { body } = await (await from.as()).get('/login', { accept: 'text/html' });
    return String(body).match(/<meta name="password-reset"[^>]*>/g);
  };
  const [on, none] = [await marks(app), await marks(off)];
  // without a build there is no page
  if (on !== null) expect(on).toHaveLength(1);
  expect(none).toBeNull();
});
