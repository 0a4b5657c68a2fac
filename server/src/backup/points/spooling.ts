import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { spoolFolder } from '../../db/embedded/archiving.ts';
import { readBaseState } from './base-state.ts';
import type { BaseState } from './base-state.ts';
import type { SpoolReport, SpoolTask } from './spool-worker.ts';
import { beyondLimits, enforceLimit, limitsOf, spooledBytes } from './spool.ts';
import type { Gap } from './spool.ts';

export type Spooling = {
  /** Bytes to be sent to the archive. */
  bytes: () => Promise<number>;
  /** How many gaps in points in time occurred since the start. */
  gaps: () => number;
  /** The state of bases. */
  bases: () => Promise<BaseState>;
  stop: () => Promise<void>;
};

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

const restartMilliseconds = 5_000;
const stopMilliseconds = 5_000;

/** Sends the WAL of the embedded database to the archive, in its own thread, which is restarted if it ends. */
export function startSpooling(config: Config, ownerUrl: string, log: Log): Spooling {
  let gaps = 0;
  const stopping = new AbortController();
  let thread: Worker | undefined;
  const hear = (message: SpoolReport) => {
    if (message.news === 'gap') gaps += 1;
    logReport(log, message);
  };
  const keptRunning = (async () => {
    while (!stopping.signal.aborted) {
      const workerData: SpoolTask = { config, ownerUrl };
      // an empty environment, so that no secret of the process is copied to the thread
      const started = new Worker(new URL('./spool-worker.ts', import.meta.url), { workerData, env: {} });
      thread = started;
      started.on('message', hear);
      started.on('error', (error) =>
        log.error(
          { event: 'wal_sender_lost', err: error },
          'the thread that sends WAL ended and is restarted; nothing is lost',
        ),
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
    // the next start repeats what it was sending
    await thread?.terminate();
  };
  return {
    bytes: () => spooledBytes(config.DATA_DIR),
    gaps: () => gaps,
    bases: () => readBaseState(config.DATA_DIR),
    stop,
  };
}

const logGap = (log: Pick<Log, 'error'>, gap: object) =>
  log.error({ event: 'wal_gap', ...gap }, 'WAL was discarded: points in time start again with the next base');

function logReport(log: Log, { news, ...rest }: SpoolReport): void {
  if (news === 'gap') logGap(log, rest);
  else if (news === 'away')
    log.error({ event: 'wal_archive_down', ...rest }, 'WAL cannot be sent to the backup archive and waits');
  else log.info({ event: 'wal_archive_up', ...rest }, 'WAL is sent to the backup archive again');
}

const lookMilliseconds = 2_000;

/**
 * Keeps the spool within its limits while no process sends it: while the service starts and migrates, and while the
 * process for jobs is down. A running sender acts first, because it checks each second.
 */
export function guardSpool(config: Config, log: Pick<Log, 'error'>): { stop: () => Promise<void> } {
  const { DATA_DIR: dataDir } = config;
  const limits = limitsOf(config);
  const stopping = new AbortController();
  const guarding = (async () => {
    let wasBeyond = false;
    while (!stopping.signal.aborted) {
      await sleep(lookMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
      const isBeyond = (await beyondLimits(dataDir, limits).catch(() => undefined)) !== undefined;
      const onGap = (gap: Gap) => logGap(log, gap);
      if (isBeyond && wasBeyond) await enforceLimit({ dataDir, onGap }, limits).catch(() => undefined);
      wasBeyond = isBeyond;
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await guarding;
    },
  };
}

/** Removes what a service with BACKUP_WAL left behind, which no archive will get. */
export const removeSpool = (dataDir: string): Promise<void> =>
  rm(spoolFolder(dataDir), { recursive: true, force: true });
