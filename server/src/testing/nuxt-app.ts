import { ref } from 'vue';

/**
 * What nuxt-auth-sanctum imports from a Nuxt application in a browser, as far as it uses it: Nuxt itself is a framework
 * of 300 packages. The rest of the package runs as published.
 */

type State = { value: unknown };
/** Set by the test: its browser's cookies, and the service's address. */
export const around = { baseUrl: '', cookie: (_name: string): string | undefined => undefined };

const states = new Map<string, State>();
const route = { path: '/login', query: {}, fullPath: '/login' };

export const useNuxtApp = () => ({
  callHook: () => Promise.resolve(),
  runWithContext: <T>(work: () => T): T => work(),
  $sanctumClient: application.client,
});
export const application: { client?: unknown } = {};

export function useState(key: string, first: () => unknown): State {
  const state = states.get(key) ?? ref(first());
  states.set(key, state);
  return state;
}
export const useRuntimeConfig = () => ({ public: { sanctum: settings() } });
export const useAppConfig = () => ({});
export const useCookie = (name: string) => ({ value: around.cookie(name) ?? null });
export const refreshCookie = () => undefined;
export const useRoute = () => route;
export const useRouter = () => ({ currentRoute: { value: route }, resolve: () => route });
export const navigateTo = () => Promise.resolve();

/** The module's default settings. */
const settings = () => ({
  baseUrl: around.baseUrl,
  mode: 'cookie',
  userStateKey: 'sanctum.user.identity',
  redirectIfAuthenticated: false,
  redirectIfUnauthenticated: false,
  endpoints: { csrf: '/sanctum/csrf-cookie', login: '/login', logout: '/logout', user: '/api/user' },
  csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' },
  client: { retry: false, initialRequest: true },
  redirect: { keepRequestedRoute: false, onLogin: '/', onLogout: '/', onAuthOnly: '/login', onGuestOnly: '/' },
});

/** For the server side, and the log. */
export const useRequestEvent = () => undefined;
export const useRequestURL = () => new URL(around.baseUrl);
export const useRequestHeaders = () => ({});
export const getResponseHeaders = () => ({});
export const setResponseHeaders = () => undefined;
export const splitCookiesString = () => [];
const log = new Proxy({}, { get: () => () => undefined });
export const logger = log;
