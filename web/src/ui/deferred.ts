import { useSyncExternalStore } from 'react';

/**
 * Changes that can still be undone. They are sent when the time to undo is over, when the page is left, and before
 * signing out.
 */
type Send = (options: { keepalive?: true }) => Promise<void>;

const waiting = new Map<string, Send>();
const listeners = new Set<() => void>();
let names: ReadonlySet<string> = new Set();

function changed(): void {
  names = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

/** Queues a change; until it is sent, its key is among those of `useDeferred`. */
export function defer(name: string, send: Send): void {
  waiting.set(name, send);
  changed();
}

/** Removes a change that was undone. */
export function cancelDeferred(name: string): void {
  waiting.delete(name);
  changed();
}

/** Sends a change now, unless it was undone or is being sent. */
export async function flush(name: string, options: { keepalive?: true } = {}): Promise<void> {
  const send = waiting.get(name);
  if (!send || under.has(name)) return;
  under.add(name);
  try {
    await send(options);
  } finally {
    under.delete(name);
    cancelDeferred(name);
  }
}
const under = new Set<string>();

/** Sends all queued changes, since their undo buttons go away. */
export const flushAll = (options: { keepalive?: true } = {}): Promise<unknown> =>
  Promise.all([...waiting.keys()].map((name) => flush(name, options)));

/** Clears the queue: the next user must not send it. */
export function clearDeferred(): void {
  waiting.clear();
  changed();
}

window.addEventListener('pagehide', () => void flushAll({ keepalive: true }));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The keys of the queued changes. */
export const useDeferred = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => names);
