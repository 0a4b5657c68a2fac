import compress from '@fastify/compress';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import { randomId } from '../crypto/crypto.ts';
import type { Binding, Deps } from './context.ts';
import { fromDatabase, HttpError, methodNotAllowed, notFound } from './errors.ts';
import { setHeaders } from './headers.ts';
import { rateLimit } from './limits.ts';
import { originClassifier } from './origin.ts';
import { routablePath } from './paths.ts';
import { answer } from './pipeline.ts';
import type { Bound, PathBindings } from './pipeline.ts';
import { replyWriter } from './serialise.ts';
import type { Limits } from './work.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const seconds = 1_000;
const json = 'application/json; charset=utf-8';

const allowed = (bound: ReadonlyMap<string, Bound>) =>
  methods
    .filter((method) => bound.has(method === 'HEAD' ? 'GET' : method === 'PATCH' ? 'PUT' : method))
    .join(', ');

function byPath(bindings: readonly Binding[]): PathBindings[] {
  const paths = new Map<string, Map<string, Bound>>();
  for (const binding of bindings) {
    const { path, method } = binding.endpoint;
    const bound = paths.get(path) ?? new Map<string, Bound>();
    if (bound.has(method)) throw new Error(`${method} ${path} is bound twice`);
    bound.set(method, { ...binding, write: replyWriter(binding.endpoint) });
    paths.set(path, bound);
  }
  return [...paths].map(([path, byMethod]) => ({ path, byMethod, allow: allowed(byMethod) }));
}

/** Node refuses broken HTTP before it becomes a request: one line of JSON, then the connection closes. */
function refuseConnection(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
  const [line, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request header fields too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'Request timeout.']
        : ['400 Bad Request', 'Bad request.'];
  const body = JSON.stringify({ message });
  return socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: ${json}\r\nContent-Length: ${body.length}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}

function makeServer({ config, log }: Deps): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    genReqId: () => randomId(),
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    exposeHeadRoutes: false,
    connectionTimeout: 0,
    requestTimeout: 120 * seconds,
    keepAliveTimeout: 65 * seconds,
    rewriteUrl: (request) => routablePath(request.url ?? '/'),
    clientErrorHandler: refuseConnection,
    http: { maxHeaderSize: 16 * 1_024, headersTimeout: 10 * seconds, connectionsCheckingInterval: 2 * seconds },
    return503OnClosing: false,
  });
  app.server.maxConnections = 4_096;
  // bodies are read by the pipeline, after the checks that need none
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return app as unknown as FastifyInstance;
}

function renderStrays(app: FastifyInstance) {
  app.setErrorHandler((raw, request, reply) => {
    const error = fromDatabase(raw);
    if (!(error instanceof HttpError)) request.log.error({ event: 'server_error', err: error }, 'unexpected fault');
    const refusal = error instanceof HttpError ? error : new HttpError(500, { message: 'Server Error', request_id: request.id });
    return reply.code(refusal.status).headers(refusal.headers).header('content-type', json).send(JSON.stringify(refusal.body));
  });
}

/** Builds the HTTP server: plumbing, then every bound endpoint under /api; sign-in and out also without the prefix. */
export async function buildServer(deps: Deps, bindings: readonly Binding[]): Promise<FastifyInstance> {
  const { config } = deps;
  const app = makeServer(deps);
  setHeaders(app, config);
  renderStrays(app);
  await app.register(compress, { global: true, threshold: 1_024, encodings: ['br', 'gzip'] });
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.removeHeader('x-no-compression');
    return payload;
  });
  const originOf = originClassifier(config);
  const limits: Limits = {
    general: rateLimit(config.RATE_LIMIT_PER_MINUTE),
    export: rateLimit(100, 86_400),
    import: rateLimit(200, 86_400),
  };
  for (const paths of byPath(bindings)) {
    const urls = [`/api${paths.path}`, ...(['/login', '/logout'].includes(paths.path) ? [paths.path] : [])];
    for (const url of urls)
      app.route({
        method: url === '/login' ? ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] : [...methods],
        url,
        // everything happens before Fastify would read a body
        onRequest: async (request, reply) => {
          await answer(deps, paths, limits, originOf(request.headers), request, reply);
          return reply;
        },
        handler: () => undefined,
      });
  }
  app.route({
    method: [...methods],
    url: '/sanctum/csrf-cookie',
    handler: (request, reply) => {
      if (request.method === 'OPTIONS') return reply.code(204).header('allow', 'GET, HEAD').send();
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      for (const line of deps.gate.primeCookies(request.headers)) reply.header('set-cookie', line);
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  return app;
}
