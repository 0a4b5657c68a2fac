/** The queue was full or the wait too long; `retryAfter` is in seconds. */
export class NoTurn extends Error {
  readonly retryAfter = 5;
}

export type TurnLimits = {
  /** Maximum of parallel work. */
  running: number;
  /** Maximum of queued work. */
  waiting: number;
  /** Milliseconds work may be queued. */
  waitMs: number;
};

/** A bounded queue before expensive work: runs it in turn, or rejects with `NoTurn`. */
export function openTurns({ running, waiting, waitMs }: TurnLimits) {
  let free = running;
  const queue = new Set<() => void>();

  async function turn(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (queue.size >= waiting) throw new NoTurn('Too many are waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queue.add(resolve);
    const timer = setTimeout(() => {
      queue.delete(resolve);
      reject(new NoTurn('Waited too long'));
    }, waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  function pass() {
    const [next] = queue;
    if (!next) {
      free += 1;
      return;
    }
    queue.delete(next);
    next();
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await turn();
    try {
      return await work();
    } finally {
      pass();
    }
  };
}
