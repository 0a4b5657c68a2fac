import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcrypt';

export interface HashWork {
  input: string;
  /** A cost, for a fresh salt, or the setting of an existing hash. */
  setting: number | string;
}

const lower = 10;
const lowest = 19;

/**
 * Gives way to requests of this and other processes. Linux has a priority per thread, and lowering it needs no rights;
 * elsewhere it would apply to the whole process.
 */
function stepBack(): void {
  try {
    const [pid, , thread] = readlinkSync('/proc/thread-self').split('/').map(Number);
    // process ids of another namespace would mean other processes
    if (pid !== process.pid || !thread) return;
    setPriority(thread, Math.min(lowest, getPriority(thread) + lower));
  } catch {
    // another system, or one that refuses: hashing continues at the normal priority
  }
}

stepBack();

// The synchronous call: the asynchronous one would fill the process's shared I/O threads.
parentPort?.on('message', ({ input, setting }: HashWork) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(bcrypt.hashSync(input, setting));
});
