import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeEnvironment } from '../config.ts';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import type { Sampled } from '../http/metrics.ts';
import { protocol } from './messages.ts';
import type { Order, Questions, Report, Start } from './messages.ts';

/** How a process ended. */
export type Ending = { code: number | null; signal: string | null };

type Ready = { release: string; firstAdmin?: FirstAdmin | undefined };

/** A process of the service from the view of its supervisor. */
export type Process = {
  name: string;
  pid: number;
  /** Resolves when it is at work; rejects if it refuses to start or ends before. */
  ready: Promise<Ready>;
  ended: Promise<Ending>;
  send: (order: Order) => void;
  /** The answer, or undefined if there is none within the given milliseconds. */
  ask: <What extends keyof Questions>(what: What, milliseconds: number) => Promise<Questions[What] | undefined>;
  kill: () => void;
  /** Stops it in order, or kills it if it does not end. */
  stop: (idleMilliseconds: number) => Promise<void>;
  /** Consecutive pings that it has not answered. */
  unanswered: number;
  /** Names under which it takes jobs. */
  workers: string[];
  /** Its counts when it was last asked, or at its end. */
  counted: Sampled[];
};

export type Launch = {
  /** The folder of the release. */
  tree: string;
  heapMegabytes: number;
  /** Reads the settings from the environment. */
  environment: Readonly<Record<string, string | undefined>>;
  start: Omit<Start, 'type'>;
};

// longer than requests and jobs get to finish
const stopMilliseconds = 30_000;

/** A release has its own Node, and the libraries that this needs. */
function runtimeOf(tree: string): { node: string; libraries: Record<string, string> } {
  const node = join(tree, 'bin/node');
  if (!existsSync(node)) return { node: process.execPath, libraries: {} };
  const others = runtimeEnvironment().LD_LIBRARY_PATH;
  return { node, libraries: { LD_LIBRARY_PATH: [join(tree, 'lib'), ...(others ? [others] : [])].join(':') } };
}

function fork({ tree, heapMegabytes, environment }: Launch): Worker {
  const { node, libraries } = runtimeOf(tree);
  // one socket from which each process accepts by itself: a dying process takes no other connections with it
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: join(tree, 'server/src/supervisor/child.ts'),
    args: [],
    execArgv: [
      '--max-semi-space-size=8',
      `--max-old-space-size=${heapMegabytes}`,
      '--import',
      join(tree, 'scripts/compile-cache.mjs'),
    ],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const own = process.execPath;
  // the cluster module offers no other way to set it
  process.execPath = node;
  try {
    return cluster.fork({ ...environment, ...libraries });
  } finally {
    process.execPath = own;
  }
}

const endOf = (worker: Worker) =>
  new Promise<Ending>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    worker.on('error', () => {
      // a process that could not be started never exits
      if (worker.process.pid === undefined) resolve({ code: null, signal: null });
    });
  });

/** A process that does not start gives its reason, in lines for the person who started it. */
class Refused extends Error {
  constructor(reasons: readonly string[]) {
    const [reason, ...others] = reasons;
    super(reason);
    if (others.length > 0) this.cause = new Error(others.join('\n'));
  }
}

/** Starts a process of a release. */
export function launch(options: Launch): Process {
  const { start } = options;
  const worker = fork(options);
  const ended = endOf(worker);
  const ready = Promise.withResolvers<Ready>();
  // even a process that no one is waiting for may end
  ready.promise.catch(() => undefined);
  const answers = new Map<number, (value: unknown) => void>();
  let asked = 0;

  const send = (order: Order) => {
    // a process that is gone is noticed when it exits
    if (worker.isConnected()) worker.process.send(order, () => undefined);
  };
  const self: Process = {
    name: start.name,
    pid: worker.process.pid ?? 0,
    ready: ready.promise,
    ended,
    send,
    ask: async (what, milliseconds) => {
      asked += 1;
      const id = asked;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      answers.set(id, resolve);
      send({ type: 'ask', id, what });
      const late = sleep(milliseconds, undefined, { ref: false });
      const value = await Promise.race([promise, ended.then(() => undefined), late]);
      answers.delete(id);
      return value as Questions[typeof what] | undefined;
    },
    kill: () => void worker.process.kill('SIGKILL'),
    stop: async (idleMilliseconds) => {
      send({ type: 'stop', idleMilliseconds });
      const late = setTimeout(self.kill, stopMilliseconds);
      await ended;
      clearTimeout(late);
    },
    unanswered: 0,
    workers: [],
    counted: [],
  };

  function hear(report: Report) {
    self.unanswered = 0;
    if (report.type === 'hello' && report.protocol === protocol) send({ type: 'start', ...start });
    else if (report.type === 'hello')
      ready.reject(new Error('the service cannot be reloaded to this release: restart it'));
    else if (report.type === 'ready') ready.resolve(report);
    else if (report.type === 'refused') ready.reject(new Refused(report.reasons));
    else if (report.type === 'worker') self.workers.push(report.name);
    else if (report.type === 'answer') answers.get(report.id)?.(report.value);
    else if (report.type === 'counted') self.counted = report.metrics;
  }
  worker.on('message', hear);
  void ended.then(({ code, signal }) =>
    ready.reject(new Error(`${start.name} ended before it was ready (${signal ?? `exit code ${code}`})`)),
  );
  return self;
}

/** Waits until a process is ready, and kills it if it exceeds the time limit, if any. Rejects with the reason. */
export async function readyWithin(one: Process, signal: AbortSignal, milliseconds?: number): Promise<Ready> {
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const isLate = () => gone.reject(new Error(`${one.name} was not ready within ${Number(milliseconds) / 1_000} s`));
  const late = milliseconds === undefined ? undefined : setTimeout(isLate, milliseconds);
  const abort = () => gone.reject(new Error('the service stops'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([one.ready, gone.promise]);
  } catch (error) {
    one.kill();
    await one.ended;
    throw error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', abort);
  }
}
