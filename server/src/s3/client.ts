import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../crypto/crypto.ts';
import type { S3Address } from './address.ts';
import { readListing, readRefusal } from './answers.ts';
import type { Listed } from './answers.ts';
import { expired, S3Error } from './errors.ts';
import { bodyOf, send, textOf, usualLimits } from './requests.ts';
import type { Content, TimeLimits } from './requests.ts';
import { encoded, signed } from './signature.ts';

/** The five requests. Keys are relative to the address's prefix; each request is tried three times. */
export type S3Client = {
  address: S3Address;
  /** Writes an object; once this resolves, the store has it. `totalMs` covers all tries together. */
  put: (key: string, content: Content, totalMs?: number) => Promise<void>;
  /** The content of an object, or null if there is none. A body that ends early breaks the stream. */
  get: (key: string) => Promise<{ stream: Readable; size: number } | null>;
  head: (key: string) => Promise<Omit<Listed, 'key'> | null>;
  /** Removing an object twice is no error. */
  remove: (key: string) => Promise<void>;
  /** All objects whose key starts with `start`. With `flat`, each folder below is a single entry. */
  list: (start: string, flat?: boolean) => AsyncGenerator<Listed | { folder: string }, void>;
};

type Asked = { method: string; key?: string; query?: Readonly<Record<string, string>> } & {
  headers?: Readonly<Record<string, string>>;
  content?: Content;
};

const tries = 3;
const largestAnswer = 8 * 1_024 * 1_024;
const largestRefusal = 64 * 1_024;

/** Bytes as a request body. */
export const contentOf = (bytes: Uint8Array): Content => ({
  size: bytes.byteLength,
  sha256: sha256Hex(bytes),
  open: () => Readable.from([bytes], { objectMode: false }),
});

/** @param limits of each request; tests set others */
export function openS3(address: S3Address, limits: TimeLimits = usualLimits): S3Client {
  const at = (key: string) => {
    if (!staysInside(key)) throw new Error(`${key} is no key of an object`);
    return address.prefix + key;
  };
  const ask = (asked: Asked, totalMs = limits.totalMs) => inTries(address, asked, { ...limits, totalMs });
  return {
    address,
    put: async (key, content, totalMs) => {
      const headers = { 'content-type': 'application/octet-stream', ...address.encryption };
      const response = await ask({ method: 'PUT', key: at(key), headers, content }, totalMs);
      await textOf(response, limits, largestAnswer);
    },
    get: async (key) => {
      const response = await ask({ method: 'GET', key: at(key) }).catch(orAbsent);
      return response && streamOf(response, limits);
    },
    head: async (key) => {
      const response = await ask({ method: 'HEAD', key: at(key) }).catch(orNone);
      if (!response) return null;
      response.resume();
      const { 'content-length': size, 'last-modified': changed } = response.headers;
      return { size: Number(size), changedAt: Date.parse(changed ?? '') };
    },
    remove: async (key) => {
      const response = await ask({ method: 'DELETE', key: at(key) }).catch(orAbsent);
      response?.resume();
    },
    list: (start, flat = false) => list(ask, address.prefix, { start, flat, limits }),
  };
}

/** False for keys that would lead out of the prefix in a URL; other programs' objects may have such keys. */
const staysInside = (key: string) => key.split('/').every((part) => !['', '.', '..'].includes(part));

/** Null for an object that does not exist; a missing bucket or access key stays an error. */
function orAbsent(error: S3Error): null {
  if (error.status === 404 && error.code === 'NoSuchKey') return null;
  throw error;
}

/** The same for answers without a body, which do not say what is missing. */
function orNone(error: S3Error): null {
  if (error.status === 404) return null;
  throw error;
}

function streamOf(response: IncomingMessage, limits: TimeLimits) {
  const size = Number(response.headers['content-length'] ?? NaN);
  if (!Number.isSafeInteger(size)) {
    response.destroy();
    throw new S3Error('NoContentLength', { status: 502 });
  }
  const stream = Readable.from(bodyOf(response, limits), { objectMode: false });
  // even if the stream was never read
  stream.once('close', () => response.destroy());
  return { stream, size };
}

async function* list(
  ask: (asked: Asked) => Promise<IncomingMessage>,
  prefix: string,
  { start, flat, limits }: { start: string; flat: boolean; limits: TimeLimits },
): AsyncGenerator<Listed | { folder: string }, void> {
  let next: string | undefined;
  do {
    const query = {
      ...(next !== undefined && { 'continuation-token': next }),
      ...(flat && { delimiter: '/' }),
      'list-type': '2',
      prefix: prefix + start,
    };
    const text = await textOf(await ask({ method: 'GET', query }), limits, largestAnswer);
    const page = readPage(text);
    for (const object of page.objects) {
      const key = object.key.slice(prefix.length);
      if (object.key.startsWith(prefix) && staysInside(key)) yield { ...object, key };
    }
    for (const folder of page.folders) {
      const name = folder.slice(prefix.length);
      if (folder.startsWith(prefix) && staysInside(name.replace(/\/$/, ''))) yield { folder: name };
    }
    if (page.next !== undefined && page.next === next) throw new S3Error('MalformedListing', { status: 502 });
    next = page.next;
  } while (next !== undefined);
}

function readPage(text: string) {
  try {
    return readListing(text);
  } catch (error) {
    throw new S3Error('MalformedListing', { status: 502, cause: error });
  }
}

async function inTries(address: S3Address, asked: Asked, limits: TimeLimits): Promise<IncomingMessage> {
  const end = performance.now() + limits.totalMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(address, asked, { ...limits, totalMs: Math.max(1, end - performance.now()) });
    } catch (error) {
      const pause = limits.pauseMs * attempt * attempt;
      const hasTime = performance.now() + pause < end;
      if (!(error instanceof S3Error) || !error.isPassing || attempt >= tries || !hasTime) throw error;
      await sleep(pause);
    }
  }
}

const now = () => `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
const emptySha256 = sha256Hex('');

async function once(address: S3Address, asked: Asked, limits: TimeLimits): Promise<IncomingMessage> {
  const { method, key = '', query = {}, headers = {}, content } = asked;
  const url = new URL(address.base);
  url.pathname += key.split('/').map(encoded).join('/');
  url.search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const length: Record<string, string> = content ? { 'content-length': String(content.size) } : {};
  const sha256 = content?.sha256 ?? emptySha256;
  const keys = 'read' in address.keys ? await address.keys.read() : address.keys;
  const unsigned = { method, url, headers: { ...headers, ...length }, sha256 };
  const all = signed(unsigned, { region: address.region, keys }, now());
  const response = await send({ method, url, headers: all, content }, limits);
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300) return response;
  const refusal = await refusalOf(response, status, limits);
  // the next try requests new ones
  if ('clear' in address.keys && refusal.code === expired) address.keys.clear();
  throw refusal;
}

async function refusalOf(response: IncomingMessage, status: number, limits: TimeLimits): Promise<S3Error> {
  const body = await textOf(response, limits, largestRefusal).catch(() => '');
  const { code = `HTTP ${status}`, message } = readRefusal(body);
  return new S3Error(code, { status, ...(message !== undefined && { message }) });
}
