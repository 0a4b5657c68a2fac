import { parentPort } from 'node:worker_threads';
import { drawSheet } from './draw.ts';
import type { Sheet } from './sheet.ts';

async function answer(sheet: Sheet): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await drawSheet(sheet));
}

// a failure ends the thread, and the queue rejects the request
parentPort?.on('message', (sheet: Sheet) => void answer(sheet));
