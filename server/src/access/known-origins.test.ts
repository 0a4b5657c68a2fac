import { beforeEach, describe, expect, test } from 'vitest';
import { startHashPool } from '../crypto/hash-pool.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

/**
 * Unknown clients guess an account's password endlessly; its owner signs in from a known network or with a known
 * browser.
 */

const { as, make, owner } = await startApp({ TRUST_PROXY: '127.0.0.0/8' });
const password = 'Str0ng!Passw0rd';
const wrong = 'Wr0ng!Passw0rd';

beforeEach(() => owner.query('delete from login_attempts'));

const elsewhere = (n: number) => `10.1.${Math.floor(n / 250)}.${n % 250}`;
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const signIn = async (client: Client, email: string, ip: string, tried = password) =>
  (await client.post('/login', { email, password: tried }, from(ip))).status;

/** A browser that signed in to the account from an address and signed out. */
async function knownBrowser(email: string, ip: string): Promise<Client> {
  const client = await as();
  expect(await signIn(client, email, ip)).toBe(200);
  expect((await client.post('/logout', undefined, from(ip))).status).toBe(200);
  return client;
}

/** Wrong guesses from different addresses beyond the allowance of unknown clients. */
async function storm(email: string, count = 30) {
  const stranger = await as();
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(await signIn(stranger, email, elsewhere(n), wrong));
  expect(statuses.filter((status) => status === 422)).toHaveLength(20);
  expect(await signIn(await as(), email, '10.9.9.9')).toBe(429);
}

describe('while unknown clients guess at an account endlessly', () => {
  test('its owner signs in from an address used before', async () => {
    const { email } = await make.employee({ password });
    await knownBrowser(email, '192.0.2.7');
    await storm(email);
    for (let n = 0; n < 3; n += 1) expect(await signIn(await as(), email, '192.0.2.7')).toBe(200);
    // another address in an IPv6 network is the same place
    await owner.query('delete from login_attempts');
    await knownBrowser(email, '2001:db8:1:2::7');
    await storm(email);
    expect(await signIn(await as(), email, '2001:db8:1:2:ffff::1')).toBe(200);
    expect(await signIn(await as(), email, '2001:db8:1:3::1')).toBe(429);
  });

  test('its owner signs in from a new address with a browser used before', async () => {
    const { email } = await make.employee({ password });
    const browser = await knownBrowser(email, '192.0.2.7');
    await storm(email);
    expect(await signIn(browser, email, '198.51.100.1')).toBe(200);
    expect(await signIn(browser, email, '198.51.100.2')).toBe(200);
  });

  test('a known browser is not blocked by other clients behind its address', async () => {
    const { email } = await make.employee({ password });
    const browser = await knownBrowser(email, '192.0.2.7');
    const neighbour = await as();
    for (let n = 0; n < 10; n += 1) await signIn(neighbour, email, '192.0.2.7', wrong);
    for (let n = 0; n < 110; n += 1) await signIn(neighbour, `nobody${n}@example.com`, '192.0.2.7', wrong);
    expect(await signIn(neighbour, email, '192.0.2.7')).toBe(429);
    expect(await signIn(browser, email, '192.0.2.7')).toBe(200);
  });

  test("another user's browser, a changed cookie and one of another installation are unknown clients", async () => {
    const [ada, bob] = [await make.employee({ password }), await make.employee({ password })];
    const browser = await knownBrowser(ada.email, '192.0.2.7');
    const other = await knownBrowser(bob.email, '192.0.2.8');
    const elsewhereApp = await startApp();
    const there = await elsewhereApp.make.employee({ password });
    const foreign = await elsewhereApp.as();
    await foreign.post('/login', { email: there.email, password });
    await storm(ada.email);
    expect(await signIn(other, ada.email, '198.51.100.1')).toBe(429);
    const cookie = browser.cookies.get('tenure_device') ?? '';
    const last = cookie.endsWith('A') ? 'B' : 'A';
    for (const value of [`${cookie.slice(0, -1)}${last}`, foreign.cookies.get('tenure_device') ?? '', 'x', '']) {
      const guest = await as();
      guest.cookies.set('tenure_device', value);
      expect(await signIn(guest, ada.email, '198.51.100.1')).toBe(429);
    }
    expect(await signIn(browser, ada.email, '198.51.100.1')).toBe(200);
  });

  test('a known address or browser has no more attempts than unknown clients', async () => {
    const { email } = await make.employee({ password });
    const browser = await knownBrowser(email, '192.0.2.7');
    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      statuses.push(await signIn(browser, email, elsewhere(n), wrong));
      await owner.query(
        "update login_attempts set window_start = window_start - interval '61 seconds' where key like 'pair:%'",
      );
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(20);
    // and does not use up attempts of unknown clients
    expect(await signIn(await as(), email, '10.9.9.9')).toBe(200);
  });

  test('their guesses are notified to the owner who signs in', async () => {
    const person = await make.employee({ password });
    const browser = await knownBrowser(person.email, '192.0.2.7');
    await storm(person.email);
    await signIn(browser, person.email, '198.51.100.1');
    const { rows } = await owner.query(
      "select params->>'count' as count from notifications where user_id = $1 and event = 'account_security_notice' order by id desc",
      [person.user_id],
    );
    expect(rows[0]).toEqual({ count: '20' });
  });
});

describe('correct passwords', () => {
  test('count as no attempt, also when eight browsers sign in to one account at once', async () => {
    const { email } = await make.employee({ password });
    // slow enough for the attempts to overlap
    const slow = startHashPool({ cost: 8 });
    await owner.query('update users set password_hash = $1 where email = $2', [await slow.hash(password), email]);
    await slow.close();
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 5; n += 1) statuses.push(await signIn(await as(), email, '192.0.2.9'));
      }),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const { rows } = await owner.query('select coalesce(sum(attempts), 0)::int as counted from login_attempts');
    expect(rows).toEqual([{ counted: 0 }]);
  });

  test('are not delayed by the half minute between attempts of a known browser', async () => {
    const { email } = await make.employee({ password });
    const browser = await knownBrowser(email, '192.0.2.7');
    for (let n = 0; n < 20; n += 1) {
      await signIn(browser, email, '192.0.2.7', wrong);
      await owner.query("delete from login_attempts where key like 'pair:%'");
    }
    await owner.query("update login_attempts set last_attempt_at = now() - interval '31 seconds'");
    for (let n = 0; n < 3; n += 1) expect(await signIn(browser, email, '192.0.2.7')).toBe(200);
  });
});

describe('known origins', () => {
  const known = async (userId: number) =>
    (
      await owner.query(
        'select kind, count(*)::int as n from known_origins where user_id = $1 group by kind order by kind',
        [userId],
      )
    ).rows;

  test('are at most the latest ten networks and ten browsers of an account', async () => {
    const person = await make.employee({ password });
    const network = (n: number) => `192.0.2.${n}`;
    for (let n = 0; n < 12; n += 1) await knownBrowser(person.email, network(n));
    expect(await known(person.user_id)).toEqual([
      { kind: 'device', n: 10 },
      { kind: 'network', n: 10 },
    ]);
    await storm(person.email);
    expect(await signIn(await as(), person.email, network(11))).toBe(200);
    expect(await signIn(await as(), person.email, network(1))).toBe(429);
  });

  test('are deleted when their session is ended in the list of sessions, and only then', async () => {
    const person = await make.employee({ password });
    const [lost, here] = [await as(), await as()];
    await signIn(lost, person.email, '192.0.2.7');
    await signIn(here, person.email, '192.0.2.8');
    const { data } = (await here.get('/api/profile/sessions', from('192.0.2.8'))).body;
    const { id } = data.find(({ current }: { current: boolean }) => !current);
    expect((await here.send('DELETE', `/api/profile/sessions/${id}`, { headers: from('192.0.2.8') })).status).toBe(204);
    expect(await known(person.user_id)).toEqual([
      { kind: 'device', n: 1 },
      { kind: 'network', n: 1 },
    ]);
    await storm(person.email);
    expect(await signIn(lost, person.email, '192.0.2.7')).toBe(429);
    expect(await signIn(here, person.email, '198.51.100.1')).toBe(200);
  });

  test('remain after a password reset or change', async () => {
    const person = await make.employee({ password });
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    const browser = await knownBrowser(person.email, '192.0.2.7');
    const reset = await hr.post(`/api/employees/${person.id}/reset-password`);
    await storm(person.email);
    expect(await signIn(browser, person.email, '198.51.100.1', reset.body.one_time_password)).toBe(200);
  });

  test('end after 90 days without a sign-in from a network, after 180 without one of a browser', async () => {
    const person = await make.employee({ password });
    const browser = await knownBrowser(person.email, '192.0.2.7');
    await owner.query("update known_origins set last_at = now() - interval '91 days'");
    await storm(person.email);
    expect(await signIn(await as(), person.email, '192.0.2.7')).toBe(429);
    expect(await signIn(browser, person.email, '198.51.100.1')).toBe(200);
    await owner.query("update known_origins set last_at = now() - interval '181 days'");
    expect(await signIn(browser, person.email, '198.51.100.7')).toBe(429);
  });
});

describe('the cookie of a known browser', () => {
  test('is HttpOnly, lives for 180 days, is sealed anew each time and survives the sign-out', async () => {
    const { email } = await make.employee({ password });
    const client = await as();
    const lines: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { setCookies } = await client.post('/login', { email, password });
      lines.push(setCookies.find((line) => line.startsWith('tenure_device=')) ?? '');
    }
    const [first = '', second = ''] = lines;
    expect(first.split('; ').slice(1)).toEqual(['Max-Age=15552000', 'Path=/', 'HttpOnly', 'SameSite=Lax']);
    expect(second.split('; ')[0]).not.toBe(first.split('; ')[0]);
    await client.post('/logout');
    expect(client.cookies.get('tenure_device')).toBe(second.split('; ')[0]?.split('=')[1]);
    // one browser, however often it signs in
    const { rows } = await owner.query(
      "select count(*)::int as n from known_origins k join users u on u.id = k.user_id where u.email = $1 and kind = 'device'",
      [email],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});
