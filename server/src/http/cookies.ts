import type { Config } from '../config.ts';

export const csrfCookie = 'XSRF-TOKEN';
const maxTried = 5;

const hostBound = (config: Config, name: string) =>
  config.APP_URL.startsWith('https:') && !config.SESSION_DOMAIN ? `__Host-${name}` : name;

export const sessionCookie = (config: Config) => hostBound(config, 'tenure_session');
/** Shows that this browser has signed in before; it opens nothing by itself. */
export const deviceCookie = (config: Config) => hostBound(config, 'tenure_device');
const flowNames = { second_factor: 'tenure_flow', sso: 'tenure_flow', passkey: 'tenure_passkey' };
/**
 * Holds a sign-in that takes several requests. Bound to this host, so that no sibling host can plant one. A passkey's
 * challenge has a cookie of its own, because the sign-in page requests one even while another sign-in is in progress.
 */
export const flowCookie = ({ APP_URL }: Config, kind: keyof typeof flowNames) =>
  APP_URL.startsWith('https:') ? `__Host-${flowNames[kind]}` : flowNames[kind];
/** The cookies that flows may use. */
export const flowCookies = (config: Config) => [flowCookie(config, 'sso'), flowCookie(config, 'passkey')];

/**
 * Parses a cookie header. The returned function gives all values of a name, at most five, because a sibling host may
 * have planted a cookie before ours.
 */
export function readCookies(header: string | undefined): (name: string) => readonly string[] {
  const found = new Map<string, string[]>();
  for (const pair of (header ?? '').split(';')) {
    const end = pair.indexOf('=');
    const name = pair.slice(0, end).trim();
    const values = found.get(name) ?? [];
    if (values.length >= maxTried) continue;
    values.push(
      pair
        .slice(end + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
    found.set(name, values);
  }
  return (name) => found.get(name) ?? [];
}

/** A Set-Cookie line; `maxAge` 0 with an empty value expires the cookie. */
export function setCookie(config: Config, name: string, value: string, maxAge: number): string {
  const parts = [`${name}=${value}`, `Max-Age=${Math.max(0, Math.floor(maxAge))}`, 'Path=/'];
  const isFlow = flowCookies(config).includes(name);
  if (config.SESSION_DOMAIN && !isFlow) parts.push(`Domain=${config.SESSION_DOMAIN}`);
  if (name !== csrfCookie) parts.push('HttpOnly');
  if (config.APP_URL.startsWith('https:')) parts.push('Secure');
  // no link from another site continues a sign-in
  return [...parts, `SameSite=${isFlow ? 'Strict' : 'Lax'}`].join('; ');
}
