import { isIP } from 'node:net';

/** A place in an object store that supports the S3 protocol. */
export type S3Address = {
  /** Its name in messages: bucket and prefix, without keys. */
  name: string;
  /** Empty, or ends with a slash; every object key starts with it. */
  prefix: string;
  /** The URL of the bucket; object keys are appended. */
  base: URL;
  region: string;
  /** Headers that ask the store to encrypt what it writes. */
  encryption: Readonly<Record<string, string>>;
  keys: S3Keys | KeySource;
};

export type S3Keys = {
  id: string;
  secret: string;
  /** Accompanies temporary keys. */
  token?: string;
};

/** Temporary keys, which are renewed. */
export type KeySource = {
  read: () => Promise<S3Keys>;
  /** The store rejected the keys as expired, so the next call requests new ones. */
  clear: () => void;
};

/** The keys to use for an address without any. */
type OtherKeys = Partial<S3Keys> & { source?: KeySource | undefined };

/** An address is invalid; the message follows the name of its setting. */
export class BadAddress extends Error {}

const known = new Set(['endpoint', 'region', 'style', 'sse']);

export const isS3 = (address: string): boolean => address.startsWith('s3://');

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&style=path|host&sse=…`. Keys in the address, as in
 * `s3://id:secret@bucket`, take precedence over `keys`.
 * @throws {BadAddress}
 */
export function parseS3Address(text: string, keys: OtherKeys): S3Address {
  const url = URL.canParse(text) ? new URL(text) : refuse('is not an address: give one such as s3://bucket/prefix');
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || url.port !== '' || url.hash !== '')
    refuse(
      'has no valid bucket name: give s3://bucket/prefix, with a name of 3 to 63 lowercase letters, digits, hyphens and dots',
    );
  for (const [name] of url.searchParams)
    if (!known.has(name)) refuse(`has the unknown option ${name}: use only ${[...known].join(', ')}`);
  const prefix = prefixOf(url.pathname);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) refuse('has an invalid region: give one such as eu-central-1');
  return {
    name: `s3://${bucket}${prefix && `/${prefix.slice(0, -1)}`}`,
    prefix,
    base: baseOf(bucket, region, url.searchParams),
    region,
    encryption: encryptionOf(url.searchParams.get('sse')),
    keys: keysOf(url, keys),
  };
}

function refuse(reason: string): never {
  throw new BadAddress(reason);
}

function prefixOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  // other characters would need escaping, which differs between stores
  if (!parts.every((part) => /^[A-Za-z0-9._-]+$/.test(part) && !/^\.+$/.test(part)))
    refuse(
      'has a prefix with other characters than letters, digits, dots, hyphens and underscores: choose another prefix',
    );
  return parts.map((part) => `${part}/`).join('');
}

function baseOf(bucket: string, region: string, options: URLSearchParams): URL {
  const given = options.get('endpoint');
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint)
    ? new URL(endpoint)
    : refuse('has an endpoint that is not an address: give scheme, host and port');
  if (!['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.username)
    refuse('has an invalid endpoint: give only scheme (http or https), host and port');
  const style = options.get('style') ?? (given === null ? 'host' : 'path');
  if (style !== 'host' && style !== 'path') refuse('has an unknown style: give path or host');
  if (style === 'path') url.pathname = `/${bucket}/`;
  else if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0)
    refuse(
      'has style=host with an IP address, which cannot have the bucket as a subdomain: give a host name, or style=path',
    );
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}

function encryptionOf(sse: string | null): Record<string, string> {
  const header = 'x-amz-server-side-encryption';
  if (sse === null) return {};
  const [, algorithm = '', key] = /^(AES256|aws:kms)(?::(.+))?$/.exec(sse) ?? [];
  if (algorithm === '' || (algorithm === 'AES256' && key !== undefined))
    refuse('has an unknown sse: give AES256, aws:kms or aws:kms:<key>');
  return { [header]: algorithm, ...(key !== undefined && { [`${header}-aws-kms-key-id`]: key }) };
}

function keysOf({ username, password }: URL, { id, secret, source }: OtherKeys): S3Keys | KeySource {
  // other keys instead may have other rights
  if ((username === '') !== (password === ''))
    refuse('has an id without a secret, or the reverse: give s3://id:secret@bucket, or neither');
  if (username !== '') return { id: decodeURIComponent(username), secret: decodeURIComponent(password) };
  if (id && secret) return { id, secret };
  return source ?? refuse('needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
}
