import { useSyncExternalStore } from 'react';

/**
 * Changes that wait until the time to undo them is over. They are sent then, and also when the page is left or its
 * reader signs out before.
 */
type Send = (options: { keepalive?: true }) => Promise<void>;

const waiting = new Map<string, Send>();
const listeners = new Set<() => void>();
let names: ReadonlySet<string> = new Set();

function changed(): void {
  names = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

/** Keeps a change for later; until then its name is among those of `useDeferred`. */
export function defer(name: string, send: Send): void {
  waiting.set(name, send);
  changed();
}

/** Forgets a change that was taken back. */
export function takeBack(name: string): void {
  waiting.delete(name);
  changed();
}

/** Sends a change now, unless it was taken back or is under way. */
export async function flush(name: string, options: { keepalive?: true } = {}): Promise<void> {
  const send = waiting.get(name);
  if (!send || under.has(name)) return;
  under.add(name);
  try {
    await send(options);
  } finally {
    under.delete(name);
    takeBack(name);
  }
}
const under = new Set<string>();

/** Sends everything that waits, because nobody will be there to undo it. */
export const flushAll = (options: { keepalive?: true } = {}): Promise<unknown> =>
  Promise.all([...waiting.keys()].map((name) => flush(name, options)));

/** Forgets everything that waits: whoever signs in next must not send it. */
export function forgetAll(): void {
  waiting.clear();
  changed();
}

window.addEventListener('pagehide', () => void flushAll({ keepalive: true }));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The names of the changes that wait. */
export const useDeferred = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => names);
