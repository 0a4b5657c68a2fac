import { QueueFull, WorkerQueue } from '../crypto/worker-queue.ts';
import { unavailable } from '../http/errors.ts';
import type { Sheet } from './sheet.ts';

export const drawingQueue = { threads: 1, limit: 32, waitMs: 5_000 };

// one queue for the whole process: drawing takes a core for some tenths of a second
const drawing = new WorkerQueue<Sheet, Uint8Array>({
  module: new URL('./worker.ts', import.meta.url),
  ...drawingQueue,
});

/** Draws a sheet in a thread of its own; 503 while too many wait. */
export async function renderPdf(sheet: Sheet): Promise<Uint8Array> {
  try {
    return await drawing.run(sheet);
  } catch (error) {
    throw error instanceof QueueFull ? unavailable(error.retryAfter) : error;
  }
}
