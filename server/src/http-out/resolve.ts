import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { openTurns } from '../files/turns.ts';

/** All addresses of a host name, or of an address itself. A look-up that has not begun at the deadline never begins. */
export type Resolve = (hostname: string, deadline?: AbortSignal) => Promise<LookupAddress[]>;

/**
 * Looks up two names at a time. A look-up of the system holds one of the four threads that files and keys need too, and
 * cannot be ended.
 */
export function inTurn(look: Resolve): Resolve {
  const turns = openTurns({ running: 2, waiting: 100, waitMs: 15_000 });
  return async (hostname, deadline) => {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    return turns(async () => {
      deadline?.throwIfAborted();
      return look(hostname, deadline);
    });
  };
}

/** As the machine resolves names: hosts file, search domains and DNS. */
export const resolveBySystem: Resolve = inTurn((hostname) => lookup(hostname, { all: true, verbatim: true }));

/** Waits for work until the deadline; the work itself may go on. */
export async function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(deadline.reason as Error);
  if (deadline.aborted) stop();
  deadline.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => deadline.removeEventListener('abort', stop));
}
