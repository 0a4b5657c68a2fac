import { apiBase } from './base.ts';

/** The CSRF token from the cookie; null before the first answer of the service. */
export function csrfToken(): string | null {
  const cookie = document.cookie.split('; ').find((one) => one.startsWith('XSRF-TOKEN='));
  return cookie ? decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) : null;
}

let running: Promise<unknown> | undefined;

/** Fetches a new token; concurrent callers share one request. */
export async function refreshCsrfToken(): Promise<void> {
  running ??= fetch(`${apiBase}/sanctum/csrf-cookie`, { credentials: 'include' }).finally(() => {
    running = undefined;
  });
  await running;
}
