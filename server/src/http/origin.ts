import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../loopback.ts';
import type { Config } from '../config.ts';

/**
 * own: from our application; foreign: from elsewhere; bare: the client does not say; token: a program with a token,
 * whatever origin it states.
 */
export type OriginClass = 'own' | 'foreign' | 'bare' | 'token';

/** True for a request with a token, even a wrong or empty one; other schemes belong to a proxy in front. */
export const bearsToken = ({ authorization }: IncomingHttpHeaders): boolean =>
  authorization !== undefined && /^\s*bearer(\s|$)/i.test(authorization);

/** The token that a request sends. */
export const tokenOf = ({ authorization = '' }: IncomingHttpHeaders): string =>
  authorization.trim().slice('bearer'.length).trim();

function hostOf(value: string): string | undefined {
  // the URL parser removes the default port of the scheme and lowers the case
  return URL.canParse(value) ? new URL(value).host || undefined : undefined;
}

function knownHosts({ APP_URL, FRONTEND_URL }: Config): Set<string> {
  const hosts = new Set([APP_URL, ...FRONTEND_URL].map((url) => new URL(url).host));
  const app = new URL(APP_URL);
  if (isLoopback(app.hostname))
    for (const name of ['localhost', '127.0.0.1', '[::1]']) hosts.add(app.port ? `${name}:${app.port}` : name);
  return hosts;
}

/**
 * Determines where a request comes from. Only hosts count. Each of Origin and Referer that is sent must be ours: a page
 * can influence its Referer, but never its Origin.
 */
export function originClassifier(config: Config): (headers: IncomingHttpHeaders) => OriginClass {
  const hosts = knownHosts(config);
  return (headers) => {
    if (bearsToken(headers)) return 'token';
    const { origin, referer } = headers;
    const given = [origin, referer].filter((value) => value !== undefined && value !== '');
    if (given.length === 0) return 'bare';
    return given.every((value) => hosts.has(hostOf(value ?? '') ?? '')) ? 'own' : 'foreign';
  };
}
