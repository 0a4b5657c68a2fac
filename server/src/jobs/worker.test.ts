import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { addJob, isUnderWay } from './queue.ts';
import { startWorker } from './worker.ts';

const { deps, owner, logged } = await startApp();
const noTasks = { timed: [], tasks: {} };

test('a job runs only if its transaction commits', async () => {
  const seen: unknown[] = [];
  const worker = await startWorker(deps, {
    ...noTasks,
    tasks: {
      note: async (_ctx, payload) => {
        seen.push(payload);
      },
    },
  });
  const undone = deps.db.transaction().execute(async (db) => {
    await addJob(db, 'note', { text: 'undone' });
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  await deps.db.transaction().execute((db) => addJob(db, 'note', { text: 'done' }));
  await vi.waitFor(() => expect(seen).toEqual([{ text: 'done' }]), 15_000);
  await worker.stop();
});

test('a job that failed for good runs when it is added again', async () => {
  let runs = 0;
  await addJob(deps.db, 'again', {}, { key: 'again:1', maxAttempts: 2 });
  await owner.query("update graphile_worker._private_jobs set attempts = 2 where key = 'again:1'");
  const underWay = async () =>
    (await sql<{ it: boolean }>`select ${isUnderWay(sql`'again:1'`)} as it`.execute(deps.db)).rows[0]?.it;
  expect(await underWay()).toBe(false);
  await addJob(deps.db, 'again', {}, { key: 'again:1', maxAttempts: 2 });
  expect(await underWay()).toBe(true);
  const worker = await startWorker(deps, { ...noTasks, tasks: { again: async () => void (runs += 1) } });
  await vi.waitFor(() => expect(runs).toBe(1), 15_000);
  await worker.stop();
  expect(await underWay()).toBe(false);
});

test('of several workers one starts a timed task, also a missed one', async () => {
  let runs = 0;
  const timed = [
    {
      name: 'count_runs',
      at: '0 3 * * *',
      run: async () => {
        runs += 1;
      },
    },
  ];
  await owner.query(
    "insert into graphile_worker._private_known_crontabs (identifier, known_since) values ('count_runs', now() - interval '3 days')",
  );
  const workers = await Promise.all([1, 2, 3].map(() => startWorker(deps, { ...noTasks, timed })));
  await vi.waitFor(() => expect(runs).toBe(1), 15_000);
  // a second start has nothing to catch up on
  await Promise.all(workers.map((worker) => worker.stop()));
  const late = await startWorker(deps, { ...noTasks, timed });
  await addJob(deps.db, 'count_runs');
  await vi.waitFor(() => expect(runs).toBe(2), 15_000);
  await late.stop();
  expect(runs).toBe(2);
});

test('a worker reconnects after its connections were cut', async () => {
  let runs = 0;
  const tasks = {
    survive: async () => {
      runs += 1;
    },
  };
  const worker = await startWorker(deps, { ...noTasks, tasks });
  await addJob(deps.db, 'survive');
  await vi.waitFor(() => expect(runs).toBe(1), 15_000);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`.execute(deps.db);
  await vi.waitFor(() => sql`select 1`.execute(deps.db), 15_000);
  await addJob(deps.db, 'survive');
  await vi.waitFor(() => expect(runs).toBe(2), 15_000);
  await worker.stop();
  expect(logged.join('')).not.toContain('"level":60');
});
