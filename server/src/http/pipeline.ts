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
import type { Presented } from './gate.ts';
import { readQuery } from './input.ts';
import type { Input } from './input.ts';
import type { Place } from './places.ts';
import { refusalOf } from './permission.ts';
import type { Result, Visit } from './request-context.ts';
import { requestInfo } from './request-info.ts';
import { sendError, sendResult } from './respond.ts';
import type { Bound, Params, PathBindings } from './route.ts';
import { runWork } from './work.ts';

const nobody: Presented = { content: null, live: null, sealed: null, tokens: [], devices: [] };
const isSessionPath = (path: string) => path === '/login' || path === '/logout';
/** Uploads, imports and exports leave the rest of the disk to the database. */
const takesRoom = ({ endpoint: { upload, budget } }: Bound) =>
  upload !== undefined || budget === 'import' || budget === 'export';
const isPublic = ({ endpoint }: Bound) => endpoint.permission === 'public';

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
function choose({ paths }: Visit, method: string, query: Input): { possible: Bound[]; isOpen: boolean } {
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
async function authenticate(visit: Visit, changes: boolean, isForGuests: boolean): Promise<void> {
  const { deps, request, origin, paths } = visit;
  const { headers, rawHeaders } = request.raw;
  // what needs no session needs its token all the same, or any page could ask for it
  const isSession = isForGuests || isSessionPath(paths.path);
  const asOwn = origin === 'own' || (origin === 'bare' && isSession);
  if (asOwn) visit.presented = await deps.gate.present(deps.db, headers);
  const isProven = () => asOwn && deps.gate.passesCsrf(headers, rawHeaders, visit.presented);
  if (changes && (asOwn || isSession) && !isProven()) throw tokenMismatch();
  visit.mayCookie = asOwn;
  if (isForGuests) return;
  const { live } = visit.presented;
  if (!live) throw unauthenticated();
  const rights = await rightsOf(deps.rights, deps.db, live.user_id, live.version);
  if (live.needs_touch) await touchSession(deps.db, live.session_id);
  await watchAddress(visit, live);
  visit.actor = { ...rights, ...live };
  request.actor_id = live.user_id;
}

/** The endpoints among the possible ones that the actor may use; then the rate limit, which counts refused ones too. */
function authorise(visit: Visit, possible: readonly Bound[]): Bound[] {
  const { actor, limits } = visit;
  if (!actor) return possible.filter(isPublic);
  const { remaining, seconds } = limits.general.take(actor.user_id);
  visit.remaining = Math.max(0, remaining);
  const refusals = possible.map(({ endpoint }) => refusalOf(actor, endpoint));
  const permitted = possible.filter((_bound, index) => !refusals[index]);
  if (permitted.length === 0) throw refusals[0] ?? forbidden();
  if (remaining < 0) throw tooMany(seconds, limits.general.limit);
  return permitted;
}

/** The endpoint a POST means once its body is known. */
function decide({ paths }: Visit, permitted: readonly Bound[], input: Input): Bound {
  const bound = paths.byMethod.get(overriddenMethod(input, paths) ?? 'POST');
  if (!bound) throw methodNotAllowed(paths.allow);
  if (!permitted.includes(bound)) throw forbidden();
  return bound;
}

async function visitPath(visit: Visit, params: Params): Promise<Result> {
  const { request, deps } = visit;
  const query = readQuery(request.url);
  const { possible, isOpen } = choose(visit, request.method, query);
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  await authenticate(visit, changes, possible.every(isPublic));
  const permitted = authorise(visit, possible);
  if (permitted.some(takesRoom) && (await deps.disk.isLow())) throw unavailable(30);
  const upload = permitted.find(({ endpoint }) => endpoint.upload)?.endpoint.upload;
  const body: Body = changes ? await readBody(request.raw, upload, deps.files) : emptyBody();
  try {
    const bound = isOpen ? decide(visit, permitted, body.input) : (permitted[0] as Bound);
    return await runWork({ visit, bound, params, query, body, info: requestInfo(request) });
  } finally {
    if (body.file) await deps.files.discard(body.file);
  }
}

/** Answers one request to a known path, in the order of checks every endpoint shares. */
export async function answer(
  { place, ...shared }: Pick<Visit, 'deps' | 'limits' | 'origin'> & { place: Place },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const visit: Visit = {
    ...shared,
    paths: place.paths,
    request,
    presented: nobody,
    mayCookie: false,
    cookies: null,
    actor: null,
    remaining: null,
  };
  try {
    const params = readParams(place);
    if (request.method === 'OPTIONS') return await reply.code(204).header('allow', place.paths.allow).send();
    return await sendResult(visit, await visitPath(visit, params), reply);
  } catch (error) {
    return sendError(visit, fromDatabase(error), reply);
  }
}
