import type { Preferences } from '@tenure/contract';
import { useState } from 'react';
import { useChangePreferences, usePreferences } from '../api/preferences.ts';
import { useSession } from '../api/session.tsx';

type Lists = NonNullable<Preferences['lists']>;
export type ListName = keyof Lists;
/** How somebody wants to see a list: which columns in which order, and how dense. */
export type ListLook = { columns: readonly string[]; density: 'comfortable' | 'compact' };

function remembered(key: string): Partial<ListLook> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ListLook>;
  } catch {
    return {};
  }
}

/**
 * How this person wants to see a list. The service keeps it, so that it is the same everywhere; the browser remembers
 * it, so that the list need not wait for it.
 */
export function useListLook(list: ListName, usual: ListLook): [ListLook, (change: Partial<ListLook>) => void] {
  const { user } = useSession();
  const key = `tenure.look.${list}.${user?.id}`;
  const [first, setFirst] = useState(() => remembered(key));
  const preferences = usePreferences();
  const changePreferences = useChangePreferences();
  const chosen = preferences?.lists?.[list] ?? first;
  const look: ListLook = {
    columns: chosen.columns ?? usual.columns,
    density: chosen.density ?? preferences?.density ?? usual.density,
  };
  const change = (patch: Partial<ListLook>) => {
    const next = { ...look, ...patch };
    localStorage.setItem(key, JSON.stringify(next));
    setFirst(next);
    const { columns, ...rest } = patch;
    changePreferences({ lists: { [list]: { ...rest, ...(columns && { columns: [...columns] }) } } });
  };
  return [look, change];
}
