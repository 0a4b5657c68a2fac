import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from './api/session.tsx';
import { offersResets } from './features/sign-in/offers-resets.ts';
import { safeNext } from './features/sign-in/safe-next.ts';
import { newPasswordSearch, signInSearch } from './features/sign-in/search.ts';
import { lazyScreen } from './layout/lazy-screen.ts';
import { RouteAnnouncer } from './layout/RouteAnnouncer.tsx';
import { paths } from './paths.ts';

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <RouteAnnouncer />
    </>
  ),
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: signInSearch,
  beforeLoad: async ({ context, search }) => {
    const me = await context.queries.ensureQueryData(sessionQuery);
    if (me) throw redirect({ href: safeNext(search.next) });
  },
  component: lazyScreen(() => import('./features/sign-in/SignInPage.tsx'), 'SignInPage', 'sign-in'),
});

/** Where a user without a password asks for a link, if the installation allows it. */
export const forgot = createRoute({
  getParentRoute: () => root,
  path: paths.forgot,
  beforeLoad: () => {
    if (!offersResets()) throw redirect({ to: paths.signIn });
  },
  component: lazyScreen(() => import('./features/sign-in/ForgotPage.tsx'), 'ForgotPage', 'sign-in'),
});

const backTo = (href: string) => (href === paths.home ? {} : { next: href });

export const newPassword = createRoute({
  getParentRoute: () => root,
  path: paths.newPassword,
  validateSearch: newPasswordSearch,
  beforeLoad: async ({ context, location }) => {
    const me = await context.queries.ensureQueryData(sessionQuery);
    if (!me) throw redirect({ to: paths.signIn, search: backTo(location.href) });
  },
  component: lazyScreen(() => import('./features/sign-in/NewPasswordPage.tsx'), 'NewPasswordPage', 'sign-in'),
});

export const secondFactor = createRoute({
  getParentRoute: () => root,
  path: paths.secondFactor,
  validateSearch: newPasswordSearch,
  beforeLoad: async ({ context, location, search }) => {
    const me = await context.queries.ensureQueryData(sessionQuery);
    if (!me) throw redirect({ to: paths.signIn, search: backTo(location.href) });
    if (me.second_factor.state !== 'required') throw redirect({ href: safeNext(search.next) });
  },
  component: lazyScreen(() => import('./features/sign-in/SecondFactorPage.tsx'), 'SecondFactorPage', 'two-step'),
});

// a separate screen for each address, so that they do not share state
const resetPage = () => lazyScreen(() => import('./features/sign-in/ResetPage.tsx'), 'ResetPage', 'sign-in');

/** Opened from a link in a mail, with or without a session. */
export const reset = createRoute({ getParentRoute: () => root, path: paths.reset, component: resetPage() });

/** Opened from an invitation. */
export const welcome = createRoute({ getParentRoute: () => root, path: paths.welcome, component: resetPage() });

/** Where a provider redirects the browser, with its answer in the search parameters. */
export const ssoCallback = createRoute({
  getParentRoute: () => root,
  path: paths.ssoCallback,
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyScreen(() => import('./features/sign-in/SsoCallbackPage.tsx'), 'SsoCallbackPage', 'sso'),
});

/** The layout route of all screens that require a session. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    const me = await context.queries.ensureQueryData(sessionQuery);
    if (!me) throw redirect({ to: paths.signIn, search: backTo(location.href) });
    if (me.user.must_change_password) throw redirect({ to: paths.newPassword, search: backTo(location.href) });
    if (me.second_factor.state === 'required')
      throw redirect({ to: paths.secondFactor, search: backTo(location.href) });
  },
  component: lazyScreen(() => import('./layout/Shell.tsx'), 'Shell'),
});
