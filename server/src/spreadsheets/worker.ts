import type { Text } from '@tenure/contract/texts';
import { parentPort, workerData } from 'node:worker_threads';
import { openRows } from './open-rows.ts';
import { SheetRefused, type SheetRefusal } from './refusal.ts';
import { shapeRows } from './shape.ts';
import type { SheetFormat, SheetHeader, SheetLimits, SheetRow } from './sheet.ts';

export interface ReadJob {
  path: string;
  format: SheetFormat;
  limits: SheetLimits;
  header_row?: number;
}

/** `next` requests the next part; `stop` closes the file, after which the thread ends by itself. */
export type Request = 'next' | 'stop';

export type Reply =
  | { kind: 'part'; part: SheetHeader | SheetRow[] }
  | { kind: 'end' }
  | { kind: 'refused'; code: SheetRefusal; reason: Text };

const { path, format, limits, header_row } = workerData as ReadJob;
const parts = shapeRows(await openRows(path, format, limits), limits, header_row);

async function nextReply(): Promise<Reply> {
  try {
    const { done, value } = await parts.next();
    return done ? { kind: 'end' } : { kind: 'part', part: value };
  } catch (error) {
    if (error instanceof SheetRefused) return { kind: 'refused', code: error.code, reason: error.reason };
    throw error;
  }
}

// One message requests one reply: nothing is read ahead of what the other side requested. An unexpected error stays
// unhandled on purpose, so that it ends the thread and surfaces there.
parentPort!.on('message', (request: Request) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (request === 'next') void nextReply().then((reply) => parentPort!.postMessage(reply));
  else void parts.return().finally(() => parentPort!.close());
});
