import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Drafts of forms survive the end of a session, and an error that replaces the page, such as a part that cannot be
 * loaded without a network. They are stored at that moment, for that user only, in the storage of this tab. They are
 * restored when that user opens the form again. Nothing is stored at any other time.
 */
type Kept = { user: number; at: number; content: unknown };

const prefix = 'tenure.draft.';
const oldest = 12 * 60 * 60 * 1_000;
const open = new Map<string, () => unknown>();

/** Called when a session expires or an error replaces the page: stores the drafts of the open forms. */
export function storeDrafts(user: number): void {
  for (const [name, read] of open) {
    const content = read();
    if (content !== undefined)
      sessionStorage.setItem(prefix + name, JSON.stringify({ user, at: Date.now(), content } satisfies Kept));
  }
}

/** Called on signing out or in: removes the drafts of other users. */
export function removeDrafts(except?: number): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && read(key.slice(prefix.length), except) === undefined) sessionStorage.removeItem(key);
  }
}

/** Called at every end of a session: clears the storage of this tab except for drafts. */
export function clearTabStorage(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith('tenure.') && !key.startsWith(prefix)) sessionStorage.removeItem(key);
}

function read(name: string, user: number | undefined): unknown {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  const kept = JSON.parse(text) as Kept;
  return kept.user === user && Date.now() - kept.at < oldest ? kept.content : undefined;
}

/** The draft that was kept for this user; `name` identifies the form and its record. */
export function useStoredDraft<T>(name: string, user: number | undefined): T | undefined {
  const [kept] = useState(() => read(name, user) as T | undefined);
  useEffect(() => sessionStorage.removeItem(prefix + name), [name]);
  return kept;
}

/** Registers the content of a form for drafts; undefined if it has none. Never includes a password. */
export function useRegisterDraft(name: string, content: () => unknown): void {
  const current = useEffectEvent(content);
  useEffect(() => {
    open.set(name, () => current());
    return () => void open.delete(name);
  }, [name]);
}
