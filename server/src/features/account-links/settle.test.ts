import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';
import { workOnRequests } from '../../testing/requested-resets.ts';

/** A new sign-in address: confirmed from the new mailbox, stopped from the old one, cancelled by HR. */

const { deliver, received, port } = await mailServer();
const app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, PASSWORD_RESET_BY_MAIL: 'on' });
const { as, make, deps, owner } = app;
const acme = await make.entity();
const password = 'Str0ng!Passw0rd';
type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const inAcme = (fields: Fields = {}) => make.employee({ entity_id: acme.id, ...fields });
const hrPerson = await inAcme({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const dead = 'This link is not valid any more.';

const signIn = async (email: string) => (await (await as()).post('/login', { email, password })).status;

/** A person who has signed in. */
async function settled(fields: Fields = {}) {
  const person = await inAcme({ password, ...fields });
  await owner.query('update users set last_login_at = now() where id = $1', [person.user_id]);
  return { ...person, next: `next.${person.id}@acme.example` };
}
type Settled = Awaited<ReturnType<typeof settled>>;

const change = ({ id, next }: Settled, more: object = {}, client = hr) =>
  client.put(`/api/employees/${id}`, { email: next, ...more });
const pendingOf = async (id: number) => (await hr.get(`/api/employees/${id}`)).body.data.user.address_change;
const settle = async (token: string) => (await as()).post('/api/account-links/settle', { token });
const check = async (token: string) => (await as()).post('/api/account-links/check', { token });

async function tokenTo(address: string): Promise<string> {
  await deliver(deps);
  return (
    received
      .filter(({ to }) => to.includes(address))
      .flatMap(({ source }) => /\/welcome#([\w-]{43})/.exec(source)?.[1] ?? [])
      .at(-1) ?? ''
  );
}
const verbsOf = async ({ user_id }: Settled) =>
  (
    await owner.query("select action from audit_log where subject_type = 'account' and subject_id = $1 order by id", [
      user_id,
    ])
  ).rows.map(({ action }) => action.replace('account.address_change_', ''));

beforeEach(() => owner.query('delete from login_attempts'));

describe('another address of a person who has signed in', () => {
  test('counts once its mailbox confirmed it; until then the old one signs in', async () => {
    const person = await settled();
    const browser = await as(person.user_id);
    const answer = await change(person, { phone: '+49 30 1234' });
    expect([answer.status, answer.body.data.email, answer.body.data.phone]).toEqual([200, person.email, '+49 30 1234']);
    expect(answer.body.warnings).toEqual([
      `${person.next} must be confirmed first. Until then the person signs in with the current address.`,
    ]);
    expect(await pendingOf(person.id)).toMatchObject({ email: person.next });
    const { sent_at, expires_at } = await pendingOf(person.id);
    expect(Date.parse(expires_at) - Date.parse(sent_at)).toBe(72 * 3_600_000);

    const [fresh, old] = [await tokenTo(person.next), await tokenTo(person.email)];
    expect([fresh.length, old.length, fresh === old]).toEqual([43, 43, false]);
    const seen = await check(fresh);
    expect(seen.body.data).toMatchObject({ purpose: 'address_change', email_hint: 'n•••@acme.example' });
    expect((await check(old)).body.data.purpose).toBe('address_stop');
    expect([await signIn(person.email), await signIn(person.next)]).toEqual([200, 422]);
    expect((await browser.get('/api/me')).status).toBe(200);

    const done = await settle(fresh);
    expect([done.status, done.body]).toEqual([200, { message: 'Address confirmed. You can now sign in with it.' }]);
    expect(done.setCookies.filter((line) => line.startsWith('tenure_session'))).toEqual([]);
    expect((await browser.get('/api/me')).status).toBe(401);
    expect([await signIn(person.email), await signIn(person.next)]).toEqual([422, 200]);
    expect(await pendingOf(person.id)).toBeNull();
    for (const token of [fresh, old]) expect((await settle(token)).body.errors).toEqual({ token: [dead] });
    expect(await verbsOf(person)).toEqual(['requested', 'confirmed']);
    // both addresses are notified
    const start = received.length;
    await deliver(deps);
    const after = received.slice(start).filter(({ subject }) => subject === 'Security alert for your account');
    expect(new Set(after.flatMap(({ to }) => to))).toEqual(new Set([person.email, person.next]));
  });

  test('is stopped by the link to the old one, and HR hears of it', async () => {
    const person = await settled();
    await change(person);
    const [fresh, old] = [await tokenTo(person.next), await tokenTo(person.email)];
    const done = await settle(old);
    expect([done.status, done.body.message]).toEqual([
      200,
      'The change was stopped. You sign in with your current address.',
    ]);
    expect((await settle(fresh)).status).toBe(422);
    expect((await settle(old)).status).toBe(422);
    expect(await pendingOf(person.id)).toBeNull();
    expect(await signIn(person.email)).toBe(200);
    expect(await verbsOf(person)).toEqual(['requested', 'stopped']);
    const { rows } = await owner.query(
      "select 1 from notifications where user_id = $1 and variant = 'address_stopped' and subject_id = $2",
      [hrPerson.user_id, person.user_id],
    );
    expect(rows).toHaveLength(1);
  });

  test('is cancelled by HR, and replaced by a newer one', async () => {
    const person = await settled();
    await change(person);
    const first = await tokenTo(person.next);
    const other = { ...person, next: `other.${person.id}@acme.example` };
    await change(other);
    expect((await settle(first)).status).toBe(422);
    const second = await tokenTo(other.next);
    expect((await check(second)).status).toBe(200);
    const path = `/api/employees/${person.id}/address-change`;
    expect([(await hr.delete(path)).status, (await hr.delete(path)).status]).toEqual([204, 204]);
    expect((await settle(second)).status).toBe(422);
    expect(await verbsOf(person)).toEqual(['requested', 'requested', 'cancelled']);
  });

  test('of 20 simultaneous uses of its link one counts', async () => {
    const person = await settled();
    await change(person);
    const token = await tokenTo(person.next);
    const answers = await Promise.all(Array.from({ length: 20 }, () => settle(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await signIn(person.next)).toBe(200);
  });

  test('takes effect at once when HR says so', async () => {
    const person = await settled();
    await change(person, {});
    const pending = await tokenTo(person.next);
    const answer = await change(person, { address_takes_effect: 'now' });
    expect([answer.status, answer.body.data.email, answer.body.warnings]).toEqual([200, person.next, undefined]);
    expect((await settle(pending)).status).toBe(422);
    expect([await signIn(person.email), await signIn(person.next)]).toEqual([422, 200]);
  });

  test('of another person is refused as taken, at once and at the confirmation', async () => {
    const [person, other] = [await settled(), await settled()];
    const taken = await change({ ...person, next: other.email });
    expect([taken.status, taken.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
    await change(person);
    const token = await tokenTo(person.next);
    await change({ ...other, next: person.next }, { address_takes_effect: 'now' });
    const late = await settle(token);
    expect([late.status, Object.keys(late.body.errors)]).toEqual([422, ['email']]);
    expect(await signIn(person.email)).toBe(200);
  });
});

describe('an address counts at once', () => {
  test('of a person who never signed in', async () => {
    const person = await inAcme();
    const answer = await hr.put(`/api/employees/${person.id}`, { email: `first.${person.id}@acme.example` });
    expect(answer.body.data.email).toBe(`first.${person.id}@acme.example`);
  });

  test('of a person whose mailbox gets no mail', async () => {
    const person = await settled({ activity_status: 'inactive' });
    expect((await change(person)).body.data.email).toBe(person.next);
  });

  test('without mail', async () => {
    const quiet = await startApp();
    const person = await quiet.make.employee({ password });
    await quiet.owner.query('update users set last_login_at = now() where id = $1', [person.user_id]);
    const client = await quiet.as((await quiet.make.employee({ roles: ['HR'] })).user_id);
    const answer = await client.put(`/api/employees/${person.id}`, { email: 'moved@acme.example' });
    expect([answer.status, answer.body.data.email]).toEqual([200, 'moved@acme.example']);
  });
});

describe('the links of a change', () => {
  test('choose no password, and links to passwords settle no address', async () => {
    const person = await settled();
    await change(person);
    const token = await tokenTo(person.next);
    const chosen = await (
      await as()
    ).post('/api/account-links/redeem', { token, password: 'An0ther#Phrase', password_confirmation: 'An0ther#Phrase' });
    expect([chosen.status, chosen.body.errors]).toEqual([422, { token: [dead] }]);
    const other = await settled();
    await hr.post(`/api/employees/${other.id}/reset-password`);
    await deliver(deps);
    const mail = received.findLast(({ to }) => to.includes(other.email))?.source ?? '';
    const [, reset = ''] = /\/reset#([\w-]{43})/.exec(mail) ?? [];
    expect((await settle(reset)).status).toBe(422);
    expect((await check(reset)).status).toBe(200);
  });

  test.each<[string, (person: Settled, sender: { user_id: number; id: number }) => Promise<unknown>]>([
    [
      'its sender lost the role',
      (_person, { user_id }) => owner.query('delete from role_assignments where user_id = $1', [user_id]),
    ],
    [
      'its sender left',
      (_person, { id }) => owner.query("update employees set activity_status = 'inactive' where id = $1", [id]),
    ],
    [
      'the person is an administrator now',
      ({ user_id }) =>
        owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'", [
          user_id,
        ]),
    ],
    [
      'the person chose another password',
      ({ user_id }) => owner.query("update users set password_hash = 'another' where id = $1", [user_id]),
    ],
    [
      'its time is over',
      ({ user_id }) =>
        owner.query("update own_account_links set expires_at = now() - interval '1 second' where user_id = $1", [
          user_id,
        ]),
    ],
    [
      'the account is disabled',
      ({ user_id }) => owner.query('update users set is_enabled = false where id = $1', [user_id]),
    ],
    [
      'the employment is over',
      ({ id }) => owner.query("update employees set activity_status = 'inactive' where id = $1", [id]),
    ],
  ])('are void when %s', async (_what, happens) => {
    const sender = await inAcme({ roles: ['HR'] });
    const person = await settled();
    expect((await change(person, {}, await as(sender.user_id))).status).toBe(200);
    const token = await tokenTo(person.next);
    expect((await check(token)).status).toBe(200);
    await happens(person, sender);
    expect((await check(token)).body.errors).toEqual({ token: [dead] });
    expect((await settle(token)).status).toBe(422);
    const { rows } = await owner.query('select email from users where id = $1', [person.user_id]);
    expect(rows).toEqual([{ email: person.email }]);
  });

  test('give no way to the password for a day, and a confirmed address belongs to the sender as before', async () => {
    const person = await settled();
    await change(person);
    await settle(await tokenTo(person.next));
    await (await as()).post('/api/password-reset-requests', { email: person.next });
    await workOnRequests(app);
    await deliver(deps);
    expect(received.filter(({ to, source }) => to.includes(person.next) && source.includes('/reset#'))).toEqual([]);
    const { rows } = await owner.query('select address_set_by from users where id = $1', [person.user_id]);
    expect(rows).toEqual([{ address_set_by: String(hrPerson.user_id) }]);
  });

  test('are open to the people who may change the address', async () => {
    const boss = await settled({ roles: ['Admin'] });
    expect((await change(boss)).status).toBe(403);
    const person = await settled();
    await change(person);
    const path = `/api/employees/${person.id}/address-change`;
    expect((await (await as(person.user_id)).delete(path)).status).toBe(403);
    expect((await (await as((await inAcme()).user_id)).delete(path)).status).toBe(403);
    const elsewhere = await make.entity();
    const foreign = await make.employee({
      entity_id: elsewhere.id,
      roles: [{ role: 'HR', entity_ids: [elsewhere.id] }],
    });
    expect((await (await as(foreign.user_id)).delete(path)).status).toBe(404);
    expect(await pendingOf(person.id)).not.toBeNull();
  });
});

test('an import changes the address at once, tells both addresses and voids the links of a change', async () => {
  const person = await settled();
  await change(person);
  const token = await tokenTo(person.next);
  const imported = `imported.${person.id}@acme.example`;
  const admin = await as((await make.admin()).user_id);
  const start = received.length;
  const upload = await admin.upload(
    '/api/employees/import',
    { name: 'people.csv', content: `employee_number,email\n${person.employee_number},${imported}\n` },
    { on_conflict: 'update' },
  );
  expect([upload.body.data?.status, upload.body.data?.counts?.updated]).toEqual(['completed', 1]);
  expect((await settle(token)).status).toBe(422);
  expect([await signIn(person.email), await signIn(imported)]).toEqual([422, 200]);
  await deliver(deps);
  const notified = received.slice(start).flatMap(({ to }) => to);
  expect(notified).toContain(person.email);
  expect(notified).toContain(imported);
});
