import type { Preferences } from '@tenure/contract';
import { useState } from 'react';
import { useChangePreferences, usePreferences } from '../api/preferences.ts';
import { useSession } from '../api/session.tsx';

type Lists = NonNullable<Preferences['lists']>;
export type ListName = keyof Lists;
/** The columns of a list in order, and its density. */
export type ListLayout = { columns: readonly string[]; density: 'comfortable' | 'compact' };

function remembered(key: string): Partial<ListLayout> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ListLayout>;
  } catch {
    return {};
  }
}

/**
 * The user's columns and density of a list. They are stored in the account for all devices, and cached in the browser
 * so that the list need not wait for them.
 */
export function useListLayout(list: ListName, usual: ListLayout): [ListLayout, (change: Partial<ListLayout>) => void] {
  const { user } = useSession();
  const key = `tenure.look.${list}.${user?.id}`;
  const [first, setFirst] = useState(() => remembered(key));
  const preferences = usePreferences();
  const changePreferences = useChangePreferences();
  const chosen = preferences?.lists?.[list] ?? first;
  const layout: ListLayout = {
    columns: chosen.columns ?? usual.columns,
    density: chosen.density ?? preferences?.density ?? usual.density,
  };
  const change = (patch: Partial<ListLayout>) => {
    const next = { ...layout, ...patch };
    localStorage.setItem(key, JSON.stringify(next));
    setFirst(next);
    const { columns, ...rest } = patch;
    changePreferences({ lists: { [list]: { ...rest, ...(columns && { columns: [...columns] }) } } });
  };
  return [layout, change];
}
