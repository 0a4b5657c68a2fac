import cluster from 'node:cluster';
import { becomeExpendable } from './expendable.ts';
import { protocol } from './messages.ts';
import type { Order, Report, Start } from './messages.ts';
import type { Work } from './work.ts';

/** A process of the service that a supervisor started. It follows the supervisor's messages and ends with it. */

// signals from a terminal or service manager reach the whole group, but the supervisor decides what to do
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);
// oxlint-disable-next-line no-console -- the job queue prints a stack of every fault beside what it tells our log
console.trace = () => undefined;
becomeExpendable();

/**
 * The time left for requests and jobs when the supervisor is gone. Seconds later, the next one releases this process's
 * jobs and listens on its port.
 */
const orphanMilliseconds = 1_000;

let work: Work | undefined;

/** Sends a report; resolves once it is sent or can no longer be sent. */
const report = (said: Report) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(said, undefined, undefined, () => resolve());
    else resolve();
  });

async function start(order: Start) {
  process.title = `tenure ${order.name}`;
  try {
    const { startWork } = await import('./work.ts');
    work = await startWork(order, (name) => void report({ type: 'worker', name }));
    void work.refused.then(() => stop(0, 1));
    await report({ type: 'ready', release: work.release, firstAdmin: work.firstAdmin });
  } catch (error) {
    const { reasonsOf } = await import('../logging.ts');
    await report({ type: 'refused', reasons: reasonsOf(error as Error) });
    process.exit(1);
  }
}

async function stop(idleMilliseconds: number, code: number) {
  // a process that has not started has nothing to end
  if (!work) process.exit(code);
  const isInOrder = await work.stop(idleMilliseconds);
  await report({ type: 'counted', metrics: await work.ask('metrics') });
  process.exit(isInOrder ? code : 1);
}

process.on('message', (order: Order) => {
  if (order.type === 'start') void start(order);
  else if (order.type === 'ping') void report({ type: 'pong' });
  else if (order.type === 'leave') work?.leave();
  else if (order.type === 'stop') void stop(order.idleMilliseconds, 0);
  else if (order.type === 'ask')
    void work
      ?.ask(order.what)
      // the same as not answering
      .catch(() => undefined)
      .then((value) => report({ type: 'answer', id: order.id, value }));
});

cluster.worker?.once('disconnect', () => {
  // or the process would exit at once, in the middle of its requests
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  work?.supervisorLost();
  setTimeout(() => process.exit(1), orphanMilliseconds);
  void stop(0, 1);
});

for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    if (work) work.crashed(event, error);
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    void stop(0, 1);
  });

await report({ type: 'hello', protocol });
