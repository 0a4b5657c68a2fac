/** Lets a provider alone for a while that did not answer several times, so that sign-ins do not wait for it. */

const mostFailures = 5;
const restMs = 30_000;

export type Breaker = {
  /** True while the provider is let alone. */
  isOpen: (id: number) => boolean;
  failed: (id: number) => void;
  worked: (id: number) => void;
};

/** Counts failures in a row; `now` is in milliseconds. */
export function openBreaker(now: () => number = () => Date.now()): Breaker {
  const states = new Map<number, { failures: number; at: number }>();
  return {
    isOpen: (id) => {
      const state = states.get(id);
      return state !== undefined && state.failures >= mostFailures && now() - state.at < restMs;
    },
    // after the rest one more failure opens it again
    failed: (id) => void states.set(id, { failures: (states.get(id)?.failures ?? 0) + 1, at: now() }),
    worked: (id) => void states.delete(id),
  };
}
