import { EventEmitter } from 'node:events';
import type { Runner, RunnerOptions, WorkerEvents } from 'graphile-worker';
import { Logger, parseCronItems, run } from '../db/worker-library.ts';
import type { Deps } from '../http/context.ts';
import { keepRunning } from '../keep-running.ts';
import { startHeartbeat } from './abandoned.ts';
import type { Heartbeat, Pulse } from './abandoned.ts';
import { backupTasks } from './backups.ts';
import { openConnections } from './connections.ts';
import { tasks, timedTasks } from './schedule.ts';
import { databaseNow } from './task.ts';
import type { Task, TimedTask } from './task.ts';

export type WorkerOptions = {
  timed?: readonly TimedTask[];
  tasks?: Readonly<Record<string, Task>>;
  /** Number of parallel jobs. */
  concurrency?: number;
  /** The timing of heartbeats. */
  pulse?: Pulse;
  /** Receives the name under which a run of the queue takes its jobs. */
  onName?: ((name: string) => void) | undefined;
};

export type RunningWorker = { stop: () => Promise<void> };

const minute = 60_000;
const restartAfter = { least: 200, most: 30_000 };
const day = 24 * 60 * minute;

const nameOf = (job: unknown) => (job as { task_identifier?: string } | undefined)?.task_identifier;

/** Logs the queue's messages one level lower, because ordinary work is of no interest. */
const loggerFor = ({ log }: Deps) =>
  new Logger(() => (level, message, { job, error }) => {
    // the queue's own message would repeat the error's text, including values
    if (error) log.error({ event: 'job_queue', job: nameOf(job), err: error }, 'a job failed');
    else if (level === 'error') log.error({ event: 'job_queue' }, message);
    else if (level === 'warning') log.warn({ event: 'job_queue' }, message);
    else log.trace({ event: 'job_queue' }, message);
  });

const isDaily = (at: string) => /^\d+ \d+ /.test(at);

const cronItems = (timed: readonly TimedTask[]) =>
  parseCronItems(
    timed.map(({ name, at }) => ({
      task: name,
      identifier: name,
      match: at,
      options: {
        // no queue of its own: a killed worker would hold it for hours, and all tasks may run in parallel
        jobKey: name,
        maxAttempts: 5,
        // a missed daily task runs late; the others run again soon enough
        backfillPeriod: isDaily(at) ? day : 0,
      },
    })),
  );

function taskList(deps: Deps, { timed, tasks }: Required<Pick<WorkerOptions, 'timed' | 'tasks'>>) {
  const all = { ...tasks, ...Object.fromEntries(timed.map(({ name, run }): [string, Task] => [name, run])) };
  const listed = Object.entries(all).map(([name, task]) => [
    name,
    async (payload: unknown) => {
      await task({ deps, now: await databaseNow(deps.db) }, payload);
    },
  ]);
  return Object.fromEntries(listed) as NonNullable<RunnerOptions['taskList']>;
}

type Chosen = Required<Pick<WorkerOptions, 'timed' | 'tasks' | 'concurrency'>>;

const settingsOf = (deps: Deps, { timed, tasks, concurrency }: Chosen) =>
  ({
    concurrency,
    pollInterval: 2_000,
    // without batches, the queue does not await recording a job's end, and a lost connection would cause an unhandled
    // rejection
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    noHandleSignals: true,
    noPreparedStatements: !deps.config.DATABASE_PREPARED,
    logger: loggerFor(deps),
    taskList: taskList(deps, { timed, tasks }),
    parsedCronItems: cronItems(timed),
  }) satisfies RunnerOptions;

/**
 * Runs jobs and starts timed tasks on its own connections. If several workers share a database, only one starts each
 * timed task. Reconnects after a database outage. `stop` lets running jobs finish.
 */
export async function startWorker(deps: Deps, options: WorkerOptions = {}): Promise<RunningWorker> {
  const chosen = { timed: [...timedTasks, ...backupTasks(deps.config)], tasks, concurrency: 4, ...options };
  const events: WorkerEvents = new EventEmitter();
  const connections = openConnections(deps, chosen.concurrency + 2);
  const settings: RunnerOptions = { ...settingsOf(deps, chosen), events, pgPool: connections };
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  let runner: Runner | undefined;
  let heartbeat: Heartbeat | undefined;
  let silenced: Promise<void> | undefined;
  // each run of the queue takes its jobs under a new name
  events.on('pool:create', ({ workerPool }) => {
    chosen.onName?.(workerPool.id);
    heartbeat = startHeartbeat(deps, workerPool.id, chosen.pulse);
  });

  async function runQueue() {
    try {
      runner = await run(settings);
      // stopped during startup
      if (stopping.signal.aborted) await runner.stop();
      // stopping a queue while it recovers from lost connections may leave its own promise pending
      await Promise.race([runner.promise, stopped.promise]);
    } catch (error) {
      deps.log.warn(
        { event: 'worker_down', err: (error as Error).message },
        'the job worker lost its connections and restarts',
      );
    } finally {
      silenced = heartbeat?.stop();
    }
  }

  const running = keepRunning(runQueue, { pause: restartAfter, steadyAfter: minute, signal: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      await runner?.stop().catch(() => undefined);
      stopped.resolve();
      await running;
      await silenced;
      await connections.end();
    },
  };
}
