import { profile, session, type Endpoint, type RoleView } from '@tenure/contract';
import { useMutation, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { flushAll } from '../ui/deferred.ts';
import { mayLeave } from '../ui/unsaved.ts';
import type { ApiError } from './api-error.ts';
import { call, type Input } from './call.ts';
import { sessionQuery } from './session.tsx';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tenure.view');

/** Subscribes to views that begin or end in other tabs, which share the session; returns the unsubscribe function. */
export function onViewElsewhere(listener: () => void): () => void {
  channel?.addEventListener('message', listener);
  return () => channel?.removeEventListener('message', listener);
}

/** Refetches the signed-in user and their permissions. */
export const rereadSession = (queries: QueryClient) => queries.invalidateQueries({ queryKey: sessionQuery.queryKey });

const isSession = ({ queryKey }: Query) => queryKey[0] === sessionQuery.queryKey[0];
const isProfile = ({ queryKey }: Query) => queryKey[0] === profile.get.path;

/** Drops data read before an instant, with other permissions. The user's preferences stay until they are refetched. */
function clear(queries: QueryClient, before: number): void {
  const isOld = (query: Query) => !isSession(query) && !isProfile(query) && query.state.dataUpdatedAt < before;
  queries.removeQueries({ type: 'inactive', predicate: isOld });
  void queries.resetQueries({ predicate: isOld });
  void queries.invalidateQueries({ predicate: isProfile });
}

const keyOf = (view: RoleView | null | undefined) => (view ? JSON.stringify(view) : '');

/** The view with whose permissions the cached data was read; undefined before the first check. */
let readAs: string | undefined;

/** Drops the data of another view after a view began or ended in another tab, by time or on the server. */
export function followView(queries: QueryClient, view: RoleView | null | undefined): void {
  const before = readAs;
  readAs = keyOf(view);
  if (before !== undefined && before !== readAs) clear(queries, Date.now());
}

/**
 * Begins or ends a view and opens a page, unless the user keeps unsaved input. The current page keeps its data until
 * then; the new page starts without any.
 */
export function useChangeView<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation<void, ApiError, { input: Input<E>; href: string }>({
    mutationFn: async ({ input, href }) => {
      if (!(await mayLeave())) return;
      await flushAll();
      await call(endpoint, input);
      const since = Date.now();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
      channel?.postMessage('changed');
      await queries.cancelQueries();
      const { data } = await call(session.me, {});
      readAs = keyOf(data.viewing);
      queries.setQueryData(sessionQuery.queryKey, data);
      queries.removeQueries({ type: 'inactive', predicate: (query) => !isSession(query) });
      await router.navigate({ href });
      clear(queries, since);
    },
  });
}
