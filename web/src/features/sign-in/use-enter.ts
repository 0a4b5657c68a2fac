import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { startPage } from '../../api/preferences.ts';
import { sessionQuery } from '../../api/session.tsx';
import { announceUser } from '../../api/tabs.ts';
import { removeDrafts } from '../../ui/drafts.ts';
import { keepOneTime } from './one-time.ts';
import { safeNext } from './safe-next.ts';

type Entering = { next: string | undefined; password?: string; replace?: boolean };

/** Completes a sign-in: reads the session, notifies the other tabs, and opens the page that the user wanted. */
export function useEnter() {
  const queries = useQueryClient();
  const { history } = useRouter();
  return async ({ next, password, replace = false }: Entering): Promise<void> => {
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    const me = await queries.fetchQuery(sessionQuery);
    if (me?.user.must_change_password && password !== undefined) keepOneTime(password);
    announceUser(me?.user.id ?? null);
    removeDrafts(me?.user.id);
    const own = next === undefined && me && !me.user.must_change_password ? await startPage(queries) : next;
    if (replace) history.replace(safeNext(own));
    else history.push(safeNext(own));
  };
}
