import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { clientFor } from '../testing/client.ts';
import { reserveTry } from './login-limits.ts';

const { app, as, make, deps, owner } = await startApp();
const { db } = deps;
const password = 'Str0ng!Passw0rd';
const elsewhere = (n: number) => `10.1.${Math.floor(n / 250)}.${n % 250}`;

beforeEach(() => owner.query('delete from login_attempts'));
const later = (seconds: number) =>
  owner.query(
    'update login_attempts set window_start = window_start - make_interval(secs => $1), last_attempt_at = last_attempt_at - make_interval(secs => $1)',
    [seconds],
  );
const wait = async (email: string, ip: string) => {
  const taken = await reserveTry(db, email, { ip, device: null });
  if ('wait' in taken) return taken.wait;
  await taken.fail();
  return 0;
};
const tries = async (count: number, email: (n: number) => string, ip: (n: number) => string) => {
  const waits: number[] = [];
  for (let n = 0; n < count; n += 1) waits.push(await wait(email(n), ip(n)));
  return waits.filter((seconds) => seconds === 0).length;
};

describe('the numbers', () => {
  test('an account from one address: 5 failures in 60 seconds, counted from the first', async () => {
    expect(
      await tries(
        6,
        () => 'ada@example.com',
        () => '10.0.0.1',
      ),
    ).toBe(5);
    const seconds = await wait('ada@example.com', '10.0.0.1');
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await wait('bob@example.com', '10.0.0.1')).toBe(0);
    expect(await wait('ada@example.com', '10.0.0.2')).toBe(0);
    await later(30);
    expect(await wait('ada@example.com', '10.0.0.1')).toBeLessThanOrEqual(30);
    await later(31);
    expect(await wait('ada@example.com', '10.0.0.1')).toBe(0);
  });

  test('an account from anywhere: 20 in 15 minutes, then one attempt every 30 seconds and never a lock', async () => {
    expect(await tries(30, () => 'ada@example.com', elsewhere)).toBe(20);
    expect(await wait('ada@example.com', '10.9.9.9')).toBeLessThanOrEqual(30);
    for (let n = 0; n < 3; n += 1) {
      await later(31);
      expect(
        await tries(
          3,
          () => 'ada@example.com',
          (m) => elsewhere(100 + 3 * n + m),
        ),
      ).toBe(1);
    }
    await later(900);
    expect(
      await tries(
        3,
        () => 'ada@example.com',
        (m) => elsewhere(200 + m),
      ),
    ).toBe(3);
  });

  test('an address: 100 a minute, IPv6 by its network', async () => {
    const account = (n: number) => `person${n}@example.com`;
    expect(await tries(103, account, () => '10.0.0.1')).toBe(100);
    expect(await tries(103, account, (n) => `2001:db8:1:2:${n}::${n}`)).toBe(100);
    expect(await wait('someone@example.com', '2001:db8:1:3::1')).toBe(0);
  });

  test('a refused attempt counts nowhere', async () => {
    await tries(
      5,
      () => 'ada@example.com',
      () => '10.0.0.1',
    );
    await tries(
      200,
      () => 'ada@example.com',
      () => '10.0.0.1',
    );
    expect(await wait('bob@example.com', '10.0.0.1')).toBe(0);
    expect(await wait('ada@example.com', '10.0.0.2')).toBe(0);
  });

  test('a success clears the failures of its pair and counts for no other', async () => {
    await tries(
      4,
      () => 'ada@example.com',
      () => '10.0.0.1',
    );
    const success = await reserveTry(db, 'ada@example.com', { ip: '10.0.0.1', device: null });
    if ('wait' in success) throw new Error('no try left');
    await success.release();
    expect(
      await tries(
        6,
        () => 'ada@example.com',
        () => '10.0.0.1',
      ),
    ).toBe(5);
  });
});

/** People with the same password, hashed once. */
async function crowd(size: number) {
  const department = await make.department();
  const people = await Promise.all(
    Array.from({ length: size }, () =>
      make.employee({ department_id: department.id, entity_id: department.entity_id }),
    ),
  );
  await owner.query('update users set password_hash = $1 where id = any($2)', [
    await deps.hashing.hash(password),
    people.map(({ user_id }) => user_id),
  ]);
  return people;
}

describe('signing in', () => {
  const wrong = { email: 'ada@example.com', password: 'Wr0ng!Passw0rd' };

  test('of 200 parallel guesses at most 5 reach the hashing', async () => {
    const { email } = await make.employee({ password });
    const guests = await Promise.all(Array.from({ length: 200 }, () => as()));
    const before = deps.hashing.stats();
    const paths = ['/login', '/api/login'];
    const bodies = [
      { email, password: 'x' },
      { email: ` ${email.toUpperCase()}`, password: 'x' },
    ];
    const answers = await Promise.all(guests.map((guest, n) => guest.post(paths[n % 2] ?? '', bodies[(n >> 1) % 2])));
    const { done, refused } = deps.hashing.stats();
    expect(done - before.done).toBeLessThanOrEqual(5);
    expect(refused).toBe(before.refused);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195);
  });

  test('the sixth attempt is refused even with the correct password, also for accounts that do not exist', async () => {
    const { email } = await make.employee({ password });
    const refusals: unknown[] = [];
    for (const account of [email, 'nobody@example.com']) {
      const guest = await as();
      for (let n = 0; n < 5; n += 1)
        expect((await guest.post('/login', { ...wrong, email: account })).status).toBe(422);
      const answer = await guest.post('/login', { email: account, password });
      const seconds = Number(answer.headers['retry-after']);
      const message = `Too many login attempts. Please try again in ${seconds} seconds.`;
      expect([answer.status, answer.body]).toEqual([429, { message, errors: { email: [message] } }]);
      expect(seconds).toBeGreaterThanOrEqual(1);
      refusals.push(Object.keys(answer.headers).sort());
    }
    expect(refusals[0]).toEqual(refusals[1]);
    await later(61);
    expect((await (await as()).post('/login', { email, password })).status).toBe(200);
  });

  test('a missing field is no attempt', async () => {
    const guest = await as();
    for (let n = 0; n < 10; n += 1) expect((await guest.post('/login', { email: wrong.email })).status).toBe(422);
    expect((await owner.query('select from login_attempts')).rowCount).toBe(0);
  });

  test('200 colleagues behind one address all succeed within a minute', async () => {
    const people = await crowd(200);
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let n = lane; n < people.length; n += 8) {
          const guest = await clientFor(app, deps);
          statuses.push((await guest.post('/login', { email: people[n]?.email, password })).status);
        }
      }),
    );
    expect(statuses).toEqual(Array.from({ length: 200 }, () => 200));
  });

  test('a full queue refuses at once and counts as no failure', async () => {
    const people = await crowd(90);
    const guests = await Promise.all(people.map(() => as()));
    const answers = await Promise.all(
      guests.map((guest, n) => guest.post('/login', { email: people[n]?.email, password })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses).difference(new Set([200, 429])).size).toBe(0);
    const { rows } = await owner.query('select coalesce(sum(attempts), 0)::int as counted from login_attempts');
    expect(rows).toEqual([{ counted: 0 }]);
  });
});

test('an attempt that finds the limit used up takes its turn when pending ones end before it looks again', async () => {
  const [email, from] = ['mia@example.com', { ip: '10.0.0.9', device: null }];
  const pending = await Promise.all(Array.from({ length: 5 }, () => reserveTry(db, email, from)));
  deps.pool.on('acquire', (client) => {
    const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
    // a prepared statement or, through a pooler, only its text
    client.query = (async (...asked: [{ text?: string } | string]) => {
      const [statement] = asked;
      if ((typeof statement === 'string' ? statement : statement.text)?.includes('select ceil('))
        for (const taken of pending.splice(0)) if ('release' in taken) await taken.release();
      return query(...asked);
    }) as typeof client.query;
  });
  expect(await reserveTry(db, email, from)).not.toHaveProperty('wait');
});

test('an attempt that waited too long for pending ones may be repeated in a second', async () => {
  const [email, from] = ['noa@example.com', { ip: '10.0.0.10', device: null }];
  for (let n = 0; n < 5; n += 1) expect(await reserveTry(db, email, from)).toHaveProperty('release');
  expect(await reserveTry(db, email, from)).toEqual({ wait: 1 });
});
