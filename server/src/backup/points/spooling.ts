import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { spoolFolder } from '../../db/embedded/archiving.ts';
import type { SpoolNews, SpoolTask } from './spool-worker.ts';
import { spooledBytes } from './spool.ts';

export type Spooling = {
  /** Bytes that wait for the archive. */
  bytes: () => Promise<number>;
  /** How often points in time were given up since the start. */
  gaps: () => number;
  stop: () => Promise<void>;
};

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

const restartMilliseconds = 5_000;
const stopMilliseconds = 5_000;

/** Sends the WAL of the embedded database into the archive, in a thread of its own that is started again if it ends. */
export function startSpooling(config: Config, ownerUrl: string, log: Log): Spooling {
  let gaps = 0;
  const stopping = new AbortController();
  let thread: Worker | undefined;
  const hear = (message: SpoolNews) => {
    if (message.news === 'gap') gaps += 1;
    logNews(log, message);
  };
  const keptRunning = (async () => {
    while (!stopping.signal.aborted) {
      const workerData: SpoolTask = { config, ownerUrl };
      // an empty environment, so that no secret of the process is copied into the thread
      const started = new Worker(new URL('./spool-worker.ts', import.meta.url), { workerData, env: {} });
      thread = started;
      started.on('message', hear);
      started.on('error', (error) =>
        log.error({ event: 'wal_sender_lost', err: error }, 'WAL is sent again in a moment'),
      );
      await new Promise((done) => started.once('exit', done));
      await sleep(restartMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  const stop = async () => {
    stopping.abort();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread?.postMessage('stop');
    await Promise.race([keptRunning, sleep(stopMilliseconds, undefined, { ref: false })]);
    // what it was sending is sent again by the next start
    await thread?.terminate();
  };
  return { bytes: () => spooledBytes(config.DATA_DIR), gaps: () => gaps, stop };
}

function logNews(log: Log, { news, ...rest }: SpoolNews): void {
  if (news === 'gap') log.error({ event: 'wal_gap', ...rest }, 'points in time were given up until the next base');
  else if (news === 'away') log.error({ event: 'wal_archive_down', ...rest }, 'WAL waits for the archive');
  else log.info({ event: 'wal_archive_up', ...rest }, 'WAL goes into the archive again');
}

/** Removes what a service with BACKUP_WAL left, which no archive will get. */
export const removeSpool = (dataDir: string): Promise<void> =>
  rm(spoolFolder(dataDir), { recursive: true, force: true });
