import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { budgets } from './http/limits.ts';
import { startApp } from './testing/app.ts';
import type { TestApp } from './testing/app.ts';
import { clientFor } from './testing/client.ts';
import { untilMinuteHas } from './testing/minute.ts';
import { probeRoutes } from './testing/probes.ts';

/** Four services on one database: limits apply to the installation, not to a process. */

const limit = 200;
const start = (beside?: TestApp) =>
  startApp({ RATE_LIMIT_PER_MINUTE: String(limit) }, { bindings: probeRoutes, ...(beside && { beside }) });
const first = await start();
const services = [first, await start(first), await start(first), await start(first)];
const { make, owner, deps } = first;
const newUser = async () => (await make.employee({ roles: ['HR'] })).user_id;

test('a user who alternates between services gets the limit, a tenth more for each, and a second of requests', async () => {
  const user = await newUser();
  const own = await Promise.all(services.map((service) => service.as(user)));
  const neighbour = await first.as(await newUser());
  await untilMinuteHas(25);
  let allowed = 0;
  let refused = 0;
  // until every service refuses from its first request on
  for (let round = 0; refused < services.length && round < 60; round += 1) {
    refused = 0;
    for (const browser of own)
      for (let n = 0; n < 10; n += 1) {
        const { status } = await browser.get('/api/probes/1');
        expect([200, 429]).toContain(status);
        if (status === 200) allowed += 1;
        else if (n === 0) refused += 1;
      }
    await sleep(1_200);
  }
  expect(allowed).toBeGreaterThanOrEqual(limit);
  // 280 and a round of 40; without the counts of the others it would be 800
  expect(allowed).toBeLessThan(2 * limit);
  expect((await neighbour.get('/api/probes/1')).status).toBe(200);
  const refusal = await own[3]?.get('/api/probes/1');
  expect([refusal?.status, refusal?.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
}, 120_000);

test('requests cost no statement more, and a user below a tenth none at all', async () => {
  const [modest, eager] = [await newUser(), await newUser()];
  const [quiet, busy] = [await first.as(modest), await first.as(eager)];
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const costOf = async (client: typeof quiet, requests: number) => {
    const before = statements;
    for (let n = 0; n < requests; n += 1) expect((await client.get('/api/probes/1')).status).toBe(200);
    return statements - before;
  };
  // the first request loads what is stored about a user
  for (const client of [quiet, busy]) await costOf(client, 1);
  const each = await costOf(quiet, 1);
  expect(await costOf(quiet, limit / 10 - 2)).toBe(each * (limit / 10 - 2));
  const began = performance.now();
  const cost = await costOf(busy, limit / 2);
  const seconds = Math.ceil((performance.now() - began) / 1_000);
  expect(cost).toBeGreaterThanOrEqual(each * (limit / 2));
  expect(cost).toBeLessThanOrEqual(each * (limit / 2) + seconds);
  // the report of the last second
  await vi.waitFor(async () => {
    const { rows } = await owner.query('select distinct key from rate_counts where key = any($1)', [
      [String(modest), String(eager)],
    ]);
    expect(rows).toEqual([{ key: String(eager) }]);
  }, 10_000);
});

test('five wrong passwords of an account from one address are all, on whatever service they are tried', async () => {
  const { email } = await make.employee();
  const guests = await Promise.all(services.map(({ app, deps: own }) => clientFor(app, own)));
  const statuses: number[] = [];
  for (let n = 0; n < 3; n += 1)
    for (const guest of guests) statuses.push((await guest.post('/login', { email, password: `Wr0ng!${n}` })).status);
  expect(statuses.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 422));
  expect(statuses.slice(5)).toEqual(Array.from({ length: 7 }, () => 429));
});

test('wrong passwords at the same moment are five as well', async () => {
  const { email } = await make.employee();
  const guests = await Promise.all(services.map(({ app, deps: own }) => clientFor(app, own)));
  const all = guests.flatMap((guest) =>
    Array.from({ length: 4 }, (_, n) => guest.post('/login', { email, password: `Wr0ng!${n}` })),
  );
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(11);
});

test('the exports of a day are 100 on all services together, and after a restart', async () => {
  const user = await newUser();
  const browsers = await Promise.all(services.map((service) => service.as(user)));
  const exported: (number | undefined)[] = [];
  for (let n = 0; n < budgets.export; n += services.length)
    exported.push(...(await Promise.all(browsers.map(async (one) => (await one.get('/api/probes/1/export')).status))));
  expect(new Set(exported)).toEqual(new Set([200]));
  const restarted = await start(first);
  const answers = [...browsers, await restarted.as(user)].map((one) => one.get('/api/probes/1/export'));
  for (const { status, headers } of await Promise.all(answers))
    expect([status, headers['x-ratelimit-limit']]).toEqual([429, String(budgets.export)]);
});
