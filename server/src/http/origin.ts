import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../loopback.ts';
import type { Config } from '../config.ts';

/**
 * own: from our application; foreign: from elsewhere; bare: the client does not say; token: a program with a token,
 * wherever it says it comes from.
 */
export type OriginClass = 'own' | 'foreign' | 'bare' | 'token';

/** True for a request with a token, a wrong or empty one too; other schemes are those of a proxy in front. */
export const bearsToken = ({ authorization }: IncomingHttpHeaders): boolean =>
  authorization !== undefined && /^\s*bearer(\s|$)/i.test(authorization);

/** What a request sends as its token. */
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
 * Tells where a request comes from. Only hosts count. Each of Origin and Referer that is sent must be ours: a page can
 * choose its Referer within bounds, its Origin never.
 */
export function originClassifier(config: Config): (headers: IncomingHttpHeaders) => OriginClass {
  const hosts = knownHosts(config);
  return (headers) => {
    if (bearsToken(headers)) return 'token';
    const { origin, referer } = headers;
    const told = [origin, referer].filter((value) => value !== undefined && value !== '');
    if (told.length === 0) return 'bare';
    return told.every((value) => hosts.has(hostOf(value ?? '') ?? '')) ? 'own' : 'foreign';
  };
}
