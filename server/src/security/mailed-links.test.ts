import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { mailServer } from '../testing/mail-server.ts';
import { workOnRequests } from '../testing/requested-resets.ts';

/** Attacks through mailed links on other people's accounts: with another mailbox, through scanners, and from logs. */

const { deliver, received, port } = await mailServer();
const app = await startApp({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PASSWORD_RESET_BY_MAIL: 'on',
  LOG_LEVEL: 'trace',
});
const { as, make, deps, owner, logged } = app;
const acme = await make.entity();
const former = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const victimOf = (fields: object = {}) => make.employee({ entity_id: acme.id, password: former, ...fields });
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);

const ask = async (body: unknown, headers: Record<string, string> = {}) =>
  (await as()).post('/api/password-reset-requests', body, headers);
const redeem = async (token: unknown, password = next) =>
  (await as()).post('/api/account-links/redeem', { token, password, password_confirmation: password });
const signIn = async (email: string, password: string) =>
  (await (await as()).post('/login', { email, password })).status;

async function settle() {
  await workOnRequests(app);
  await deliver(deps);
}
const recipientsSince = (start: number) => received.slice(start).flatMap(({ to }) => to);
const tokenTo = (address: string) =>
  received
    .filter(({ to }) => to.includes(address))
    .flatMap(({ source }) => /\/(?:reset|welcome)#([\w-]{43})/.exec(source)?.[1] ?? [])
    .at(-1) ?? '';

beforeEach(() => owner.query('delete from login_attempts'));

describe('N19: a link to a new password goes to the mailbox of the account alone', () => {
  test('lists, objects and a second address are refused, or only the stored address counts', async () => {
    const { email } = await victimOf();
    const start = received.length;
    const evil = 'evil@attacker.example';
    for (const odd of [
      [email, evil],
      [evil, email],
      { 0: email, 1: evil },
      { $ne: null },
      `${email},${evil}`,
      `${email};${evil}`,
      `${email} ${evil}`,
      `${email}\n${evil}`,
      `${email}\r\nBcc: ${evil}`,
      `${email}\u0000${evil}`,
    ]) {
      const answer = await ask({ email: odd });
      expect([odd, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([odd, 422, ['email']]);
    }
    const form = await (
      await as()
    ).send('POST', '/api/password-reset-requests', {
      payload: `email[]=${email}&email[]=${evil}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(422);
    const twice = await (
      await as()
    ).send('POST', '/api/password-reset-requests', {
      payload: `email=${email}&email=${evil}&cc=${evil}&user[email]=${evil}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(twice.status).toBe(200);
    // nothing but the single address is read
    expect((await ask({ email, emails: [evil], to: evil, cc: evil, user_email: evil })).status).toBe(200);
    await settle();
    expect(recipientsSince(start)).toEqual([email]);
  });

  test('plus signs, Unicode twins and other spellings are other addresses', async () => {
    const person = await victimOf();
    await owner.query("update users set email = 'victim@acme.example' where id = $1", [person.user_id]);
    await owner.query('update users set address_changed_at = null where id = $1', [person.user_id]);
    const start = received.length;
    for (const twin of [
      'victim+x@acme.example',
      'vıctim@acme.example',
      'vİctim@acme.example',
      'victіm@acme.example',
      'victim@acme.exаmple',
      'victim@acme.example.',
      'victim@acme.example@attacker.example',
      '"victim@acme.example"@attacker.example',
      'victim%40acme.example@attacker.example',
    ]) {
      const { status } = await ask({ email: twin });
      expect([200, 422]).toContain(status);
    }
    await settle();
    expect(recipientsSince(start)).toEqual([]);
    // the control: other case and width mean the same address, as at a sign-in, and the mail goes to the stored one
    for (const same of ['Victim@ACME.example', 'ｖictim@acme.example']) {
      expect((await ask({ email: same })).status).toBe(200);
      await settle();
    }
    expect(recipientsSince(start)).toEqual(['victim@acme.example', 'victim@acme.example']);
  });

  test('an address that changed is no way to the password for a day', async () => {
    const person = await victimOf();
    const { rowCount } = await owner.query("update users set email = 'box@attacker.example' where id = $1", [
      person.user_id,
    ]);
    expect(rowCount).toBe(1);
    const start = received.length;
    expect((await ask({ email: 'box@attacker.example' })).status).toBe(200);
    expect((await ask({ email: person.email })).status).toBe(200);
    await settle();
    expect(recipientsSince(start)).toEqual([]);
    await owner.query(
      "update users set address_changed_at = address_changed_at - interval '24 hours 1 second' where id = $1",
      [person.user_id],
    );
    expect((await ask({ email: 'box@attacker.example' })).status).toBe(200);
    await settle();
    expect(recipientsSince(start)).toEqual(['box@attacker.example']);
  });

  test('a link that was asked for before the address changed opens nothing', async () => {
    const person = await victimOf();
    await ask({ email: person.email });
    await settle();
    const token = tokenTo(person.email);
    await owner.query("update users set email = 'moved@acme.example' where id = $1", [person.user_id]);
    expect((await redeem(token)).status).toBe(422);
    await owner.query('update users set email = $2 where id = $1', [person.user_id, person.email]);
    expect((await redeem(token)).status).toBe(422);
    expect(await signIn(person.email, former)).toBe(200);
  });

  test('the host of the link is that of the settings', async () => {
    const person = await victimOf();
    const { status } = await ask(
      { email: person.email },
      { host: 'attacker.example', 'x-forwarded-host': 'attacker.example', forwarded: 'host=attacker.example' },
    );
    expect(status).toBe(200);
    await settle();
    const mail = received.find(({ to }) => to.includes(person.email))?.source ?? '';
    expect(mail).toContain('http://localhost:8000/reset#');
    expect(mail).not.toContain('attacker.example');
  });
});

describe('N20: a link is spent by no scanner and stands in no log', () => {
  test('opening it changes nothing, with any method that reads', async () => {
    const person = await victimOf();
    await ask({ email: person.email });
    await settle();
    const token = tokenTo(person.email);
    expect(token).toHaveLength(43);
    const stored = async () =>
      (await owner.query('select * from own_account_links where user_id = $1', [person.user_id])).rows;
    const before = await stored();
    const scanner = await as();
    for (const path of [
      `/reset`,
      `/reset?token=${token}`,
      `/welcome?token=${token}`,
      `/api/account-links/check?token=${token}`,
      `/api/account-links/redeem?token=${token}`,
      `/api/password-reset-requests?email=${person.email}`,
    ])
      for (const method of ['GET', 'HEAD', 'OPTIONS']) await scanner.send(method, path);
    expect(await workOnRequests(app)).toBe(0);
    expect(await stored()).toEqual(before);
    expect(await signIn(person.email, former)).toBe(200);
    expect((await redeem(token)).status).toBe(200);
  });

  test('its token is in no line of the log and in no table, also after refusals and errors', async () => {
    const person = await victimOf();
    await hr.post(`/api/employees/${person.id}/reset-password`);
    await ask({ email: person.email });
    await settle();
    const tokens = received
      .filter(({ to }) => to.includes(person.email))
      .flatMap(({ source }) => /\/reset#([\w-]{43})/.exec(source)?.[1] ?? []);
    expect(tokens).toHaveLength(2);
    const guest = await as();
    for (const token of tokens) {
      await guest.post('/api/account-links/check', { token });
      await guest.post('/api/account-links/check', { token: [token] });
      await guest.post('/api/account-links/redeem', { token, password: 'short', password_confirmation: 'x' });
      await guest.send('PUT', '/api/account-links/redeem', { body: { token } });
      await guest.send('POST', '/api/account-links/nothing', { body: { token } });
      guest.cookies.delete('XSRF-TOKEN');
      await guest.post('/api/account-links/redeem', { token });
    }
    for (const token of tokens) await redeem(token);
    const { rows } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'graphile_worker') and not c.relispartition`,
    );
    // the control: the search would find it
    expect(logged.join('')).toContain('link_rejected');
    expect(rows.map(({ name }) => name)).toContain('own_account_links');
    for (const token of tokens) {
      expect(logged.join('')).not.toContain(token);
      for (const { name } of rows) {
        const found = await owner.query(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [token]);
        expect([name, found.rows]).toEqual([name, []]);
      }
    }
  });

  test('it stands behind the # of its address, which reaches no server', async () => {
    const person = await victimOf();
    await ask({ email: person.email });
    await settle();
    const mail = received.findLast(({ to }) => to.includes(person.email))?.source ?? '';
    const [link = ''] = /http:\/\/localhost:8000\/\S*?#[\w-]{43}/.exec(mail) ?? [];
    const { pathname, search, hash } = new URL(link);
    expect([pathname, search, hash.length]).toEqual(['/reset', '', 44]);
  });
});
