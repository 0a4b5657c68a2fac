import { usableProcessors } from '../usable-processors.ts';
import { equal } from './crypto.ts';
import type { HashWork } from './hash-worker.ts';
import {
  bcryptInput,
  formatStoredPassword,
  isLongPassword,
  isPasswordTooLong,
  newLongKey,
  parseStoredPassword,
} from './passwords.ts';
import { QueueFull, WorkerQueue } from './worker-queue.ts';
import type { WorkerQueueStats } from './worker-queue.ts';

const DIGEST_CHARACTERS = 31;

export { QueueFull as HashQueueFull };

export interface HashPoolOptions {
  /** bcrypt cost of new hashes: 2^cost rounds. */
  cost: number;
  /** Processes on this machine that hash, and share its threads. */
  processes?: number;
  threads?: number;
  /** Calls that may wait for a thread. */
  queue?: number;
  /** Milliseconds a call may wait. */
  waitMs?: number;
}

/** The queue's size and longest wait. */
export const hashQueue = { waiting: 32, waitMs: 5_000 } as const;

/** Every call rejects with `HashQueueFull` if the queue is full or the wait too long. */
export interface HashPool {
  /** The text to store. Rejects with a RangeError for a password of more than 1,024 bytes. */
  hash: (password: string) => Promise<string>;
  /** Whether this is the stored password. */
  verify: (password: string, stored: string) => Promise<boolean>;
  /** Takes as long as `verify`, for accounts that do not exist. */
  dummy: (password: string) => Promise<void>;
  stats: () => WorkerQueueStats;
  close: () => Promise<void>;
}

/**
 * Threads of one process: all processes of a machine together get a quarter of its usable processors, at least 2, and
 * each process at least one.
 */
export const hashThreads = (processes: number, processors = usableProcessors()): number =>
  Math.floor(Math.max(2, processes, processors / 4) / processes);

/** Threads that hash passwords, with a lower priority than requests. */
export function startHashPool({
  cost,
  processes = 1,
  threads = hashThreads(processes),
  queue = hashQueue.waiting,
  waitMs = hashQueue.waitMs,
}: HashPoolOptions): HashPool {
  const workers = new WorkerQueue<HashWork, string>({
    module: new URL('./hash-worker.ts', import.meta.url),
    threads,
    limit: queue,
    waitMs,
  });
  const dummySetting = `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}`;

  async function hash(password: string): Promise<string> {
    if (isPasswordTooLong(password)) throw new RangeError('A password has at most 1,024 bytes');
    const longKey = newLongKey(password);
    const hashed = await workers.run({ input: bcryptInput(password, longKey), setting: cost });
    return formatStoredPassword(hashed, longKey);
  }

  async function verify(password: string, stored: string): Promise<boolean> {
    const parsed = parseStoredPassword(stored);
    const hopeless = !parsed || isPasswordTooLong(password) || (isLongPassword(password) && !parsed.longKey);
    if (hopeless) {
      await dummy('');
      return false;
    }
    const hashed = await workers.run({ input: bcryptInput(password, parsed.longKey), setting: parsed.setting });
    return equal(hashed.slice(-DIGEST_CHARACTERS), parsed.digest);
  }

  async function dummy(password: string): Promise<void> {
    await workers.run({ input: isPasswordTooLong(password) ? '' : password, setting: dummySetting });
  }

  return { hash, verify, dummy, stats: () => workers.stats(), close: () => workers.close() };
}
