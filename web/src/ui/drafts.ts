import { useEffect, useEffectEvent, useState } from 'react';

/**
 * What was entered into a form survives the end of a session: it is written down at that moment, for that person
 * alone, in the storage of this tab, and comes back when they have signed in again. At no other time is anything kept.
 */
type Kept = { user: number; at: number; content: unknown };

const prefix = 'tenure.draft.';
const oldest = 12 * 60 * 60 * 1_000;
const open = new Map<string, () => unknown>();

/** Called when a session ended by itself: keeps what stands in the open forms. */
export function keepDrafts(user: number): void {
  for (const [name, read] of open) {
    const content = read();
    if (content !== undefined)
      sessionStorage.setItem(prefix + name, JSON.stringify({ user, at: Date.now(), content } satisfies Kept));
  }
}

/** Called when somebody signs out or signs in: nothing that others entered may be left. */
export function dropDrafts(except?: number): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && read(key.slice(prefix.length), except) === undefined) sessionStorage.removeItem(key);
  }
}

/** Called when a session ends, however it does: what this tab remembers of it goes, but for what was being entered. */
export function forgetTab(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith('tenure.') && !key.startsWith(prefix)) sessionStorage.removeItem(key);
}

function read(name: string, user: number | undefined): unknown {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  const kept = JSON.parse(text) as Kept;
  return kept.user === user && Date.now() - kept.at < oldest ? kept.content : undefined;
}

/** What was kept of a form when the session of this person ended; `name` says which form, with the id of its record. */
export function useKeptDraft<T>(name: string, user: number | undefined): T | undefined {
  const [kept] = useState(() => read(name, user) as T | undefined);
  useEffect(() => sessionStorage.removeItem(prefix + name), [name]);
  return kept;
}

/** Offers what stands in a form for keeping; undefined while there is nothing worth it. Never a password. */
export function useDraftKeeper(name: string, content: () => unknown): void {
  const current = useEffectEvent(content);
  useEffect(() => {
    open.set(name, () => current());
    return () => void open.delete(name);
  }, [name]);
}
