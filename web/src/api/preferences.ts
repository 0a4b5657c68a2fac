import { profile, type BodyIn, type Preferences } from '@tenure/contract';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { call } from './call.ts';
import { load } from './query.ts';

type Patch = NonNullable<BodyIn<typeof profile.update>['preferences']>;

const own = load(profile.get, {});

/** The user's preferences, the same on every device; undefined until loaded. */
export function usePreferences({ enabled = true } = {}): Preferences | undefined {
  return useQuery({ ...own, staleTime: Infinity, enabled }).data?.data.user.preferences;
}

const given = (values: object) => Object.entries(values).filter(([, value]) => value !== null);

/** Preferences after a change: absent keys stay, null removes a key, lists are merged one by one. */
function after({ lists: kept = {}, ...before }: Preferences, { lists: sent, ...patch }: Patch): Preferences {
  const changed = Object.entries(sent ?? {}).map(([list, look]) => [
    list,
    { ...kept[list as keyof typeof kept], ...(look as object | null) },
  ]);
  const lists = { ...kept, ...(Object.fromEntries(changed) as typeof kept) };
  return Object.fromEntries(given({ ...before, ...patch, lists }));
}

/** Changes preferences optimistically. */
export function useChangePreferences(): (patch: Patch) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation<unknown, ApiError, Patch>({
    // One after the other, so that the last choice wins.
    scope: { id: 'preferences' },
    mutationFn: (preferences) => call(profile.update, { body: { preferences } }),
    onError: () => void queries.invalidateQueries({ queryKey: own.queryKey }),
  });
  return (patch) => {
    queries.setQueryData(own.queryKey, (old) => {
      if (!old) return old;
      const { user } = old.data;
      return { ...old, data: { ...old.data, user: { ...user, preferences: after(user.preferences, patch) } } };
    });
    mutate(patch);
  };
}

/** The user's start page; undefined for the home page or if the preferences cannot be read. */
export async function startPage(queries: QueryClient): Promise<string | undefined> {
  try {
    const answer = await call(profile.get, {});
    queries.setQueryData(own.queryKey, answer);
    return answer.data.user.preferences.start_page;
  } catch {
    return undefined;
  }
}
