import { QueueFull, WorkerQueue } from '../crypto/worker-queue.ts';
import { unavailable } from '../http/errors.ts';
import type { Sheet } from './sheet.ts';

export const drawingQueue = { threads: 1, limit: 32, waitMs: 5_000, runMs: 10_000 };

// one queue for the process, because drawing takes a core for some tenths of a second
const drawing = new WorkerQueue<Sheet, Uint8Array>({
  module: new URL('./worker.ts', import.meta.url),
  ...drawingQueue,
});

/** Users with a sheet in the queue, so that no user blocks others with several sheets. */
const waiting = new Set<number>();

/**
 * Draws a sheet for a user in a thread. Throws 503 if the queue is full, if another sheet of the user is being drawn,
 * and after a timeout.
 */
export async function renderPdf(sheet: Sheet, userId: number): Promise<Uint8Array> {
  if (waiting.has(userId)) throw unavailable(1);
  waiting.add(userId);
  try {
    return await drawing.run(sheet);
  } catch (error) {
    throw error instanceof QueueFull ? unavailable(error.retryAfter) : error;
  } finally {
    waiting.delete(userId);
  }
}
