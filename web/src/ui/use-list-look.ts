import { profile, type Preferences } from '@tenure/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { load } from '../api/query.ts';
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
  const queries = useQueryClient();
  const { user } = useSession();
  const key = `tenure.look.${list}.${user?.id}`;
  const [first, setFirst] = useState(() => remembered(key));
  const asked = load(profile.get, {});
  const own = useQuery({ ...asked, staleTime: Infinity }).data?.data.user.preferences.lists?.[list];
  const chosen = own ?? first;
  const look: ListLook = {
    columns: chosen.columns ?? usual.columns,
    density: chosen.density ?? usual.density,
  };
  const send = useMutation<unknown, ApiError, Partial<ListLook>>({
    // One after the other: the last choice is the one that stays.
    scope: { id: key },
    mutationFn: (change) =>
      call(profile.update, {
        body: {
          preferences: { lists: { [list]: { ...change, ...(change.columns && { columns: [...change.columns] }) } } },
        },
      }),
  });
  const change = (patch: Partial<ListLook>) => {
    const next = { ...look, ...patch, columns: [...(patch.columns ?? look.columns)] };
    localStorage.setItem(key, JSON.stringify(next));
    setFirst(next);
    queries.setQueryData(asked.queryKey, (old) => {
      if (!old) return old;
      const { user, ...rest } = old.data;
      const lists = { ...user.preferences.lists, [list]: { ...user.preferences.lists?.[list], ...next } };
      return { ...old, data: { ...rest, user: { ...user, preferences: { ...user.preferences, lists } } } };
    });
    send.mutate(patch);
  };
  return [look, change];
}
