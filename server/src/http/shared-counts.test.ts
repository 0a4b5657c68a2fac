import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { rateLimit } from './limits.ts';
import { openSharedCounts } from './shared-counts.ts';

const { deps, owner } = await startApp();
const minute = 60_000;
const start = Date.UTC(2026, 10, 27, 9);

/** Processes that share a database; the test makes them report. */
function openProcesses(count: number, limit: number, now = () => start) {
  return Array.from({ length: count }, () => {
    const counts = openSharedCounts(deps.db, 3_600_000);
    return { counts, ...rateLimit(limit, { now, report: counts.reportOf('general') }) };
  });
}

type Process = ReturnType<typeof openProcesses>[number];
const isTaken = ({ consume }: Process, key: string | number) => consume(key).remaining >= 0;
const takenOf = (process: Process, key: string | number, times: number) =>
  Array.from({ length: times }, () => isTaken(process, key)).filter(Boolean).length;
const rowsOf = async (key: string | number) =>
  (await owner.query<{ used: number }>('select used from rate_counts where key = $1', [String(key)])).rows;

test('a process hears of the others once a user is above a tenth of the limit', async () => {
  const [one, two] = openProcesses(2, 100) as [Process, Process];
  expect(takenOf(one, 'a', 90)).toBe(90);
  await one.counts.flush();
  expect(takenOf(two, 'a', 10)).toBe(10);
  await two.counts.flush();
  expect(await rowsOf('a')).toEqual([{ used: 90 }]);
  // now above a tenth
  expect(two.consume('a').remaining).toBe(89);
  await two.counts.flush();
  expect(await rowsOf('a')).toEqual([{ used: 101 }]);
  expect(two.consume('a').remaining).toBe(-1);
  expect(two.consume('b').remaining).toBe(99);
});

test('a table that a crash emptied gives no request back', async () => {
  const [one, two] = openProcesses(2, 100) as [Process, Process];
  takenOf(one, 'emptied', 50);
  await one.counts.flush();
  takenOf(two, 'emptied', 20);
  await two.counts.flush();
  await owner.query('truncate rate_counts');
  expect(two.consume('emptied').remaining).toBe(29);
  await two.counts.flush();
  expect(two.consume('emptied').remaining).toBe(28);
});

test('counts are of one minute, one scope and one user', async () => {
  let now = start + 10_000;
  const [one] = openProcesses(1, 10, () => now) as [Process];
  const other = rateLimit(10, { now: () => now, report: one.counts.reportOf('lookup') });
  for (let n = 0; n < 9; n += 1) {
    other.consume(77);
    for (const key of [77, 78]) one.consume(key);
  }
  await one.counts.flush();
  expect(one.consume(77)).toEqual({ remaining: 0, seconds: 50 });
  now += minute;
  expect(one.consume(77)).toEqual({ remaining: 9, seconds: 50 });
  one.consume(77);
  await one.counts.flush();
  const { rows } = await owner.query(
    "select extract(epoch from slot - to_timestamp($1))::int as slot, scope, key, used from rate_counts where key in ('77', '78') order by 1, 2, 3",
    [start / 1_000],
  );
  expect(rows).toEqual([
    { slot: 0, scope: 'general', key: '77', used: 9 },
    { slot: 0, scope: 'general', key: '78', used: 9 },
    { slot: 0, scope: 'lookup', key: '77', used: 9 },
    { slot: 60, scope: 'general', key: '77', used: 2 },
  ]);
});

type Step = { at: number; requests: number; reports: boolean };

test(
  'a user gets the limit, a tenth more for each process, and what came between two reports; never less',
  { timeout: 120_000 },
  async () => {
    const most = 7;
    const steps = fc.array(
      fc.record<Step>({ at: fc.nat({ max: 4 }), requests: fc.integer({ min: 1, max: most }), reports: fc.boolean() }),
      { minLength: 20, maxLength: 80 },
    );
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        steps,
        async (count, limit, all) => {
          const key = `user ${(serial += 1)}`;
          const processes = openProcesses(count, limit);
          // requests of each process since its last report
          const silent = processes.map(() => 0);
          let taken = 0;
          for (const { at, requests, reports } of all) {
            const index = at % count;
            const process = processes[index] as Process;
            for (let n = 0; n < requests; n += 1) {
              if (isTaken(process, key)) taken += 1;
              // no request below the limit is refused
              else expect(taken).toBeGreaterThanOrEqual(limit);
              silent[index] = (silent[index] ?? 0) + 1;
              // after this many at the latest, the second is over
              if (reports || (silent[index] ?? 0) >= most) {
                await process.counts.flush();
                silent[index] = 0;
              }
            }
          }
          expect(taken).toBeLessThanOrEqual(limit * (1 + 0.1 * count) + count * most);
        },
      ),
      { numRuns: 25 },
    );
  },
);

test('reports at the same moment neither deadlock nor lose a request', async () => {
  const users = Array.from({ length: 40 }, (_, n) => `many ${n}`);
  const processes = openProcesses(4, 1_000_000);
  const report = async (process: Process, order: readonly string[]) => {
    for (let round = 0; round < 5; round += 1) {
      for (const user of order) for (let n = 0; n < 3; n += 1) process.consume(user);
      await process.counts.flush();
    }
  };
  // these are far below a tenth
  await Promise.all(processes.map((process) => report(process, users)));
  expect(await rowsOf('many 0')).toEqual([]);
  const loud = openProcesses(4, 10);
  await Promise.all(loud.map((process, index) => report(process, index % 2 ? users : users.toReversed())));
  for (const user of users) {
    const [row] = await rowsOf(user);
    // each reported at least once; requests above the limit need no report
    expect(row?.used).toBeGreaterThanOrEqual(10);
    expect(row?.used).toBeLessThanOrEqual(4 * 15);
  }
});

test('without its database a process counts for itself, and reports all of it afterwards', async () => {
  const { db } = connect({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const away = openSharedCounts(db, 3_600_000);
  const limit = rateLimit(10, { now: () => start, report: away.reportOf('general') });
  for (let n = 0; n < 10; n += 1) expect(limit.consume('alone').remaining).toBe(9 - n);
  await away.flush();
  expect(limit.consume('alone').remaining).toBe(-1);
  await away.stop();
  await db.destroy();

  const [back] = openProcesses(1, 10) as [Process];
  takenOf(back, 'back', 5);
  await owner.query('alter table rate_counts rename to hidden_counts');
  await back.counts.flush();
  await owner.query('alter table hidden_counts rename to rate_counts');
  expect(back.consume('back').remaining).toBe(4);
  await back.counts.flush();
  expect(await rowsOf('back')).toEqual([{ used: 6 }]);
});
