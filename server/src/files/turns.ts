/** The queue was full or the wait too long; `retryAfter` is in seconds. */
export class NoTurn extends Error {
  readonly retryAfter = 5;
}

export type TurnLimits = {
  /** How many tasks may run at once. */
  running: number;
  /** How many tasks may be queued. */
  waiting: number;
  /** How many tasks of one user may be queued. */
  waitingOfOne?: number;
  /** Milliseconds a task may be queued. */
  waitMs: number;
};

/**
 * A bounded queue for expensive work: runs tasks in turn, or rejects with `NoTurn`. Tasks of the same user run one
 * after the other, so that no user takes all turns.
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
