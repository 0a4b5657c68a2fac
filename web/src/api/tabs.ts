type Announcement = { user: number | null };

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tenure.session');

/** Tells the other tabs who is signed in now; null after signing out. */
export function announceUser(user: number | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
  channel?.postMessage({ user } satisfies Announcement);
}

/** Calls back when another tab signs in or out; returns what ends it. */
export function onUserElsewhere(listener: (user: number | null) => void): () => void {
  const heard = (event: MessageEvent<Announcement>) => listener(event.data.user);
  channel?.addEventListener('message', heard);
  return () => channel?.removeEventListener('message', heard);
}
