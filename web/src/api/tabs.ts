type Announcement = { user: number | null };

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tenure.session');

/** Announces the signed-in user to the other tabs; null after signing out. */
export function announceUser(user: number | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
  channel?.postMessage({ user } satisfies Announcement);
}

/** Subscribes to sign-ins and sign-outs in other tabs; returns the unsubscribe function. */
export function onUserElsewhere(listener: (user: number | null) => void): () => void {
  const heard = (event: MessageEvent<Announcement>) => listener(event.data.user);
  channel?.addEventListener('message', heard);
  return () => channel?.removeEventListener('message', heard);
}
