import { paths } from '../../paths.ts';

const base = 'https://own.invalid';

/**
 * Where to go after signing in: the given path if it belongs to this application, else the home page. Anything that a
 * browser could read as another origin or a scheme, and the sign-in page itself, leads to the home page.
 */
export function safeNext(next: string | undefined): string {
  // Browsers drop control characters and read a backslash as a slash; no path of the application has either.
  // oxlint-disable-next-line no-control-regex -- control characters are refused here
  if (!next?.startsWith('/') || /[\\\u0000-\u0020\u007f-\u00a0]/.test(next)) return paths.home;
  const url = URL.canParse(next, base) ? new URL(next, base) : undefined;
  if (url?.origin !== base || url.pathname.startsWith('//')) return paths.home;
  if (/^\/+(login|api|sanctum)(\/|$)/i.test(decode(url.pathname))) return paths.home;
  return url.pathname + url.search + url.hash;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return paths.signIn;
  }
}
