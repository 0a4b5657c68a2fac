import type { Logger } from 'pino';
import { inWords, S3Error } from '../s3/errors.ts';
import { StoreUnavailable } from './disk.ts';

/**
 * Tracks whether an object store is available. Requests hold a database connection while they store a file, so while
 * the store is unavailable they are refused at once, until it answers again. A failed or slow request only raises
 * suspicion, because the store may refuse one object or be slow with one body. It counts as unavailable once a probe
 * fails too.
 */
export type Watch = {
  /** Does work that uses the store. Throws `StoreUnavailable` for its errors; at once while it is unavailable. */
  during: <T>(work: () => Promise<T>) => Promise<T>;
  isAway: () => boolean;
  closeUntil: (error: Error & { code: string }, check: () => Promise<void>) => void;
};

type Watched = {
  name: string;
  log: Pick<Logger, 'info' | 'error'>;
  /** Probes the store with a small request; resolves if it is available. */
  ask: () => Promise<unknown>;
  /** Milliseconds between probes while it is unavailable; tests set others. */
  everyMs?: number;
  /** Milliseconds after which a request counts as slow. */
  longMs?: number;
};

/** Translates an error of the store for callers; other errors stay as they are. */
export const awayOf = (name: string, error: unknown): unknown =>
  error instanceof S3Error ? new StoreUnavailable(error, inWords(name, error)) : error;

type Failure = Error & { code: string };

function logDown({ name, log }: Pick<Watched, 'name' | 'log'>, error: Failure) {
  const reason = error instanceof S3Error ? inWords(name, error) : error.message;
  log.error(
    { event: 'storage_down', store: name, code: error.code, reason },
    'the object store does not answer or refuses requests: uploads and downloads get 503',
  );
}

/** The store is available, but belongs to another database. */
function logForeign({ name, log }: Pick<Watched, 'name' | 'log'>, { message }: Error) {
  log.error(
    { event: 'storage_refused', store: name, reason: message },
    'the object store belongs to another installation: it is not used',
  );
}

/** Opens a watch, which probes the store only when there is reason to. */
export function watchBucket({ name, log, ask, everyMs = 5_000, longMs = 2_000 }: Watched): Watch {
  let since: number | undefined;
  let check: () => Promise<void> = async () => undefined;
  let isAsking = false;
  const askLater = () => void setTimeout(() => void askAgain(), everyMs).unref();

  async function askAgain() {
    try {
      await ask();
      await check();
    } catch (error) {
      if (!(error instanceof S3Error) && !(error instanceof StoreUnavailable))
        logForeign({ name, log }, error as Error);
      return askLater();
    }
    const seconds = Math.round((performance.now() - (since ?? 0)) / 1_000);
    since = undefined;
    check = async () => undefined;
    log.info({ event: 'storage_up', store: name, seconds }, 'the object store answers again');
  }

  const fail = (error: Failure) => {
    if (since !== undefined) return;
    since = performance.now();
    logDown({ name, log }, error);
    askLater();
  };

  async function doubt() {
    if (isAsking || since !== undefined) return;
    isAsking = true;
    await ask().catch((error: unknown) => {
      if (error instanceof S3Error) fail(error);
    });
    isAsking = false;
  }

  return {
    during: async (work) => {
      if (since !== undefined) throw new StoreUnavailable(new S3Error('AWAY'), `${name} does not answer`);
      // before it fails, so that other requests do not start to wait as well
      const long = setTimeout(() => void doubt(), longMs).unref();
      try {
        return await work();
      } catch (error) {
        if (error instanceof S3Error) void doubt();
        throw awayOf(name, error);
      } finally {
        clearTimeout(long);
      }
    },
    isAway: () => since !== undefined,
    closeUntil: (error, next) => {
      check = next;
      fail(error);
    },
  };
}
