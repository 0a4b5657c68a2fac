import type { Logger } from 'pino';
import { inWords, S3Error } from '../s3/errors.ts';
import { StoreUnavailable } from './disk.ts';

/**
 * Knows whether an object store is there. Requests hold a connection of the database while they store a file: while the
 * store is away they are refused at once, until it answers again. A request that fails, or takes long, only raises the
 * question: the store may refuse one object, or be slow with one body. It is away when it fails a question of its own too.
 */
export type Watch = {
  /** Does work that asks the store. Throws `StoreUnavailable` for its errors, and without asking while it is away. */
  during: <T>(work: () => Promise<T>) => Promise<T>;
  isAway: () => boolean;
  closeUntil: (error: Error & { code: string }, check: () => Promise<void>) => void;
};

type Watched = {
  name: string;
  log: Pick<Logger, 'info' | 'error'>;
  /** Asks the store for something small; it is there when this resolves. */
  ask: () => Promise<unknown>;
  /** Milliseconds between two questions while it is away, other ones for tests. */
  everyMs?: number;
  /** Milliseconds after which a request takes long. */
  longMs?: number;
};

/** An error of the store as what it means to callers; other errors stay as they are. */
export const awayOf = (name: string, error: unknown): unknown =>
  error instanceof S3Error ? new StoreUnavailable(error, inWords(name, error)) : error;

type Failure = Error & { code: string };

function tellDown({ name, log }: Pick<Watched, 'name' | 'log'>, error: Failure) {
  const reason = error instanceof S3Error ? inWords(name, error) : error.message;
  log.error(
    { event: 'storage_down', store: name, code: error.code, reason },
    'the file store does not answer: uploads and downloads are refused',
  );
}

/** The store is there, but is not the one of this database. */
function tellForeign({ name, log }: Pick<Watched, 'name' | 'log'>, { message }: Error) {
  log.error({ event: 'storage_refused', store: name, reason: message }, 'the store stays closed');
}

/** Opens a watch; it asks only while there is reason to. */
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
        tellForeign({ name, log }, error as Error);
      return askLater();
    }
    const seconds = Math.round((performance.now() - (since ?? 0)) / 1_000);
    since = undefined;
    check = async () => undefined;
    log.info({ event: 'storage_up', store: name, seconds }, 'the file store answers again');
  }

  const fail = (error: Failure) => {
    if (since !== undefined) return;
    since = performance.now();
    tellDown({ name, log }, error);
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
      // before it fails: others should not begin to wait as well
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
