/** Stops requests to a provider for a while after several failures, so that sign-ins do not wait for it. */

const maxFailures = 5;
const restMs = 30_000;

export type Breaker = {
  /** True while the provider gets no requests. */
  isOpen: (id: number) => boolean;
  failed: (id: number) => void;
  worked: (id: number) => void;
};

/** Counts consecutive failures; `now` is in milliseconds. */
export function openBreaker(now: () => number = () => Date.now()): Breaker {
  const states = new Map<number, { failures: number; at: number }>();
  return {
    isOpen: (id) => {
      const state = states.get(id);
      return state !== undefined && state.failures >= maxFailures && now() - state.at < restMs;
    },
    // after the pause, a single failure opens it again
    failed: (id) => void states.set(id, { failures: (states.get(id)?.failures ?? 0) + 1, at: now() }),
    worked: (id) => void states.delete(id),
  };
}
