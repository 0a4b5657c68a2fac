import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Actor } from '../access/actor.ts';
import { networkOf } from '../access/known-origins.ts';
import { touchSession } from '../access/sessions.ts';
import { actorOfSession, actorOfToken, tokenBehind } from './actors.ts';
import type { Params, Route } from './context.ts';
import {
  forbidden,
  invalidToken,
  methodNotAllowed,
  notFound,
  tokenMismatch,
  tooMany,
  unauthenticated,
  unavailable,
} from './errors.ts';
import { logToken, watchAddress, watchToken } from './events.ts';
import { readQuery } from './input.ts';
import type { Input } from './input.ts';
import type { Limits } from './limits.ts';
import { refusalOf, stepUpRefusal } from './permission.ts';
import type { RequestContext } from './request-context.ts';
import type { Credentials } from './session-cookies.ts';

/**
 * The checks that all endpoints share, one hook each, in their order. All run before a byte of the body is read; the
 * checks of the row and its fields follow in `execute.ts`.
 */

/** What all requests to an address share. */
export type Address = Pick<RequestContext, 'deps' | 'limits' | 'address' | 'path' | 'routes'> & {
  originOf: (headers: FastifyRequest['headers']) => RequestContext['origin'];
  allowOf: (request: FastifyRequest) => string;
};

const none: Credentials = { content: null, live: null, sealed: null, tokens: [], devices: [], flows: [] };
const isPublic = ({ endpoint }: Route) => endpoint.permission === 'public';
const changes = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD';

/** The context of a request whose address was found; available to every later hook and the endpoint's handler. */
export const contextOf = (request: FastifyRequest) => request.context as RequestContext;

/** Converts ids to numbers and keeps words; 404 for a number too large to be exact, which cannot be an id. */
const readParams = (written: unknown): Params =>
  Object.fromEntries(
    Object.entries(written as Record<string, string>).map(([name, value]) => {
      if (!/^\d+$/.test(value)) return [name, value];
      if (!Number.isSafeInteger(Number(value))) throw notFound();
      return [name, Number(value)];
    }),
  );

/** The method that a POST names in `_method`, or undefined if it names none. */
function overriddenMethod({ _method: named }: Input, allow: () => string): string | undefined {
  if (named === undefined || named === null) return undefined;
  const method = typeof named === 'string' ? named.toUpperCase() : '';
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw methodNotAllowed(allow());
  return method === 'POST' ? undefined : method.replace('PATCH', 'PUT');
}

/** Creates the context; the query of a POST may already name another method. */
export function openContext({ deps, limits, address, path, routes, originOf, allowOf }: Address): onRequestHookHandler {
  return (request, _reply, done) => {
    const query = readQuery(request.url);
    const allow = () => allowOf(request);
    const named = request.method === 'POST' ? overriddenMethod(query, allow) : undefined;
    const possible = named === undefined ? routes : routes.filter(({ endpoint }) => endpoint.method === named);
    if (possible.length === 0) throw methodNotAllowed(allow());
    request.context = {
      deps,
      limits,
      request,
      address,
      path,
      params: readParams(request.params),
      query,
      routes: possible,
      refusals: new Map(),
      isOpen: request.method === 'POST' && named === undefined,
      allow,
      origin: originOf(request.headers),
      credentials: none,
      mayCookie: false,
      cookies: null,
      actor: null,
      remaining: null,
    };
    done();
  };
}

/** Sign-in, sign-out and public endpoints need a CSRF token too, or any page could call them. */
const isSession = ({ path, routes }: RequestContext) =>
  path === '/login' || path === '/logout' || routes.every(isPublic);

/** Origin and CSRF: whether the cookies count and what they prove, or 419. */
export const checkOrigin: onRequestAsyncHookHandler = async (request) => {
  const context = contextOf(request);
  const { deps, origin } = context;
  // no page can make a browser send a token, so nothing else is checked and cookies are ignored
  if (origin === 'token') return;
  const { headers, rawHeaders } = request.raw;
  const asOwn = origin === 'own' || (origin === 'bare' && isSession(context));
  if (asOwn) context.credentials = await deps.sessionCookies.present(deps.db, headers);
  const isProven = () => asOwn && deps.sessionCookies.passesCsrf(headers, rawHeaders, context.credentials);
  if (changes(request) && (asOwn || isSession(context)) && !isProven()) throw tokenMismatch();
  context.mayCookie = asOwn;
};

/** The program that authenticates with its token, or 401; 429 if an address keeps sending invalid tokens. */
async function requireToken(context: RequestContext) {
  const { deps, limits, request } = context;
  const network = networkOf(request.ip);
  const ahead = limits.lookedUp.peek(network);
  if (ahead.remaining < 0) throw tooMany(ahead.seconds, limits.lookedUp.limit);
  const found = await tokenBehind(deps.db, request);
  if ('fault' in found) {
    logToken(context, { event: 'token_rejected', reason: found.fault, token_id: found.token_id ?? null });
    if (found.fault !== 'malformed') limits.lookedUp.consume(network);
    const { remaining, seconds } = limits.badTokens.consume(network);
    throw remaining < 0 ? tooMany(seconds, limits.badTokens.limit) : invalidToken();
  }
  const actor = await actorOfToken(deps, found.token);
  await watchToken(context, found.token);
  context.actor = actor;
}

/** The requester, or 401. */
export const requireSession: onRequestAsyncHookHandler = async (request) => {
  const context = contextOf(request);
  if (context.origin === 'token') return requireToken(context);
  if (context.routes.every(isPublic)) return;
  const { deps, credentials } = context;
  const { live } = credentials;
  if (!live) throw unauthenticated();
  const actor = await actorOfSession(deps, live);
  if (live.needs_touch) await touchSession(deps.db, live.session_id);
  await watchAddress(context, live);
  context.actor = actor;
};

/** Limits requests without a session per client address. */
function consumeGuest({ limits, request, routes }: RequestContext) {
  if (!routes.some(({ endpoint }) => endpoint.guest)) return;
  const { remaining, seconds } = limits.guest.consume(networkOf(request.ip));
  if (remaining < 0) throw tooMany(seconds, limits.guest.limit);
}

/** Limits requests per user; or per token, and for all tokens of its account together. */
function consumeGeneral({ user_id, token_id }: Actor, { general, tokens }: Limits) {
  if (token_id === undefined) return { ...general.consume(user_id), limit: general.limit };
  const ofToken = { ...general.consume(`token ${token_id}`), limit: general.limit };
  const ofAccount = { ...tokens.consume(user_id), limit: tokens.limit };
  return ofAccount.remaining < ofToken.remaining ? ofAccount : ofToken;
}

/** Forced password change, permission and proof of identity, or 403; then the rate limit, which counts refusals too. */
export const authorise: onRequestHookHandler = (request, _reply, done) => {
  const context = contextOf(request);
  const { actor, deps, limits, query, routes } = context;
  // a public endpoint
  if (!actor) {
    consumeGuest(context);
    return done();
  }
  const { remaining, seconds, limit } = consumeGeneral(actor, limits);
  context.remaining = Math.max(0, remaining);
  const minutes = deps.config.STEP_UP_MINUTES;
  for (const route of routes) {
    const { endpoint } = route;
    const refusal = refusalOf(actor, endpoint) ?? stepUpRefusal(actor, endpoint, query, minutes);
    if (refusal) context.refusals.set(route, refusal);
  }
  context.routes = routes.filter((route) => !context.refusals.has(route));
  if (context.routes.length === 0) throw [...context.refusals.values()][0] ?? forbidden();
  if (remaining < 0) throw tooMany(seconds, limit);
  done();
};

/** Uploads, imports and exports leave the last of the disk to the database. */
export const takesDiskSpace = ({ endpoint: { upload, budget } }: Route) =>
  upload !== undefined || budget === 'import' || budget === 'export';

/** Free disk space for requests that may fill it, or 503. */
export const requireDiskSpace: onRequestAsyncHookHandler = async (request) => {
  const { deps, routes } = contextOf(request);
  if (routes.some(takesDiskSpace) && (await deps.disk.isLow())) throw unavailable(30);
};

/** The endpoint that a request means, once its body is known. */
export function targetRoute(
  { routes, refusals, isOpen, allow }: RequestContext,
  atAddress: readonly Route[],
  input: Input,
): Route {
  const named = isOpen ? (overriddenMethod(input, allow) ?? 'POST') : routes[0]?.endpoint.method;
  const isNamed = ({ endpoint }: Route) => endpoint.method === named;
  const route = routes.find(isNamed);
  if (route) return route;
  const refused = atAddress.find(isNamed);
  throw refused ? (refusals.get(refused) ?? forbidden()) : methodNotAllowed(allow());
}
