import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import pg from 'pg';
import { startApp } from '../testing/app.ts';
import { startLine } from '../testing/database-line.ts';
import { freeAbandonedJobs, freeJobsOf } from './abandoned.ts';
import { addJob } from './queue.ts';
import { startWorker } from './worker.ts';

const { deps, owner, logged, database, make } = await startApp();
const pulse = { beat: 50, timeout: 1_000 };

const workers = async () =>
  (await owner.query<{ id: string }>('select id from job_workers order by id')).rows.map(({ id }) => id);
const takeAllAs = (id: string, age = '0 seconds') =>
  owner.query(
    `update graphile_worker._private_job_queues set locked_by = '${id}', locked_at = now() - interval '${age}';
     update graphile_worker._private_jobs set locked_by = '${id}', locked_at = now() - interval '${age}'`,
  );

/** Tasks that count the runs of `note`. */
function counting() {
  const seen = { runs: 0 };
  const note = async () => {
    seen.runs += 1;
  };
  return { seen, options: { timed: [], tasks: { note }, pulse } };
}

test('a job taken by a killed process runs again once it is freed', async () => {
  await addJob(deps.db, 'note', {}, { queue: 'notes' });
  await takeAllAs('killed');
  const { seen, options } = counting();
  const worker = await startWorker(deps, { ...options, pulse: { beat: 20_000, timeout: 120_000 } });
  await addJob(deps.db, 'note');
  await vi.waitFor(() => expect(seen.runs).toBe(1), 15_000);
  // a job that ran and is still in the queue would be released too
  await vi.waitFor(async () => {
    const { rows } = await owner.query('select locked_by from graphile_worker._private_jobs');
    expect(rows).toEqual([{ locked_by: 'killed' }]);
  }, 15_000);
  await freeAbandonedJobs(deps.db);
  await addJob(deps.db, 'note');
  await vi.waitFor(() => expect(seen.runs).toBe(3), 15_000);
  await worker.stop();
});

test('of a killed worker jobs, queues and imports are freed, and nothing of others', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into imports (type, status, file_name, file_size, file_hash, format, dry_run, mode, on_conflict, date_format,
                          create_departments, columns, created_by, created_by_name, leased_until)
     select 'employees', 'processing', 'people.csv', 1, 'hash-' || n, 'csv', false, 'partial', 'fail', 'YYYY-MM-DD',
            false, '[]', $1, 'Kim', now() + interval '1 minute' from generate_series(1, 2) as n
     returning id`,
    [(await make.admin()).user_id],
  );
  for (const { id } of rows) await addJob(deps.db, 'run_import', { id }, { queue: `import-${id}` });
  await takeAllAs('killed');
  await owner.query(`update graphile_worker._private_jobs set locked_by = 'living' where payload->>'id' = $1`, [
    String(rows[1]?.id),
  ]);
  await owner.query("insert into job_workers values ('killed'), ('living')");
  await freeJobsOf(deps.db, ['killed']);
  const locks = await owner.query(
    `select locked_by, (i.leased_until <= now()) as is_free from graphile_worker._private_jobs j
     join imports i on i.id = (j.payload->>'id')::int order by i.id`,
  );
  expect(locks.rows).toEqual([
    { locked_by: null, is_free: true },
    { locked_by: 'living', is_free: false },
  ]);
  expect(await workers()).toEqual(['living']);
  await owner.query('delete from graphile_worker._private_jobs; delete from job_workers; delete from imports');
});

test('the job of a worker without heartbeats goes to another worker', async () => {
  await addJob(deps.db, 'note', {}, { queue: 'notes' });
  await takeAllAs('dead', '2 seconds');
  await owner.query("insert into job_workers values ('dead', now() - interval '2 seconds')");
  const { seen, options } = counting();
  const worker = await startWorker(deps, options);
  await vi.waitFor(() => expect(seen.runs).toBe(1), 15_000);
  expect(await workers()).toEqual([expect.stringMatching(/^pool-/)]);
  expect(logged.join('')).toContain('"event":"worker_lost","workers":["dead"]');
  await worker.stop();
  expect(await workers()).toEqual([]);
});

test('a live worker keeps its job, however long that takes', async () => {
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const tasks = {
    slow: async () => {
      await slow.promise;
      done.push('slow');
    },
  };
  // longer than a busy machine delays the heartbeats of a live worker
  const patient = { beat: 50, timeout: 3_000 };
  const holder = await startWorker(deps, { timed: [], tasks, pulse: patient });
  await addJob(deps.db, 'slow');
  await vi.waitFor(async () => {
    const { rows } = await owner.query('select from graphile_worker._private_jobs where locked_at is not null');
    expect(rows).toHaveLength(1);
  }, 15_000);
  const other = await startWorker(deps, {
    timed: [],
    tasks: { slow: async () => void done.push('twice') },
    pulse: patient,
  });
  await sleep(4_000);
  slow.resolve();
  await vi.waitFor(() => expect(done).toEqual(['slow']), 15_000);
  await Promise.all([holder.stop(), other.stop()]);
  expect(done).toEqual(['slow']);
});

test('a worker after an outage waits for heartbeats of the others before it frees jobs', async () => {
  await addJob(deps.db, 'note', {}, { queue: 'notes' });
  await takeAllAs('paused', '1 hour');
  await owner.query("insert into job_workers values ('paused', now() - interval '1 hour')");
  const { seen, options } = counting();
  const worker = await startWorker(deps, { ...options, pulse: { beat: 2_000, timeout: 8_000 } });
  // the other worker sends a heartbeat as soon as this one is back, before its next beat
  const speak = `update job_workers set last_seen_at = now() + interval '1 minute'
    where id = 'paused' and (select count(*) from job_workers) = 2`;
  await vi.waitFor(async () => expect((await owner.query(speak)).rowCount).toBe(1), { timeout: 15_000, interval: 10 });
  await sleep(2_200);
  expect(seen.runs).toBe(0);
  expect(await workers()).toContain('paused');
  await owner.query("update job_workers set last_seen_at = now() - interval '1 hour' where id = 'paused'");
  await vi.waitFor(() => expect(seen.runs).toBe(1), 15_000);
  await worker.stop();
});

test('a worker that is stopped during its start stops', async () => {
  const { options } = counting();
  await (await startWorker(deps, options)).stop();
  expect(await workers()).toEqual([]);
});

test.each(['ends', 'fails'])(
  'a job that %s while the database is away runs again, and the process lives',
  async (how) => {
    const line = await startLine(database.appUrl);
    const pool = new pg.Pool({ connectionString: line.url });
    let runs = 0;
    const away = async () => {
      runs += 1;
      if (runs > 1) return;
      line.cut();
      if (how === 'fails') throw new Error('no database');
    };
    const worker = await startWorker({ ...deps, pool }, { timed: [], tasks: { away }, pulse });
    await addJob(deps.db, 'away');
    await vi.waitFor(() => expect(runs).toBe(1), 15_000);
    await sleep(300);
    line.mend();
    await vi.waitFor(() => expect(runs).toBe(2), 15_000);
    await worker.stop();
    await Promise.all([pool.end(), line.close()]);
  },
);

test('a worker that is stopped while its listening connection breaks ends in order', async () => {
  const line = await startLine(database.appUrl);
  const pool = new pg.Pool({ connectionString: line.url });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const asked = line.silenceAfter('LISTEN "jobs:insert"');
  const worker = await startWorker({ ...deps, pool }, { timed: [], tasks: {} });
  await asked;
  const stopped = worker.stop();
  await sleep(100);
  line.cut();
  await stopped;
  await Promise.all([pool.end(), line.close()]);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
