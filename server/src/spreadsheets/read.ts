import { text } from '@tenure/contract/texts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SheetRefused } from './refusal.ts';
import { SHEET_LIMITS, type SheetFormat, type SheetHeader, type SheetLimits, type SheetRow } from './sheet.ts';
import type { ReadJob, Reply, Request } from './worker.ts';

// How long a thread that no longer reads may take to close its file.
const CLOSING_MS = 1_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

export interface Sheet extends SheetHeader, AsyncDisposable {
  /** Can be iterated once. Leaving the loop early closes the sheet. A refusal may still come after many rows. */
  batches: AsyncGenerator<SheetRow[], void>;
  close: () => Promise<void>;
}

interface ReadOptions {
  limits?: Partial<SheetLimits>;
  signal?: AbortSignal;
  /** The number of the row with the headings; without it, titles above them are skipped. */
  header_row?: number | undefined;
}

/**
 * Reads a CSV file or the first sheet of an XLSX workbook in a thread of its own, under limits of memory, size and
 * time. Resolves with the header; the rows follow in batches, at the pace of their consumer.
 *
 *     await using sheet = await readSheet(path, 'csv');
 *     for await (const rows of sheet.batches) …
 *
 * @throws SheetRefused, here or while the batches are walked
 */
export async function readSheet(path: string, format: SheetFormat, options: ReadOptions = {}): Promise<Sheet> {
  options.signal?.throwIfAborted();
  const limits = { ...SHEET_LIMITS, ...options.limits };
  const reader = startReader({ path, format, limits, ...headerOf(options) }, options.signal);
  try {
    const first = await reader.next();
    if (first === undefined || Array.isArray(first)) throw new Error('A sheet begins with its header.');
    const batches = walk(reader);
    return { ...first, batches, close: reader.stop, [Symbol.asyncDispose]: reader.stop };
  } catch (error) {
    await reader.stop();
    throw error;
  }
}

const headerOf = ({ header_row }: ReadOptions) => (header_row === undefined ? {} : { header_row });

interface Reader {
  next: () => Promise<SheetHeader | SheetRow[] | undefined>;
  stop: () => Promise<void>;
}

async function* walk(reader: Reader): AsyncGenerator<SheetRow[], void> {
  try {
    let coming = reader.next();
    for (;;) {
      const rows = await coming;
      if (!Array.isArray(rows)) return;
      // the thread prepares one batch while the consumer works on this one
      coming = reader.next();
      coming.catch(() => {});
      yield rows;
    }
  } finally {
    await reader.stop();
  }
}

function startReader(job: ReadJob, signal: AbortSignal | undefined): Reader {
  const thread = startThread(job);
  const stopped = new AbortController();
  let remaining = job.limits.working_milliseconds;

  async function next(): Promise<SheetHeader | SheetRow[] | undefined> {
    const asked_at = performance.now();
    const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(remaining)));
    const ends = [deadline, stopped.signal, ...(signal ? [signal] : [])];
    thread.ask('next');
    try {
      const [reply] = (await once(thread.worker, 'message', { signal: AbortSignal.any(ends) })) as [Reply];
      remaining -= performance.now() - asked_at;
      return partOf(reply);
    } catch (error) {
      await thread.end();
      signal?.throwIfAborted();
      throw deadline.aborted ? new SheetRefused('timeout', text('files.too_slow')) : failureOf(error);
    }
  }

  async function stop(): Promise<void> {
    stopped.abort();
    await thread.end();
  }

  return { next, stop };
}

function startThread(job: ReadJob) {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: RESOURCE_LIMITS,
    execArgv: [],
    env: {},
  });
  // The pending reply reports failures; without a listener an error between two replies would be fatal.
  worker.on('error', () => {});
  const exited = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const ask = (request: Request) => worker.postMessage(request);

  /** Closes the file first: terminating a thread that is opening it would leave it open in this process forever. */
  async function end(): Promise<void> {
    ask('stop');
    const late = setTimeout(() => void worker.terminate(), CLOSING_MS);
    await exited;
    clearTimeout(late);
  }

  return { worker, ask, end };
}

function partOf(reply: Reply): SheetHeader | SheetRow[] | undefined {
  if (reply.kind === 'refused') throw new SheetRefused(reply.code, reply.reason);
  return reply.kind === 'part' ? reply.part : undefined;
}

function failureOf(error: unknown): unknown {
  const out_of_memory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return out_of_memory ? new SheetRefused('too_large', text('files.too_much_memory')) : error;
}
