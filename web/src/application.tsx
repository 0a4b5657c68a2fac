import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, type RouterHistory } from '@tanstack/react-router';
import { createQueryClient } from './api/client.ts';
import { sessionQuery, type SignedIn } from './api/session.tsx';
import { goToSignIn } from './api/sign-out.ts';
import { onUserElsewhere } from './api/tabs.ts';
import { LocaleProvider } from './locales/locale.tsx';
import type { Language } from './locales/locales.ts';
import { paths } from './paths.ts';
import { createAppRouter } from './router.tsx';
import { removeDrafts, storeDrafts } from './ui/drafts.ts';
import { ThemeProvider } from './ui/ThemeProvider.tsx';
import { ToastProvider } from './ui/toasts.tsx';

/**
 * Creates the router and the query cache. The end of a session leads to the sign-in page and, after signing in, back.
 */
export function createApplication(history?: RouterHistory) {
  const current = (): SignedIn | null | undefined => queries.getQueryData(sessionQuery.queryKey);
  const keepDrafts = () => {
    const user = current()?.user;
    if (user) storeDrafts(user.id);
    return user;
  };
  const sessionEnded = () => {
    if (keepDrafts()) void goToSignIn(queries, router, { next: router.state.location.href, expired: true });
  };
  const refreshSession = async () => {
    await queries.refetchQueries({ queryKey: sessionQuery.queryKey });
    if (current()?.user.must_change_password)
      await router.navigate({ to: paths.newPassword, search: { next: router.state.location.href } });
  };
  const queries = createQueryClient(sessionEnded, () => void refreshSession());
  const router = createAppRouter(queries, keepDrafts, history);
  onUserElsewhere((user) => {
    if (user === (current()?.user.id ?? null)) return;
    removeDrafts(user ?? undefined);
    if (user === null) void goToSignIn(queries, router);
    else {
      queries.clear();
      void router.invalidate();
    }
  });
  return { queries, router };
}

type Props = { application: ReturnType<typeof createApplication>; language: Language };

export const Application = ({ application: { queries, router }, language }: Props) => (
  <LocaleProvider language={language}>
    <ThemeProvider>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </ThemeProvider>
  </LocaleProvider>
);
