import { expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { freeAbandonedJobs } from './abandoned.ts';
import { addJob } from './queue.ts';
import { startWorker } from './worker.ts';

const { deps, owner } = await startApp();

test('a job that a killed process had taken runs again once it is freed', async () => {
  await addJob(deps.db, 'note', {}, { queue: 'notes' });
  await owner.query(
    `update graphile_worker._private_job_queues set locked_by = 'killed', locked_at = now();
     update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now()`,
  );
  let runs = 0;
  const tasks = {
    note: async () => {
      runs += 1;
    },
  };
  const worker = await startWorker(deps, { timed: [], tasks });
  await addJob(deps.db, 'note');
  await vi.waitFor(() => expect(runs).toBe(1), { timeout: 5_000 });
  await freeAbandonedJobs(deps.db);
  await addJob(deps.db, 'note');
  await vi.waitFor(() => expect(runs).toBe(3), { timeout: 5_000 });
  await worker.stop();
});
