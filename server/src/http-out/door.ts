import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { BlockList, LookupFunction } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isReachable, literalOf, rangesOf } from './addresses.ts';
import { EgressDenied, EgressFailed } from './failures.ts';
import { isOwnPlace, ownPlaces } from './own-places.ts';
import type { OwnPlaces } from './own-places.ts';
import { tunnel } from './proxy.ts';
import { openNames, resolveBySystem, within } from './resolve.ts';
import type { Resolve } from './resolve.ts';

/**
 * The one way out for requests to addresses that people enter. The address is checked at the time of connecting, so
 * that DNS rebinding between check and use gains nothing. docs/decisions/0091-one-way-out.md
 */

export type OutRequest = {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** The most bytes of the response to read; a longer one fails, unless only its status is wanted. */
  maxBytes: number;
  /** Returns the status, however the body ends. The body is read for the sake of the other side, and discarded. */
  statusOnly?: true;
  /** For the whole exchange, including DNS. */
  timeoutMs?: number;
};

export type OutAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type Door = {
  /** Sends a request; follows no redirect. Throws `EgressDenied` before anything is sent, else `EgressFailed`. */
  send: (request: OutRequest) => Promise<OutAnswer>;
  /** Throws as `send` would for the address, without connecting to it. */
  check: (url: string, timeoutMs?: number) => Promise<void>;
};

export type DoorOptions = {
  config: Config;
  log: Logger;
  /** Replaces DNS. */
  resolve?: Resolve;
  /** Certificates to trust instead of the system's. */
  ca?: string;
};

type Inside = {
  allowed: BlockList;
  own: OwnPlaces;
  resolve: Resolve;
  /** Resolves configured servers as their clients do. */
  resolveOwn: Resolve;
  proxy: URL | undefined;
  ca: string | undefined;
};

const defaultTimeout = 15_000;
const connectTimeout = 10_000;
const maxHeaderSize = 16_384;

export function openDoor({ config, log, resolve, ca }: DoorOptions): Door {
  const { EGRESS_ALLOW, EGRESS_PROXY } = config;
  const inside: Inside = {
    allowed: rangesOf(EGRESS_ALLOW),
    own: ownPlaces(config),
    resolve: resolve ?? openNames(),
    resolveOwn: resolve ?? resolveBySystem,
    proxy: EGRESS_PROXY ? new URL(EGRESS_PROXY) : undefined,
    ca,
  };
  const noted = <T>(url: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof EgressDenied) {
        const host = URL.canParse(url) ? new URL(url).hostname : '';
        log.warn({ event: 'egress_denied', host, reason: error.reason }, 'an address must not be reached from here');
      }
      throw error;
    });
  return {
    send: (request) => noted(request.url, send(inside, request)),
    check: (url, timeoutMs = defaultTimeout) => noted(url, checkUrl(inside, url, AbortSignal.timeout(timeoutMs))),
  };
}

/** Checks what the text of an address reveals. */
function readUrl({ allowed }: Inside, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new EgressDenied('scheme', url?.hostname ?? '');
  if (url.username || url.password) throw new EgressDenied('credentials', url.hostname);
  const literal = literalOf(url.hostname);
  const isAllowed = literal === undefined || allowed.check(literal, literal.includes(':') ? 'ipv6' : 'ipv4');
  if (!isAllowed) throw new EgressDenied('literal', url.hostname);
  return url;
}

const portOf = ({ port }: URL) => (port ? Number(port) : 443);

type Host = { hostname: string; port: number; deadline: AbortSignal };

/** All addresses of a host, each of which must be allowed. */
async function addressesOf({ allowed, own, resolve, resolveOwn }: Inside, { hostname, port, deadline }: Host) {
  const inTime =
    (look: Resolve): Resolve =>
    (name) =>
      within(deadline, look(name, deadline));
  const found = await inTime(resolve)(hostname).catch((error: unknown) => {
    throw new EgressFailed(deadline.aborted ? 'timeout' : 'unresolved', error);
  });
  if (found.length === 0) throw new EgressFailed('unresolved');
  for (const { address } of found) {
    if (!isReachable(address, allowed)) throw new EgressDenied('address', hostname);
    if (await isOwnPlace(own, { address, port }, inTime(resolveOwn))) throw new EgressDenied('own', hostname);
  }
  // if the name of an own server was not resolved in time, it would not be recognised
  if (deadline.aborted) throw new EgressFailed('timeout');
  return found;
}

async function checkUrl(inside: Inside, text: string, deadline: AbortSignal): Promise<void> {
  const url = readUrl(inside, text);
  const literal = literalOf(url.hostname);
  // names may not resolve outside the proxy
  if (literal === undefined && inside.proxy) return;
  await addressesOf(inside, { hostname: literal ?? url.hostname, port: portOf(url), deadline });
}

/** Restricts a connection to the addresses that passed. */
const checkedLookup =
  (inside: Inside, { port, deadline }: Omit<Host, 'hostname'>): LookupFunction =>
  (hostname, options, callback) => {
    const hand = async () => {
      try {
        const found = await addressesOf(inside, { hostname, port, deadline });
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      } catch (error) {
        callback(error as Error, '', 0);
      }
    };
    void hand();
  };

async function send(inside: Inside, request: OutRequest): Promise<OutAnswer> {
  const url = readUrl(inside, request.url);
  const literal = literalOf(url.hostname);
  const deadline = AbortSignal.timeout(request.timeoutMs ?? defaultTimeout);
  // a connection to an IP address resolves no name
  if (literal !== undefined) await addressesOf(inside, { hostname: literal, port: portOf(url), deadline });
  try {
    return await exchange(inside, { ...request, target: url, deadline });
  } catch (error) {
    if (error instanceof EgressDenied || error instanceof EgressFailed) throw error;
    throw new EgressFailed(deadline.aborted ? 'timeout' : 'connection', error);
  }
}

type Exchange = OutRequest & { target: URL; deadline: AbortSignal };

async function optionsOf(inside: Inside, { method = 'GET', headers, body, target, deadline }: Exchange) {
  const options: RequestOptions = {
    method,
    headers: {
      'user-agent': 'Tenure',
      ...headers,
      // a small response must not expand into a large one here
      'accept-encoding': 'identity',
      ...(body && { 'content-length': String(body.byteLength) }),
    },
    // so that each connection is checked
    agent: false,
    lookup: checkedLookup(inside, { port: portOf(target), deadline }),
    signal: deadline,
    maxHeaderSize,
    ...(inside.ca !== undefined && { ca: inside.ca }),
  };
  if (!inside.proxy) return options;
  const socket = await tunnel(inside.proxy, target, { signal: deadline, timeoutMs: connectTimeout, ca: inside.ca });
  // with an agent, the request would use another connection
  return { ...options, agent: undefined, createConnection: () => socket };
}

async function exchange(inside: Inside, sent: Exchange): Promise<OutAnswer> {
  const options = await optionsOf(inside, sent);
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(sent.target, options);
    const slow = setTimeout(() => outgoing.destroy(new EgressFailed('timeout')), connectTimeout);
    const stop = (error: Error) => {
      outgoing.destroy();
      reject(error);
    };
    outgoing.once('socket', (socket) => socket.once('secureConnect', () => clearTimeout(slow)));
    let isAnswered = false;
    outgoing.once('close', () => {
      clearTimeout(slow);
      // a protocol upgrade is neither a response nor an error
      if (!isAnswered) reject(new EgressFailed('connection'));
    });
    outgoing.once('error', reject);
    outgoing.once('response', (answer) => {
      isAnswered = true;
      clearTimeout(slow);
      if (sent.statusOnly) void readAway(answer, sent.maxBytes).then(resolve, stop);
      else readAnswer(answer, sent.maxBytes).then(resolve, stop);
    });
    outgoing.end(sent.body);
  });
}

/** Reads a response up to a size. */
async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<OutAnswer> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200) throw new EgressFailed('connection');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new EgressFailed('encoded');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new EgressFailed('too_large');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new EgressFailed('too_large');
    parts.push(part);
  }
  return { status: statusCode, headers, body: Buffer.concat(parts) };
}

/** The status of a response, once its body has ended, broken off or exceeded a size. */
async function readAway(answer: IncomingMessage, maxBytes: number): Promise<OutAnswer> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200) throw new EgressFailed('connection');
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes) break;
    }
  } catch {
    // the status is known, and nothing else is wanted
  }
  return { status: statusCode, headers, body: Buffer.alloc(0) };
}
