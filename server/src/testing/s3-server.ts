import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../crypto/crypto.ts';
import { signed } from '../s3/signature.ts';

export const s3Keys = { id: 'test', secret: 'test-secret/+' };

/**
 * What a store does instead of answering: stays silent, cuts the connection before or after the work, breaks off in the
 * middle of an answer, receives an altered body, or refuses.
 */
export type Fault = 'silent' | 'cut' | 'cut after' | 'half' | 'altered' | { status: number; code: string };

export type S3Server = {
  /** The setting for a prefix of its bucket. */
  address: (prefix?: string, options?: string) => string;
  objects: Map<string, Buffer>;
  /** Method and key of each request. */
  asked: string[];
  /** Decides about each request; undefined answers it normally. */
  fault: (method: string, key: string) => Fault | undefined;
  /** Milliseconds to wait before each request's work. */
  delay: (method: string, key: string) => number;
  /** The time in listings, in milliseconds since 1970. */
  changedAt: number;
  close: () => Promise<void>;
  /** Reopens on the same port. */
  open: () => Promise<void>;
};

const bucket = 'files';
// small, so that tests need several pages
const pageSize = 2;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const element = (name: string, content: string) => `<${name}>${content}</${name}>`;

function refuse(response: ServerResponse, status: number, code: string) {
  const body = `<?xml version="1.0"?>${element('Error', element('Code', code) + element('Message', `It is ${code}`))}`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** Whether the signature matches what arrived. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL): boolean {
  const authorization = headers.authorization ?? '';
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const own = signed(
    { method, url, headers: sent, sha256: String(headers['x-amz-content-sha256']) },
    { region: 'us-east-1', keys: s3Keys },
    String(headers['x-amz-date']),
  );
  return own['authorization'] === authorization;
}

function listing(server: Pick<S3Server, 'objects' | 'changedAt'>, query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const entries = new Map<string, string>();
  for (const [key, content] of [...server.objects].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const end = query.has('delimiter') ? key.indexOf('/', prefix.length) : -1;
    const folder = key.slice(0, end + 1);
    const changed = new Date(server.changedAt).toISOString();
    const about =
      element('Key', escaped(key)) + element('LastModified', changed) + element('Size', String(content.length));
    if (end >= 0) entries.set(folder, element('CommonPrefixes', element('Prefix', escaped(folder))));
    else entries.set(key, element('Contents', about));
  }
  const rest = [...entries].filter(([key]) => key > after);
  const page = rest.slice(0, pageSize);
  const next = rest.length > pageSize ? element('NextContinuationToken', escaped(page.at(-1)?.[0] ?? '')) : '';
  return `<?xml version="1.0"?>${element('ListBucketResult', page.map(([, entry]) => entry).join('\n') + next)}`;
}

/** A small store for what no real one does on demand; it refuses invalid signatures and bodies. */
export async function startS3(): Promise<S3Server> {
  let port = 0;
  let http = createServer();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const { method = '' } = request;
    const key = decodeURIComponent(url.pathname.replace(`/${bucket}/`, ''));
    server.asked.push(`${method} ${key || (url.searchParams.get('prefix') ?? '')}`);
    const fault = server.fault(method, key);
    if (fault === 'silent') return;
    if (fault === 'cut') return void request.socket.resetAndDestroy();
    const body = await buffer(request);
    const delay = server.delay(method, key);
    if (delay > 0) await sleep(delay);
    if (fault === 'altered' && body.length > 0) body[0] = (body[0] ?? 0) ^ 1;
    if (typeof fault === 'object') return refuse(response, fault.status, fault.code);
    if (!url.pathname.startsWith(`/${bucket}/`)) return refuse(response, 404, 'NoSuchBucket');
    if (!isSigned(request, url)) return refuse(response, 403, 'SignatureDoesNotMatch');
    if (sha256Hex(body) !== request.headers['x-amz-content-sha256'])
      return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    if (method === 'PUT') server.objects.set(key, body);
    if (method === 'DELETE') server.objects.delete(key);
    if (fault === 'cut after') return void request.socket.resetAndDestroy();
    if (method === 'PUT' || method === 'DELETE') return void response.writeHead(method === 'PUT' ? 200 : 204).end();
    if (key === '') return void response.writeHead(200).end(listing(server, url.searchParams));
    const content = server.objects.get(key);
    if (!content) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, {
      'content-length': content.length,
      'last-modified': new Date(server.changedAt).toUTCString(),
    });
    if (fault !== 'half') return void response.end(content);
    response.write(content.subarray(0, content.length / 2), () => request.socket.resetAndDestroy());
  }

  const server: S3Server = {
    address: (prefix = '', options = '') => {
      const { id, secret } = s3Keys;
      const keys = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
      return `s3://${keys}@${bucket}/${prefix}?endpoint=http://127.0.0.1:${port}${options}`;
    },
    objects: new Map(),
    asked: [],
    fault: () => undefined,
    delay: () => 0,
    changedAt: Date.now(),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
    open: async () => {
      http = createServer((request, response) => void handle(request, response).catch(() => request.socket.destroy()));
      await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
      ({ port } = http.address() as AddressInfo);
    },
  };
  await server.open();
  return server;
}
