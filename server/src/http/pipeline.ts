import type { Endpoint, Permission } from '@tenure/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holds, reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { rightsOf } from '../access/rights.ts';
import { touchSession } from '../access/sessions.ts';
import { checkDeclaredLength, emptyBody, readBody } from './body.ts';
import type { Body } from './body.ts';
import type { Binding, Deps } from './context.ts';
import { forbidden, fromDatabase, HttpError, methodNotAllowed, notFound, tokenMismatch, tooMany, unauthenticated } from './errors.ts';
import type { Presented } from './gate.ts';
import { readQuery } from './input.ts';
import type { Input } from './input.ts';
import type { RateLimit } from './limits.ts';
import type { OriginClass } from './origin.ts';
import { requestInfo } from './request-info.ts';
import { sendError, sendResult } from './respond.ts';
import { runWork } from './work.ts';
import type { Limits, Work } from './work.ts';

/** Everything bound to one path, by method. */
export type PathBindings = { path: string; byMethod: ReadonlyMap<string, Bound>; allow: string };
export type Bound = Binding & { write: (value: unknown) => string };

/** What one request came to, as its answer needs it. */
export type Visit = {
  deps: Deps;
  request: FastifyRequest;
  origin: OriginClass;
  presented: Presented;
  /** True once the answer may carry cookies. */
  mayCookie: boolean;
  /** Cookies that the work set itself. */
  cookies: string[] | null;
  actor: Actor | null;
  remaining: number | null;
};

const nobody: Presented = { content: null, live: null, sealed: null };
const mutating = new Set(['POST', 'PUT', 'DELETE']);
/** What a person with a one-time password may do before choosing an own one. */
const beforeChange = new Set(['GET /me', 'GET /user', 'PUT /profile/password', 'POST /logout']);
const isSessionRoute = ({ path }: Endpoint) => path === '/login' || path === '/logout';

/** GET for HEAD, PUT for PATCH: the methods endpoints are declared with. */
const plainMethod = (method: string) => (method === 'HEAD' ? 'GET' : method === 'PATCH' ? 'PUT' : method);

const override = (value: unknown) => (typeof value === 'string' ? value.trim().toUpperCase() : undefined);

/** The method a POST really means by its `_method`, or undefined when it has none. */
function overriddenMethod(input: Input, paths: PathBindings): string | undefined {
  if (!('_method' in input) || input._method === null) return undefined;
  const method = override(input._method);
  if (method === 'POST') return undefined;
  if (method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE') throw methodNotAllowed(paths.allow);
  return plainMethod(method);
}

async function authenticate(visit: Visit, endpoint: Endpoint): Promise<void> {
  const { deps, request, origin } = visit;
  const { headers } = request.raw;
  const asOwn = origin === 'own' || (origin === 'bare' && isSessionRoute(endpoint));
  if (asOwn) visit.presented = await deps.gate.present(deps.db, headers);
  if (mutating.has(endpoint.method) && (asOwn || isSessionRoute(endpoint))) {
    if (!asOwn || !deps.gate.passesCsrf(headers, request.raw.rawHeaders, visit.presented)) throw tokenMismatch();
  }
  visit.mayCookie = asOwn;
  if (endpoint.permission === 'public') return;
  const { live } = visit.presented;
  if (!live) throw unauthenticated();
  const rights = await rightsOf(deps.rights, deps.db, live.user_id, live.version);
  if (live.needs_touch) await touchSession(deps.db, live.session_id);
  visit.actor = { ...rights, ...live };
}

/** Forced password change, then permission, then the rate limit. */
function authorise(visit: Visit, endpoint: Endpoint, limit: RateLimit) {
  const { actor } = visit;
  if (endpoint.permission === 'public' || !actor) return;
  if (actor.must_change_password && !beforeChange.has(`${endpoint.method} ${endpoint.path}`))
    throw forbidden('Password change required.');
  if (endpoint.permission !== 'signed in') {
    const wanted = (typeof endpoint.permission === 'string' ? [endpoint.permission] : endpoint.permission) as Permission[];
    const held = wanted.filter((permission) => holds(actor, permission));
    if (held.length === 0) throw forbidden();
    if (endpoint.scope === 'everything' && !held.some((permission) => reachOf(actor, permission).everything)) throw forbidden();
  }
  if (visit.remaining !== null) return;
  const { remaining, seconds } = limit.take(actor.user_id);
  if (remaining < 0) throw tooMany(seconds, limit.limit);
  visit.remaining = remaining;
}

function refusePrecognition(request: FastifyRequest, endpoint: Endpoint) {
  if (mutating.has(endpoint.method) && request.headers.precognition !== undefined)
    throw new HttpError(422, { message: 'Live validation is not supported.', errors: {} });
}

/** Path ids as numbers; anything that is no id cannot be a row. */
function readParams(request: FastifyRequest): Record<string, number> {
  const params: Record<string, number> = {};
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) {
    const id = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : NaN;
    if (!Number.isSafeInteger(id)) throw notFound();
    params[name] = id;
  }
  return params;
}

type Chosen = { bound: Bound | undefined; query: Input; candidates: boolean };

/** The endpoint the method and the query name; `candidates` when only the body of a POST can tell. */
function choose(request: FastifyRequest, paths: PathBindings): Chosen {
  const query = readQuery(request.raw.url ?? '');
  const method = plainMethod(request.method);
  const overridden = method === 'POST' ? overriddenMethod(query, paths) : undefined;
  const bound = paths.byMethod.get(overridden ?? method);
  const candidates = method === 'POST' && !overridden && (paths.byMethod.has('PUT') || paths.byMethod.has('DELETE'));
  if (!bound && !candidates) throw methodNotAllowed(paths.allow);
  return { bound, query, candidates };
}

async function visitPath(visit: Visit, paths: PathBindings, limits: Limits) {
  const { request, deps } = visit;
  const params = readParams(request);
  const chosen = choose(request, paths);
  // with only the body to tell the method, any endpoint of the path stands in for the checks all of them share
  const standIn = (chosen.bound ?? paths.byMethod.get('PUT') ?? paths.byMethod.get('DELETE')) as Bound;
  checkDeclaredLength(request.raw, standIn.endpoint.upload);
  await authenticate(visit, { ...standIn.endpoint, method: request.method === 'POST' ? 'POST' : standIn.endpoint.method });
  if (chosen.bound) authorise(visit, chosen.bound.endpoint, limits.general);
  if (chosen.bound) refusePrecognition(request, chosen.bound.endpoint);
  const body: Body = mutating.has(plainMethod(request.method)) ? await readBody(request.raw, standIn.endpoint.upload, deps.files) : emptyBody();
  try {
    const overridden = chosen.candidates || request.method === 'POST' ? overriddenMethod(body.input, paths) : undefined;
    const bound = overridden ? paths.byMethod.get(overridden) : chosen.bound;
    if (!bound) throw methodNotAllowed(paths.allow);
    if (bound !== chosen.bound) {
      authorise(visit, bound.endpoint, limits.general);
      refusePrecognition(request, bound.endpoint);
    }
    const work: Work = { visit, bound, params, query: chosen.query, body, limits, info: requestInfo(request, deps.config) };
    return await runWork(work);
  } finally {
    if (body.file) await deps.files.discard(body.file);
  }
}

/** Answers one request to a known path, in the order of checks every endpoint shares. */
export async function answer(deps: Deps, paths: PathBindings, limits: Limits, origin: OriginClass, request: FastifyRequest, reply: FastifyReply) {
  const visit: Visit = { deps, request, origin, presented: nobody, mayCookie: false, cookies: null, actor: null, remaining: null };
  try {
    if (request.method === 'OPTIONS') return await reply.code(204).header('allow', paths.allow).send();
    const result = await visitPath(visit, paths, limits);
    return await sendResult(visit, limits.general, result, reply);
  } catch (error) {
    return sendError(visit, limits.general, fromDatabase(error), reply);
  }
}

