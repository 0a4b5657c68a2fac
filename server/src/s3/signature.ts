import { hmac, sha256Hex } from '../crypto/crypto.ts';
import type { S3Keys } from './address.ts';

/** A request before it is signed; the path and query of `url` are encoded by `encoded`. */
export type Unsigned = { method: string; url: URL; headers: Readonly<Record<string, string>>; sha256: string };

/** Percent-encodes all but letters, digits and `-._~`, as signatures require for names, values and path segments. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The headers of a request with its signature: AWS Signature Version 4 in the header. It includes the body's SHA-256,
 * so that the store refuses any other body.
 * @param now for example `20130524T000000Z`
 */
export function signed(
  { method, url, headers, sha256 }: Unsigned,
  { region, keys }: { region: string; keys: S3Keys },
  now: string,
): Record<string, string> {
  const all = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': now,
    ...(keys.token !== undefined && { 'x-amz-security-token': keys.token }),
  };
  const lines = Object.entries(all)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = lines.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...lines.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256,
  ].join('\n');
  const day = now.slice(0, 8);
  const scope = [day, region, 's3', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', now, scope.join('/'), sha256Hex(canonical)].join('\n');
  const key = scope.reduce<Buffer>((under, part) => hmac(under, part), Buffer.from(`AWS4${keys.secret}`));
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.id}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...all, authorization };
}
