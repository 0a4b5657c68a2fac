import { isAbsolute, join } from 'node:path';
import { isLoopback } from '../loopback.ts';
import { BadAddress, isS3, parseS3Address } from '../s3/address.ts';
import type { S3Address } from '../s3/address.ts';
import { containerKeys } from '../s3/container-keys.ts';
import type { ContainerSettings } from '../s3/container-keys.ts';

/** Where files are kept: in a folder, or in a bucket. */
export type Place = { kind: 'folder'; name: string } | { kind: 'bucket'; name: string; address: S3Address };

/** How to access object stores. */
export type S3Settings = {
  NODE_ENV: string;
  ALLOW_INSECURE_HTTP: boolean;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
} & ContainerSettings;

/** The settings that say where files are. */
export type StorageSettings = S3Settings & {
  DATA_DIR: string;
  STORAGE_URL: string;
  STORAGE_FALLBACK_URL?: string | undefined;
};

/** Keys for an address without its own, which take precedence. */
function otherKeys(address: string, settings: S3Settings) {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = settings;
  // other keys instead may have other rights
  if ((id === undefined) !== (secret === undefined))
    throw new BadAddress('needs both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither: one of them is not set');
  if (URL.canParse(address) && new URL(address).password !== '') return {};
  if (id !== undefined && secret !== undefined) return { id, secret };
  return { source: containerKeys(settings) };
}

/**
 * The place that an object store's address refers to, with the configured keys if the address has none.
 * @throws {BadAddress}
 */
export function s3AddressOf(address: string, settings: S3Settings): S3Address {
  const { NODE_ENV, ALLOW_INSECURE_HTTP } = settings;
  const found = parseS3Address(address, otherKeys(address, settings));
  const { protocol, hostname } = found.base;
  // a signature does not reveal the keys, but personal files would cross the network in clear text
  if (protocol === 'http:' && NODE_ENV === 'production' && !ALLOW_INSECURE_HTTP && !isLoopback(hostname))
    throw new BadAddress(
      'has an endpoint without TLS, which production refuses: give an https address, or set ALLOW_INSECURE_HTTP=on behind a closed network',
    );
  return found;
}

/** The folder for this machine's own files. */
export const ownFolderOf = ({ DATA_DIR }: Pick<StorageSettings, 'DATA_DIR'>): string => join(DATA_DIR, 'files');

/**
 * The path of an address `file:///path`; undefined for any other, one on another machine, and one with characters that
 * no file name can have.
 */
export function pathIn(address: string): string | undefined {
  const url = address.startsWith('file://') && URL.canParse(address) ? new URL(address) : undefined;
  if (url?.host !== '') return undefined;
  try {
    const path = decodeURIComponent(url.pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/**
 * The place that an address refers to: `file:` is the folder `files` in `DATA_DIR`, `file:///path` another one,
 * `s3://…` a bucket.
 * @throws {BadAddress}
 */
export function placeOf(address: string, settings: S3Settings & Pick<StorageSettings, 'DATA_DIR'>): Place {
  if (isS3(address)) {
    const found = s3AddressOf(address, settings);
    return { kind: 'bucket', name: found.name, address: found };
  }
  if (address === 'file:') return { kind: 'folder', name: ownFolderOf(settings) };
  const path = address.includes('?') ? undefined : pathIn(address)?.replace(/\/+$/, '');
  if (!path || !isAbsolute(path))
    throw new BadAddress('is neither file: nor a path such as file:///srv/files nor s3://bucket/prefix');
  return { kind: 'folder', name: path };
}

/** Both configured places; `fallback` is the previous one. */
export function placesOf(settings: StorageSettings): { kept: Place; fallback: Place | undefined } {
  const { STORAGE_URL, STORAGE_FALLBACK_URL } = settings;
  return {
    kept: placeOf(STORAGE_URL, settings),
    fallback: STORAGE_FALLBACK_URL === undefined ? undefined : placeOf(STORAGE_FALLBACK_URL, settings),
  };
}
