import { apiBase } from './base.ts';

/** The token that proves a change was asked for by this application, or null before the first answer. */
export function csrfToken(): string | null {
  const cookie = document.cookie.split('; ').find((one) => one.startsWith('XSRF-TOKEN='));
  return cookie ? decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) : null;
}

let running: Promise<unknown> | undefined;

/** Fetches a fresh token; callers at the same moment share one request. */
export async function primeCsrf(): Promise<void> {
  running ??= fetch(`${apiBase}/sanctum/csrf-cookie`, { credentials: 'include' }).finally(() => {
    running = undefined;
  });
  await running;
}
