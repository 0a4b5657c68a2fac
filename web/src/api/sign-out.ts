import { session } from '@tenure/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { hasStatus } from './api-error.ts';
import { call } from './call.ts';
import { sessionQuery } from './session.tsx';
import { clearBrand } from '../ui/brand.ts';
import { removeDrafts, clearTabStorage } from '../ui/drafts.ts';
import { clearDeferred, flushAll } from '../ui/deferred.ts';
import { useToast } from '../ui/toasts.tsx';
import { mayLeave } from '../ui/unsaved.ts';
import { announceUser } from './tabs.ts';

/** Goes to the sign-in page and clears the query cache, the visited pages and the undo queue. */
export async function goToSignIn(queries: QueryClient, router: AnyRouter, search: object = {}): Promise<void> {
  queries.setQueryData(sessionQuery.queryKey, null);
  clearDeferred();
  clearTabStorage();
  await router.navigate({ to: '/login', search });
  clearBrand();
  const isSession = (key: readonly unknown[]) => key[0] === sessionQuery.queryKey[0];
  queries.removeQueries({ predicate: ({ queryKey }) => !isSession(queryKey) });
  queries.getMutationCache().clear();
}

/** The sign-out page of the session's provider, if there is one; only https addresses are accepted. */
const providerOf = ({ end_session_url: url }: { end_session_url?: string | undefined }): string | undefined =>
  url !== undefined && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;

/**
 * Signs out here and in every other tab, unless the user keeps unsaved input, and then at the provider if the service
 * says so. A session that has already ended counts as signed out.
 */
export function useSignOut() {
  const queries = useQueryClient();
  const router = useRouter();
  const t = useTranslations('nav');
  const toast = useToast();
  return useMutation({
    mutationFn: async () => {
      if (!(await mayLeave())) return undefined;
      await flushAll();
      const reply = await call(session.logout, {}).catch((error: unknown) => {
        if (!hasStatus(error, 401)) throw error;
        return {};
      });
      return { goesOn: providerOf(reply) };
    },
    onError: () => toast({ text: t('signOutFailed') }),
    onSuccess: async (out) => {
      if (!out) return;
      announceUser(null);
      removeDrafts();
      // first, so that going back from the provider shows no earlier page
      await goToSignIn(queries, router);
      if (out.goesOn !== undefined) location.assign(out.goesOn);
    },
  });
}
