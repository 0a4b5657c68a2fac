import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { checkDeclaredLength } from './body.ts';
import { badRequest } from './errors.ts';
import { bearsToken } from './origin.ts';
import { withoutPrefix } from './paths.ts';

const preflightName = /^[A-Za-z0-9-]{1,64}$/;
const maxPreflightNames = 32;
const corsMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const preflightVary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
const exposed =
  'Content-Disposition, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Idempotent-Replayed';

const constantHeaders = ({ APP_URL }: Pick<Config, 'APP_URL'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-site',
  'x-frame-options': 'DENY',
  ...(APP_URL.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

/** Headers of every answer, whatever code writes it. */
export const commonHeaders = (config: Pick<Config, 'APP_URL'>, requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  ...constantHeaders(config),
});

/** What API answers add: never cached, never shown as a page. */
export const dataHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The addresses that answer data and never a page, whatever the client accepts. */
export const isApi = (path: string) => /^\/(api|sanctum)(\/|$)/.test(path) || withoutPrefix.has(path);

export const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? '';

function answerPreflight(request: FastifyRequest, reply: FastifyReply, allowed: boolean) {
  const names = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => preflightName.test(name) && name.toLowerCase() !== 'authorization')
    .slice(0, maxPreflightNames);
  if (allowed)
    reply.headers({
      'access-control-allow-methods': corsMethods,
      'access-control-max-age': '600',
      ...(names.length > 0 && { 'access-control-allow-headers': names.join(', ') }),
    });
  return reply.code(204).send();
}

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Two Host headers may mean different hosts to different servers, and Node reads the first. */
const countHosts = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((value, index) => index % 2 === 0 && value.length === 4 && value.toLowerCase() === 'host').length;

/** What happens to every request before its route: headers, size, CORS. */
export function setHeaders(app: FastifyInstance, config: Config) {
  const origins = new Set(config.FRONTEND_URL);
  const always = constantHeaders(config);
  const ofData = { ...always, ...dataHeaders, vary: 'Origin, Accept-Language' };
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    // a page of another origin has no token: cookies decide what it may do
    const isShared = origin !== undefined && origins.has(origin) && !bearsToken(request.headers);
    const api = isApi(pathOf(request));
    const preflight = api && isPreflight(request);
    reply.header('x-request-id', request.id).headers(api ? ofData : always);
    if (preflight) reply.header('vary', preflightVary);
    if (api && isShared)
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    if (api && isShared && !preflight) reply.header('access-control-expose-headers', exposed);
    const hosts = countHosts(request.raw.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) throw badRequest();
    if (request.headers['content-length'] !== undefined) checkDeclaredLength(request.raw, request.routeOptions.config);
    return preflight ? answerPreflight(request, reply, isShared) : undefined;
  });
}
