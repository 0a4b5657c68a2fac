/** Tries of this process that wait for others of the same limit to be settled; a try of another node is noticed by asking again. */

/** Nobody needs more at once; who comes after them is refused as if the limit were used up. */
const mostWaiting = 32;
const askAgainMs = 100;

const waiting = new Map<string, Set<() => void>>();

/** Waits until a try of a limit was settled here, or a moment; false at once where too many wait already. */
export async function untilSettled(key: string): Promise<boolean> {
  const others = waiting.get(key) ?? new Set();
  if (others.size >= mostWaiting) return false;
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

/** Wakes those who wait for a try of these limits. */
export function settled(keys: readonly string[]): void {
  for (const key of keys) for (const wake of waiting.get(key) ?? []) wake();
}
