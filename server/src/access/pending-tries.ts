/**
 * Attempts of this process that wait for pending ones of the same limit; attempts of other nodes are found by polling.
 */

/** More waiting attempts are refused as if the limit were used up. */
const maxWaiting = 32;
const askAgainMs = 100;

const waiting = new Map<string, Set<() => void>>();

/** Waits a moment, or until an attempt of the limit has ended in this process; false immediately if too many wait. */
export async function untilTryEnds(key: string): Promise<boolean> {
  const others = waiting.get(key) ?? new Set();
  if (others.size >= maxWaiting) return false;
  waiting.set(key, others);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, askAgainMs);
  others.add(resolve);
  await promise;
  clearTimeout(timer);
  others.delete(resolve);
  if (others.size === 0) waiting.delete(key);
  return true;
}

/** Wakes the attempts that wait for these limits. */
export function wakeWaitingTries(keys: readonly string[]): void {
  for (const key of keys) for (const wake of waiting.get(key) ?? []) wake();
}
