import { inEnglish } from '../languages/languages.ts';
import { text } from '@tenure/contract';
import { BlockList, isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { randomId } from '../crypto/crypto.ts';
import type { Deps } from './context.ts';
import { capConnections } from './connections.ts';
import { linger } from './drain.ts';
import { commonHeaders, dataHeaders } from './headers.ts';
import { routablePath } from './paths.ts';

const seconds = 1_000;
const maxHeaderSize = 16 * 1_024;
const json = 'application/json; charset=utf-8';

/** The methods that any address supports. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';
const refusals: Record<string, [line: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', inEnglish(text('general.headers_too_large'))],
  [timedOut]: ['408 Request Timeout', inEnglish(text('general.request_timeout'))],
  CONNECT: ['405 Method Not Allowed', 'Method not allowed.'],
};
const badRequest = ['400 Bad Request', inEnglish(text('general.bad_request'))] as const;

type Answering = Socket & { _httpMessage?: { headersSent: boolean } };

/** A client that does not close a refused connection keeps it at most this long. */
export const refused = { bytes: 1_024 * 1_024, milliseconds: 1_000 };

/** Answers input that never became a request: one line of JSON, then the connection closes. */
function refuseConnection(config: Config, socket: Answering, code = '') {
  // during or after an answer, the line would be taken for something else
  const isAnswered = socket._httpMessage?.headersSent || (code === timedOut && socket.bytesWritten > 0);
  if (!socket.writable || code === 'ECONNRESET' || isAnswered) return socket.destroy();
  const [line, message] = refusals[code] ?? badRequest;
  const body = JSON.stringify({ message });
  const headers = {
    ...commonHeaders(config, randomId()),
    ...dataHeaders,
    ...(code === 'CONNECT' && { allow: methods.join(', ') }),
    'content-type': json,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${line}\r\n${head.join('')}\r\n${body}`);
  return linger(socket, refused);
}

/** Whether an address belongs to a trusted proxy. */
export function trustedPeers(cidrs: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** A request id for the log and the client; a trusted proxy may already have set one. */
function requestIds(isTrusted: (address: string | undefined) => boolean) {
  return ({ headers, socket }: IncomingMessage): string => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) && isTrusted(socket.remoteAddress)
      ? given
      : randomId();
  };
}

/** The HTTP server before any routes are bound: limits, methods, broken connections. */
export function makeListener({ config, log }: Deps): FastifyInstance {
  const isTrusted = trustedPeers(config.TRUST_PROXY);
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(isTrusted),
    // without proxies, the address is that of the connection, which is cheap to find
    trustProxy: config.TRUST_PROXY.length > 0 && isTrusted,
    // log events name the request themselves, so a logger per request would only cost time
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: false,
    connectionTimeout: 130 * seconds,
    requestTimeout: 120 * seconds,
    keepAliveTimeout: 65 * seconds,
    // an address is no longer than the header block; the pattern of an id is linear, and checking it again for each
    // route would only cost time
    routerOptions: { maxParamLength: maxHeaderSize, allowUnsafeRegex: true },
    rewriteUrl: (request) => routablePath(request.url ?? '/'),
    clientErrorHandler: (error, socket) => void refuseConnection(config, socket, error.code),
    // a missing Host is refused with our own message
    http: {
      maxHeaderSize,
      headersTimeout: 10 * seconds,
      connectionsCheckingInterval: 2 * seconds,
      requireHostHeader: false,
    },
    return503OnClosing: false,
  }) as unknown as FastifyInstance;
  app.server.maxConnections = 4_096;
  capConnections(app.server, { most: config.CONNECTIONS_PER_ADDRESS, isExempt: isTrusted, log });
  // a client may signal that it sends no more, and still read
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.server.on('connect', (_request, socket) => refuseConnection(config, socket as Socket, 'CONNECT'));
  // an unknown expectation is no reason to refuse
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}
