import { describe, expect, test } from 'vitest';
import type { HashWork } from './hash-worker.ts';
import { QueueFull, WorkerQueue } from './worker-queue.ts';

const HASHING = new URL('./hash-worker.ts', import.meta.url);
/** Returns its input, but never responds to `one`. */
const SILENT_FOR_ONE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ input }) => input === 'one' || parentPort.postMessage(input));
  `)}`,
);
const SETTING = `$2b$04$${'.'.repeat(22)}`;

function startQueue(module = HASHING, more: { runMs?: number } = {}): WorkerQueue<HashWork, string> {
  return new WorkerQueue<HashWork, string>({ module, threads: 1, limit: 8, waitMs: 5000, ...more });
}

describe('a worker queue', () => {
  test('answers each task with its own result', async () => {
    const queue = startQueue();
    const inputs = ['one', 'two', 'three', 'one'];
    const [one, two, three, again] = await Promise.all(inputs.map((input) => queue.run({ input, setting: SETTING })));
    expect(again).toBe(one);
    expect(new Set([one, two, three]).size).toBe(3);
    await queue.close();
  });

  test('a task that kills its thread is rejected, and the next one runs in a new thread', async () => {
    const queue = startQueue();
    const poisoned = queue.run({ input: 'one', setting: 'no setting' });
    const next = queue.run({ input: 'two', setting: SETTING });
    await expect(poisoned).rejects.toThrow('Invalid salt');
    expect(await next).toMatch(/^\$2b\$04\$/);
    expect(queue.stats()).toEqual({ threads: 1, running: 0, waiting: 0, done: 1, refused: 0 });
    await queue.close();
  });

  test('a task that exceeds its time is refused, and the next one runs in a new thread', async () => {
    const queue = startQueue(SILENT_FOR_ONE, { runMs: 1_500 });
    const long = queue.run({ input: 'one', setting: SETTING });
    const next = queue.run({ input: 'two', setting: SETTING });
    await expect(long).rejects.toBeInstanceOf(QueueFull);
    expect(await next).toBe('two');
    expect(queue.stats()).toEqual({ threads: 1, running: 0, waiting: 0, done: 1, refused: 1 });
    await queue.close();
  });

  test('a module that cannot load rejects its tasks and blocks none', async () => {
    const queue = startQueue(new URL('./absent.ts', import.meta.url));
    const work = { input: 'one', setting: SETTING };
    const results = await Promise.allSettled([queue.run(work), queue.run(work)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await queue.close();
  });

  test('a closed queue rejects running, queued and new tasks', async () => {
    const queue = startQueue();
    const work = { input: 'one', setting: 10 };
    const tasks = [queue.run(work), queue.run(work)];
    const results = Promise.allSettled(tasks);
    await queue.close();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(queue.run(work)).rejects.toThrow('closed');
    expect(queue.stats()).toMatchObject({ running: 0, waiting: 0 });
  });
});
