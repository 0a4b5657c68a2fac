import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export type DatabaseWatch = {
  /** Reports a connection that broke or could not be opened. */
  failed: (error: Error) => void;
  stop: () => void;
};

type Watched = { url: string; log: Pick<Logger, 'info' | 'warn' | 'error'>; pauseMs?: number };

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Turns the failures of many connections into two log lines per incident: `database_down` when the database does not
 * answer, and `database_up` with counts once it does again.
 */
export function watchDatabase({ url, log, pauseMs = 500 }: Watched): DatabaseWatch {
  const stopping = new AbortController();
  let failures = 0;
  let isLooking = false;

  async function look(reason: string) {
    const since = performance.now();
    if (await answers(url)) {
      log.warn({ event: 'connection_lost', err: reason, failures }, 'a database connection broke');
      return;
    }
    log.error({ event: 'database_down', err: reason }, 'the database does not answer');
    while (!stopping.signal.aborted && !(await answers(url)))
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    log.info({ event: 'database_up', failures, seconds }, 'the database answers again');
  }

  return {
    failed: ({ message }) => {
      failures += 1;
      if (isLooking || stopping.signal.aborted) return;
      isLooking = true;
      void look(message).finally(() => {
        failures = 0;
        isLooking = false;
      });
    },
    stop: () => stopping.abort(),
  };
}
