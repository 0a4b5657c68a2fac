/** The queue was full or the wait too long; `retryAfter` is in seconds. */
export class NoTurn extends Error {
  readonly retryAfter = 5;
}

export type TurnLimits = {
  /** Maximum of parallel work. */
  running: number;
  /** Maximum of queued work. */
  waiting: number;
  /** Maximum of queued work of one user. */
  waitingOfOne?: number;
  /** Milliseconds work may be queued. */
  waitMs: number;
};

/**
 * A bounded queue before expensive work: runs it in turn, or rejects with `NoTurn`. Work that is said to be of the same
 * user runs one after the other, so that no one has all turns.
 */
export function openTurns({ running, waiting, waitingOfOne = waiting, waitMs }: TurnLimits) {
  let free = running;
  const busy = new Set<unknown>();
  const queue = new Set<{ of: unknown; begin: () => void }>();

  const mayBegin = (of: unknown) => free > 0 && !busy.has(of);

  function take(of: unknown): void {
    free -= 1;
    busy.add(of);
  }

  async function turn(of: unknown): Promise<void> {
    if (mayBegin(of)) {
      take(of);
      return;
    }
    const ofOne = [...queue].filter((one) => one.of === of).length;
    if (queue.size >= waiting || ofOne >= waitingOfOne) throw new NoTurn('Too many are waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = { of, begin: resolve };
    queue.add(place);
    const timer = setTimeout(() => {
      queue.delete(place);
      reject(new NoTurn('Waited too long'));
    }, waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  function pass(from: unknown): void {
    free += 1;
    busy.delete(from);
    const next = [...queue].find(({ of }) => mayBegin(of));
    if (!next) return;
    queue.delete(next);
    take(next.of);
    next.begin();
  }

  return async <T>(work: () => Promise<T>, of: unknown = Symbol('no user')): Promise<T> => {
    await turn(of);
    try {
      return await work();
    } finally {
      pass(of);
    }
  };
}
