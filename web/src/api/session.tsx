import { session, type CurrentUser, type Permission } from '@tenure/contract';
import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { hasStatus } from './api-error.ts';
import { call } from './call.ts';

declare global {
  interface Window {
    /** The answer to /api/me that boot.js requested while the application loaded. */
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
    // For a signed-in user a 401 is the end of the session, which the query cache handles.
    if (hasStatus(error, 401) && !queries.getQueryData(sessionQuery.queryKey)) return null;
    throw error;
  }
}

/** The signed-in user, or null. Refetched when the window regains focus, so that changed permissions apply. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ client }) => currentUser(client),
  staleTime: 60_000,
  gcTime: Infinity,
});

/** The signed-in user; only for screens that require a session. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  const permissions = new Set(data?.permissions ?? []);
  const can = (permission: Permission) => permissions.has(permission);
  const scopes = data?.user.role_assignments.map(({ scope }) => scope) ?? [];
  const isAlone = scopes.length > 0 && scopes.every((scope) => scope === 'own');
  return {
    user: data?.user,
    roles: data?.roles ?? [],
    can,
    permissions: data?.permissions ?? [],
    /** There is a directory with the cards of all colleagues. */
    hasDirectory: data?.directory === true,
    /** The role that the user views the application as. */
    viewing: data?.viewing,
    /** The state of the user's second factor, such as due or required. */
    secondFactor: data?.second_factor,
    /** The user may see records of other people, not only their own. */
    seesOthers: can('employees.view') && (can('employees.view_all') || !isAlone),
  };
}
