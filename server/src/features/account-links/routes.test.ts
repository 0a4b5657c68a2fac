import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner, logged } = await startApp({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  TRUST_PROXY: '127.0.0.0/8',
});
const acme = await make.entity();
const inAcme = (fields: Parameters<typeof make.employee>[0] = {}) => make.employee({ entity_id: acme.id, ...fields });
const hrPerson = await inAcme({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const nameOf = ({ employee_number }: { employee_number: string }) => {
  const n = employee_number.slice(2);
  return `First${n} Last${n}`;
};
const former = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const dead = {
  message: 'This link is not valid any more.',
  errors: { token: ['This link is not valid any more.'] },
};

const reset = (id: number, body?: object, client = hr) => client.post(`/api/employees/${id}/reset-password`, body);

/** The tokens in mails to an address, the newest last. */
async function tokensOf(address: string): Promise<string[]> {
  await deliver(deps);
  return received
    .filter(({ to }) => to.includes(address))
    .flatMap(({ source }) => [...source.matchAll(/\/reset#([\w-]+)/g)].map(([, token]) => token as string).slice(0, 1));
}

/** A person with a password and a link. */
async function linked(fields: Parameters<typeof make.employee>[0] = {}) {
  const person = await inAcme({ password: former, ...fields });
  expect((await reset(person.id)).status).toBe(200);
  const token = (await tokensOf(person.email)).at(-1) as string;
  return { person, token };
}

const redeem = async (token: string, password = next, ip = '192.0.2.1') => {
  const guest = await as();
  const body = { token, password, password_confirmation: password };
  return guest.send('POST', '/api/account-links/redeem', { body, headers: { 'x-forwarded-for': ip } });
};
const check = async (token: string) => (await as()).post('/api/account-links/check', { token });
const signIn = async (email: string, password: string) =>
  (await (await as()).post('/login', { email, password })).status;
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];

beforeEach(() => owner.query('delete from login_attempts'));

describe('with mail, a reset', () => {
  test('is a link sent to the person: no password is shown, and the current one works until the link is used', async () => {
    const person = await inAcme({ password: former });
    const browser = await as(person.user_id);
    const answer = await reset(person.id);
    expect([answer.status, answer.body.delivery, answer.body.one_time_password]).toEqual([200, 'mail', undefined]);
    expect(answer.body.message).toBe('The person was sent a link to choose a new password.');
    const hours = (Date.parse(answer.body.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const [token] = await tokensOf(person.email);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(received.filter(({ source }) => source.includes(token as string))).toHaveLength(1);
    expect(JSON.stringify(answer.body)).not.toContain(token);
    expect((await browser.get('/api/me')).status).toBe(200);

    const seen = await check(token as string);
    const hint = person.email.replace(/^(.).*@/, '$1•••@');
    expect(said(seen)).toEqual([
      200,
      {
        data: { purpose: 'password_reset', email_hint: hint, expires_at: answer.body.expires_at, second_factor: false },
        message: seen.body.message,
      },
    ]);
    const set = await redeem(token as string);
    expect(said(set)).toEqual([200, { message: 'Password saved. You can now sign in.' }]);
    expect(set.setCookies.filter((line) => line.startsWith('tenure_session'))).toEqual([]);
    expect((await browser.get('/api/me')).status).toBe(401);
    expect(await signIn(person.email, former)).toBe(422);
    expect(await signIn(person.email, next)).toBe(200);
  });

  test('leaves its token in no table and no log', async () => {
    const { token } = await linked();
    await check(token);
    await redeem(token);
    const { rows } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'graphile_worker') and not c.relispartition`,
    );
    for (const { name } of rows) {
      const found = await owner.query(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [token]);
      expect([name, found.rows]).toEqual([name, []]);
    }
    expect(logged.join('')).not.toContain(token);
  });

  test('shows a password on request, and then notifies the person and the administrators', async () => {
    const admin = await make.admin();
    const inactive = await inAcme({ roles: ['Admin'], activity_status: 'inactive' });
    const person = await inAcme({ password: former });
    const answer = await reset(person.id, { delivery: 'screen' });
    expect([answer.status, answer.body.delivery, answer.body.one_time_password.length]).toEqual([200, 'screen', 20]);
    const notified = async (userId: number) =>
      (await owner.query('select event, params from notifications where user_id = $1 order by id', [userId])).rows;
    expect(await notified(person.user_id)).toEqual([
      { event: 'password_reset_by_admin', params: { actor: nameOf(hrPerson) } },
    ]);
    expect(await notified(admin.user_id)).toEqual([
      { event: 'password_shown', params: { actor: nameOf(hrPerson), person: nameOf(person), count: 1 } },
    ]);
    expect(await notified(inactive.user_id)).toEqual([]);
    await deliver(deps);
    for (const { email } of [admin, person]) expect(received.some(({ to }) => to.includes(email))).toBe(true);
  });

  test('for many people sends links or issues passwords, notifies administrators once, and a dry run issues nothing', async () => {
    const people = [await inAcme(), await inAcme()];
    const admin = await make.admin();
    const gone = await inAcme({ activity_status: 'inactive' });
    const body = { employee_ids: [...people, gone].map(({ id }) => id) };
    const refused = [{ employee_id: gone.id, reason: 'This person can’t sign in.' }];
    const refs = [...people, gone].map((one) => ({
      id: one.id,
      employee_number: one.employee_number,
      name: nameOf(one),
    }));
    const many = (more: object = {}) => hr.post('/api/employees/reset-passwords', { ...body, ...more });
    const tried = await many({ dry_run: true });
    expect(tried.body.data).toEqual({
      delivery: 'mail',
      mail_is_on: true,
      link_hours: 24,
      issued: [],
      sent: [],
      refused,
      people: refs,
    });
    const links = async () => (await owner.query('select 1 from account_links where used_at is null')).rowCount;
    const before = await links();
    const sent = await many();
    expect(sent.body.message).toBe('2 links to choose a new password sent.');
    expect(sent.body.data).toMatchObject({
      issued: [],
      refused,
      sent: people.map((one) => ({ employee_id: one.id, email: one.email })),
    });
    expect(await links()).toBe((before ?? 0) + 2);
    for (const { email } of people) expect(await tokensOf(email)).toHaveLength(1);
    const shown = await many({ delivery: 'screen' });
    expect(shown.body.data).toMatchObject({ sent: [], refused, issued: people.map(({ id }) => ({ employee_id: id })) });
    const { rows } = await owner.query(
      "select variant, params->>'count' as n from notifications where user_id = $1 and event = 'password_shown'",
      [admin.user_id],
    );
    expect(rows).toEqual([{ variant: 'many', n: '2' }]);
  });

  test('reaches the person whatever their notification settings', async () => {
    await owner.query("update notification_settings set email = false where event = 'password_link'");
    const { token } = await linked();
    await owner.query("update notification_settings set email = true where event = 'password_link'");
    expect((await check(token)).status).toBe(200);
  });
});

test('before the first day sends no link, but issues a one-time password in advance', async () => {
  const person = await inAcme({ joining_date: '2099-01-01', activity_status: 'joining' });
  const text = 'This person can’t get emails at the moment. Create a one-time password instead.';
  const answer = await reset(person.id);
  expect([answer.status, answer.body.message]).toEqual([422, text]);
  const many = await hr.post('/api/employees/reset-passwords', { employee_ids: [person.id] });
  expect(many.body.data.refused).toEqual([{ employee_id: person.id, reason: text }]);
  expect(await tokensOf(person.email)).toEqual([]);
  expect((await reset(person.id, { delivery: 'screen' })).status).toBe(200);
});

test('without mail no link is available', async () => {
  const quiet = await startApp();
  const person = await quiet.make.employee();
  const client = await quiet.as((await quiet.make.employee({ roles: ['HR'] })).user_id);
  const answer = await client.post(`/api/employees/${person.id}/reset-password`, { delivery: 'mail' });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { delivery: ['The delivery field can’t be mail: email isn’t set up.'] },
  ]);
});

describe('a link', () => {
  test('is used once: of 20 simultaneous uses one sets a password', async () => {
    const { token } = await linked();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => redeem(token, next, `192.0.2.${n}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(said(answer)).toEqual([422, dead]);
    expect(said(await redeem(token))).toEqual([422, dead]);
    expect(said(await check(token))).toEqual([422, dead]);
  });

  test.each<[string, (person: { id: number; user_id: number }) => Promise<unknown>]>([
    ['a newer one', ({ id }) => reset(id)],
    ['a one-time password', ({ id }) => reset(id, { delivery: 'screen' })],
    [
      'another password',
      async ({ user_id }) =>
        (await as(user_id)).put('/api/profile/password', {
          current_password: former,
          password: 'Th1rd#Phrase',
          password_confirmation: 'Th1rd#Phrase',
        }),
    ],
    ['another address', ({ id }) => hr.put(`/api/employees/${id}`, { email: `new.${id}@acme.example` })],
    [
      'a separation',
      ({ id }) =>
        hr.post(`/api/employees/${id}/separate`, {
          type: 'resigned',
          notice_date: '2026-11-01',
          last_working_date: '2027-01-31',
          reason: 'Moves to another town',
        }),
    ],
    ['a deactivation', ({ id }) => hr.post(`/api/employees/${id}/deactivate`, { reason: 'Away for a long time' })],
    [
      'its time',
      ({ user_id }) =>
        owner.query("update account_links set expires_at = now() - interval '1 second' where user_id = $1", [user_id]),
    ],
    [
      'the end of the account',
      ({ user_id }) => owner.query('update users set is_enabled = false where id = $1', [user_id]),
    ],
  ])('is void after %s', async (_what, happens) => {
    const { person, token } = await linked({ employment_lifecycle: 'confirmed' });
    expect((await check(token)).status).toBe(200);
    const done = (await happens(person)) as { status?: number };
    expect(done.status ?? 200).toBe(200);
    await owner.query('delete from login_attempts');
    expect(said(await check(token))).toEqual([422, dead]);
    const { rows: before } = await owner.query('select password_hash from users where id = $1', [person.user_id]);
    expect(said(await redeem(token))).toEqual([422, dead]);
    const { rows: after } = await owner.query('select password_hash from users where id = $1', [person.user_id]);
    expect(after).toEqual(before);
  });

  test.each<[string, (sender: { id: number; user_id: number }, person: { user_id: number }) => Promise<unknown>]>([
    ['lost the role', ({ user_id }) => owner.query('delete from role_assignments where user_id = $1', [user_id])],
    ['left', ({ id }) => owner.query("update employees set activity_status = 'inactive' where id = $1", [id])],
    [
      'would need to be an administrator now',
      (_sender, { user_id }) =>
        owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'", [
          user_id,
        ]),
    ],
    [
      'is in another company now',
      ({ user_id }) =>
        owner.query('update role_assignments set entity_ids = array[$2::bigint] where user_id = $1', [
          user_id,
          elsewhere.id,
        ]),
    ],
  ])('is void when its sender %s', async (_what, happens) => {
    const sender = await inAcme({ roles: ['HR'] });
    const person = await inAcme({ password: former });
    expect((await reset(person.id, {}, await as(sender.user_id))).status).toBe(200);
    const token = (await tokensOf(person.email)).at(-1) as string;
    expect((await check(token)).status).toBe(200);
    await happens(sender, person);
    expect(said(await check(token))).toEqual([422, dead]);
    expect(said(await redeem(token))).toEqual([422, dead]);
    expect(await signIn(person.email, former)).toBe(200);
  });

  test('obeys all password rules, and a refused password does not use it up', async () => {
    const { person, token } = await linked();
    const guest = await as();
    const problems = async (password: string, password_confirmation = password) =>
      (await guest.post('/api/account-links/redeem', { token, password, password_confirmation })).body.errors.password;
    expect(await problems('short')).toHaveLength(4);
    expect(await problems('Passw0rd!')).toEqual([
      'The given password has appeared in a data leak. Please choose a different password.',
    ]);
    expect(await problems(`X1!x${person.email}`)).toEqual([
      'The password field must not contain your name, your email, your employee number or the name of the company.',
    ]);
    expect(await problems(next, 'An0ther#Phrass')).toEqual(['The password field confirmation does not match.']);
    expect(await problems(former)).toEqual(['The password field and current password must be different.']);
    expect(await problems(`Aa1!${'x'.repeat(1_100)}`)).toHaveLength(1);
    expect((await redeem(token)).status).toBe(200);
  });

  test('is no easier to guess than a password: attempts of unknown clients count, correct ones do not', async () => {
    const { token } = await linked();
    for (let n = 0; n < 8; n += 1) expect((await check(token)).status).toBe(200);
    const { rows } = await owner.query('select sum(attempts)::int as n from login_attempts');
    expect(rows[0].n ?? 0).toBe(0);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 120)
      statuses.push((await redeem(`guess-${statuses.length}`)).status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(100);
    expect((await redeem(token)).status).toBe(429);
    expect((await redeem(token, next, '198.51.100.9')).status).toBe(200);
  });

  test('needs the CSRF token of its page, like a sign-in', async () => {
    const { token } = await linked();
    const guest = await as();
    guest.cookies.delete('XSRF-TOKEN');
    const body = { token, password: next, password_confirmation: next };
    expect((await guest.post('/api/account-links/redeem', body)).status).toBe(419);
    const bare = await guest.send('POST', '/api/account-links/redeem', { body, headers: { referer: '', origin: '' } });
    expect(bare.status).toBe(419);
  });
});

describe('a password chosen by a link', () => {
  /** HR, or the given client, sends a link to the person's address; the reader of that mail chooses this password. */
  async function choose(person: { id: number }, address: string, password: string, client = hr) {
    expect((await reset(person.id, {}, client)).status).toBe(200);
    expect((await redeem((await tokensOf(address)).at(-1) as string, password)).status).toBe(200);
  }
  const promote = async (admin: typeof hr, person: { id: number }) => {
    const { rows } = await owner.query("select id as role_id from roles where name in ('Employee', 'Admin')");
    expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments: rows })).status).toBe(200);
  };
  const readdress = async (person: { id: number }, email: string) =>
    expect((await hr.put(`/api/employees/${person.id}`, { email })).status).toBe(200);

  test('at an address set by HR is void when the person has more rights than HR, also after a change back', async () => {
    const admin = await as((await make.admin()).user_id);
    const person = await inAcme({ password: former });
    await readdress(person, `box.${person.id}@mail.example`);
    await choose(person, `box.${person.id}@mail.example`, next);
    await readdress(person, person.email);
    expect(await signIn(person.email, next)).toBe(200);
    await promote(admin, person);
    expect(await signIn(person.email, next)).toBe(422);
    // an administrator becomes responsible for the address by sending the next link
    await choose(person, person.email, 'Th1rd#Phrase', admin);
    expect(await signIn(person.email, 'Th1rd#Phrase')).toBe(200);
  });

  test('at the original address of the account belongs to the person', async () => {
    const admin = await as((await make.admin()).user_id);
    const person = await inAcme({ password: former });
    await choose(person, person.email, next);
    await promote(admin, person);
    expect(await signIn(person.email, next)).toBe(200);
  });
});

const elsewhere = await make.entity();
