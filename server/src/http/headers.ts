import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const preflightName = /^[A-Za-z0-9-]{1,64}$/;
const exposed =
  'Content-Disposition, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Idempotent-Replayed';

const isApi = (path: string) =>
  path.startsWith('/api/') || path.startsWith('/sanctum/') || path === '/api' || path === '/login' || path === '/logout';

/** Headers every answer carries, and CORS for the paths of the API. Preflights are answered before routing. */
export function setHeaders(app: FastifyInstance, config: Config) {
  const origins = new Set(config.FRONTEND_URL);
  const https = config.APP_URL.startsWith('https:');

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-resource-policy': 'same-site',
      'x-frame-options': 'DENY',
      ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    });
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
    if (!isApi(path)) return;
    const { origin } = request.headers;
    const method = request.headers['access-control-request-method'];
    const preflight = request.method === 'OPTIONS' && method !== undefined;
    const allowed = origin !== undefined && origins.has(origin);
    reply.headers({
      vary: preflight ? 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers' : 'Origin',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...(allowed && { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }),
    });
    if (!preflight) {
      if (allowed) reply.header('access-control-expose-headers', exposed);
      return;
    }
    if (allowed) {
      const names = (request.headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
      reply.headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': names.filter((name) => preflightName.test(name)).slice(0, 32).join(', '),
        'access-control-max-age': '600',
      });
    }
    return reply.code(204).send();
  });
}
