import { Worker } from 'node:worker_threads';

export interface WorkerQueueOptions {
  /** A module that answers each message with exactly one message. */
  module: URL;
  threads: number;
  /** Maximum number of queued tasks. */
  limit: number;
  /** Milliseconds a task may be queued. */
  waitMs: number;
  /** Milliseconds a task may run before its thread is terminated; unlimited when absent. */
  runMs?: number;
}

export interface WorkerQueueStats {
  threads: number;
  running: number;
  waiting: number;
  done: number;
  refused: number;
}

/** The queue is full or a time limit was reached; retry after `retryAfter` seconds. */
export class QueueFull extends Error {
  readonly retryAfter = 5;
}

interface Task<Work, Result> {
  payload: Work;
  resolve: (result: Result) => void;
  reject: (reason: Error) => void;
  deadline: NodeJS.Timeout | undefined;
}

const REST_MS = 60_000;

/**
 * Threads that run one task at a time, with a bounded first-in first-out queue. They start with the first task and end
 * after an idle minute, because an idle thread costs 20 MB.
 */
export class WorkerQueue<Work, Result> {
  readonly #options: WorkerQueueOptions;
  readonly #idle = new Set<Worker>();
  readonly #running = new Map<Worker, Task<Work, Result>>();
  readonly #waiting = new Set<Task<Work, Result>>();
  #rest: NodeJS.Timeout | undefined;
  #closed = false;
  #done = 0;
  #refused = 0;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /** Rejects with `QueueFull`: at once when the queue is full, after `waitMs` in it, or after running for `runMs`. */
  run(payload: Work): Promise<Result> {
    if (this.#closed) return Promise.reject(new Error('The queue is closed'));
    if (this.#waiting.size >= this.#options.limit) return Promise.reject(this.#refusal());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const task = { payload, resolve, reject, deadline: setTimeout(() => this.#giveUp(task), this.#options.waitMs) };
    this.#waiting.add(task);
    this.#dispatch();
    return promise;
  }

  stats(): WorkerQueueStats {
    return {
      threads: this.#options.threads,
      running: this.#running.size,
      waiting: this.#waiting.size,
      done: this.#done,
      refused: this.#refused,
    };
  }

  /** Ends the threads; queued and running tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rest);
    for (const task of this.#waiting) {
      clearTimeout(task.deadline);
      task.reject(new Error('The queue is closed'));
    }
    this.#waiting.clear();
    await Promise.all([...this.#idle, ...this.#running.keys()].map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    for (const task of this.#waiting) {
      const worker = this.#freeWorker();
      if (!worker) return;
      clearTimeout(task.deadline);
      this.#waiting.delete(task);
      this.#idle.delete(worker);
      this.#running.set(worker, task);
      const { runMs } = this.#options;
      task.deadline = runMs === undefined ? undefined : setTimeout(() => this.#cutOff(worker), runMs);
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task.payload);
    }
  }

  // A dead thread is replaced when a task needs one, so a module that cannot load is not restarted in a loop.
  #freeWorker(): Worker | undefined {
    if (this.#idle.size + this.#running.size < this.#options.threads) this.#startWorker();
    return this.#idle.values().next().value;
  }

  #startWorker(): void {
    // An empty environment, so that no secret of the process is copied into the thread.
    const worker = new Worker(this.#options.module, { env: {}, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    worker.on('message', (result: Result) => this.#finish(worker, result));
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('The worker thread ended')));
    // an idle thread keeps no process alive
    worker.unref();
    this.#idle.add(worker);
  }

  #finish(worker: Worker, result: Result): void {
    const task = this.#taken(worker);
    // the task was aborted while it answered
    if (!task) return;
    task.resolve(result);
    this.#idle.add(worker);
    worker.unref();
    this.#done += 1;
    this.#dispatch();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#endIdle(), REST_MS).unref();
  }

  /** Removes and returns the task of a thread that no longer runs it. */
  #taken(worker: Worker): Task<Work, Result> | undefined {
    const task = this.#running.get(worker);
    clearTimeout(task?.deadline);
    this.#running.delete(worker);
    return task;
  }

  // the next task gets a new thread immediately; this one ends when it can
  #cutOff(worker: Worker): void {
    this.#lose(worker, this.#refusal());
    void worker.terminate();
  }

  #endIdle(): void {
    for (const worker of this.#idle) void worker.terminate();
    this.#idle.clear();
  }

  #lose(worker: Worker, error: Error): void {
    this.#taken(worker)?.reject(error);
    this.#idle.delete(worker);
    if (!this.#closed) this.#dispatch();
  }

  #giveUp(task: Task<Work, Result>): void {
    this.#waiting.delete(task);
    task.reject(this.#refusal());
  }

  #refusal(): QueueFull {
    this.#refused += 1;
    return new QueueFull('The queue is full');
  }
}
