import type { FastifyReply, FastifyRequest } from 'fastify';
import { rightsOf } from '../access/rights.ts';
import { touchSession } from '../access/sessions.ts';
import { emptyBody, readBody } from './body.ts';
import type { Body } from './body.ts';
import {
  forbidden,
  fromDatabase,
  methodNotAllowed,
  notFound,
  tokenMismatch,
  tooMany,
  unauthenticated,
  unavailable,
} from './errors.ts';
import { watchAddress } from './events.ts';
import type { Credentials } from './session-cookies.ts';
import { readQuery } from './input.ts';
import type { Input } from './input.ts';
import type { Place } from './places.ts';
import { refusalOf } from './permission.ts';
import type { Result, RequestContext } from './request-context.ts';
import { requestInfo } from './request-info.ts';
import { sendError, sendResult } from './reply.ts';
import type { Route, Params, PathBindings } from './route.ts';
import { execute } from './execute.ts';

const nobody: Credentials = { content: null, live: null, sealed: null, tokens: [], devices: [] };
const isSessionPath = (path: string) => path === '/login' || path === '/logout';
/** Uploads, imports and exports leave the rest of the disk to the database. */
const takesDiskSpace = ({ endpoint: { upload, budget } }: Route) =>
  upload !== undefined || budget === 'import' || budget === 'export';
const isPublic = ({ endpoint }: Route) => endpoint.permission === 'public';

/** GET for HEAD, PUT for PATCH: the methods endpoints are declared with. */
const plainMethod = (method: string) => (method === 'HEAD' ? 'GET' : method === 'PATCH' ? 'PUT' : method);

/** The method a POST means by its `_method`, or undefined when it has none. */
function overriddenMethod(input: Input, { allow }: PathBindings): string | undefined {
  if (input._method === undefined || input._method === null) return undefined;
  const method = typeof input._method === 'string' ? input._method.toUpperCase() : '';
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw methodNotAllowed(allow);
  return method === 'POST' ? undefined : plainMethod(method);
}

/** What the request line and the query name: one endpoint, or several where only the body of a POST can tell. */
function choose({ paths }: RequestContext, method: string, query: Input): { possible: Route[]; isOpen: boolean } {
  const named = method === 'POST' ? overriddenMethod(query, paths) : plainMethod(method);
  const names = named === undefined ? ['POST', 'PUT', 'DELETE'] : [named];
  const possible = names.flatMap((name) => paths.byMethod.get(name) ?? []);
  if (possible.length === 0) throw methodNotAllowed(paths.allow);
  return { possible, isOpen: named === undefined };
}

/** Path ids as numbers, words as they are; anything else cannot be a row. */
function readParams({ params: written, paths: { words } }: Place): Params {
  const params: Record<string, number | string> = {};
  for (const [name, value] of Object.entries(written)) {
    const id = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : NaN;
    if (!Number.isSafeInteger(id) && !words.has(name)) throw notFound();
    params[name] = words.has(name) ? value : id;
  }
  return params;
}

/** Origin, CSRF and session: who asks, or 419, or 401. */
async function authenticate(context: RequestContext, changes: boolean, isForGuests: boolean): Promise<void> {
  const { deps, request, origin, paths } = context;
  const { headers, rawHeaders } = request.raw;
  // what needs no session needs its token all the same, or any page could ask for it
  const isSession = isForGuests || isSessionPath(paths.path);
  const asOwn = origin === 'own' || (origin === 'bare' && isSession);
  if (asOwn) context.credentials = await deps.sessionCookies.present(deps.db, headers);
  const isProven = () => asOwn && deps.sessionCookies.passesCsrf(headers, rawHeaders, context.credentials);
  if (changes && (asOwn || isSession) && !isProven()) throw tokenMismatch();
  context.mayCookie = asOwn;
  if (isForGuests) return;
  const { live } = context.credentials;
  if (!live) throw unauthenticated();
  const rights = await rightsOf(deps.rights, deps.db, live.user_id, live.version);
  if (live.needs_touch) await touchSession(deps.db, live.session_id);
  await watchAddress(context, live);
  context.actor = { ...rights, ...live };
  request.actor_id = live.user_id;
}

/** The endpoints among the possible ones that the actor may use; then the rate limit, which counts refused ones too. */
function authorise(context: RequestContext, possible: readonly Route[]): Route[] {
  const { actor, limits } = context;
  if (!actor) return possible.filter(isPublic);
  const { remaining, seconds } = limits.general.take(actor.user_id);
  context.remaining = Math.max(0, remaining);
  const refusals = possible.map(({ endpoint }) => refusalOf(actor, endpoint));
  const permitted = possible.filter((_bound, index) => !refusals[index]);
  if (permitted.length === 0) throw refusals[0] ?? forbidden();
  if (remaining < 0) throw tooMany(seconds, limits.general.limit);
  return permitted;
}

/** The endpoint a POST means once its body is known. */
function decide({ paths }: RequestContext, permitted: readonly Route[], input: Input): Route {
  const route = paths.byMethod.get(overriddenMethod(input, paths) ?? 'POST');
  if (!route) throw methodNotAllowed(paths.allow);
  if (!permitted.includes(route)) throw forbidden();
  return route;
}

async function visitPath(context: RequestContext, params: Params): Promise<Result> {
  const { request, deps } = context;
  const query = readQuery(request.url);
  const { possible, isOpen } = choose(context, request.method, query);
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  await authenticate(context, changes, possible.every(isPublic));
  const permitted = authorise(context, possible);
  if (permitted.some(takesDiskSpace) && (await deps.disk.isLow())) throw unavailable(30);
  const upload = permitted.find(({ endpoint }) => endpoint.upload)?.endpoint.upload;
  const body: Body = changes ? await readBody(request.raw, upload, deps.files) : emptyBody();
  try {
    const route = isOpen ? decide(context, permitted, body.input) : (permitted[0] as Route);
    return await execute({ context, route, params, query, body, info: requestInfo(request) });
  } finally {
    if (body.file) await deps.files.discard(body.file);
  }
}

/** Answers one request to a known path, in the order of checks every endpoint shares. */
export async function answer(
  { place, ...shared }: Pick<RequestContext, 'deps' | 'limits' | 'origin'> & { place: Place },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const context: RequestContext = {
    ...shared,
    paths: place.paths,
    request,
    credentials: nobody,
    mayCookie: false,
    cookies: null,
    actor: null,
    remaining: null,
  };
  try {
    const params = readParams(place);
    if (request.method === 'OPTIONS') return await reply.code(204).header('allow', place.paths.allow).send();
    return await sendResult(context, await visitPath(context, params), reply);
  } catch (error) {
    return sendError(context, fromDatabase(error), reply);
  }
}
