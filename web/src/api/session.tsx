import { session, type CurrentUser, type Permission } from '@tenure/contract';
import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { hasStatus } from './api-error.ts';
import { call } from './call.ts';

declare global {
  interface Window {
    /** The answer to /api/me that boot.js asked for while the application loaded. */
    earlySession?: Promise<Response> | undefined;
  }
}

export type SignedIn = CurrentUser['data'];

async function fromBoot(): Promise<SignedIn | null | undefined> {
  const early = window.earlySession;
  window.earlySession = undefined;
  const response = await early?.catch(() => undefined);
  if (response?.status === 401) return null;
  return response?.ok ? ((await response.json()) as CurrentUser).data : undefined;
}

async function currentUser(queries: QueryClient): Promise<SignedIn | null> {
  const early = await fromBoot();
  if (early !== undefined) return early;
  try {
    return (await call(session.me, {})).data;
  } catch (error) {
    // For whoever was signed in it is the end of their session, and dealt with as everywhere.
    if (hasStatus(error, 401) && !queries.getQueryData(sessionQuery.queryKey)) return null;
    throw error;
  }
}

/** Who is signed in, or null. Asked again whenever the window comes back into view, so changed permissions show. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ client }) => currentUser(client),
  staleTime: 60_000,
  gcTime: Infinity,
});

/** The signed-in user; only for screens behind the sign-in. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  const permissions = new Set(data?.permissions ?? []);
  return {
    user: data?.user,
    roles: data?.roles ?? [],
    /** Does any of the user's roles hold this permission? */
    can: (permission: Permission) => permissions.has(permission),
  };
}
