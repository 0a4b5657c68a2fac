import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcrypt';

export interface HashWork {
  input: string;
  /** A cost (for a fresh salt) or the setting of an existing hash. */
  setting: number | string;
}

// The synchronous call: the asynchronous one would fill the process's shared I/O threads.
parentPort?.on('message', ({ input, setting }: HashWork) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(bcrypt.hashSync(input, setting));
});
