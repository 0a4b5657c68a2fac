import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findToken, touchToken } from '../access/api-tokens.ts';
import type { LiveToken } from '../access/api-tokens.ts';
import { networkOf } from '../access/known-origins.ts';
import type { Db } from '../db/connect.ts';
import type { Deps } from '../http/context.ts';
import { HttpError, tooMany } from '../http/errors.ts';
import { dataHeaders } from '../http/headers.ts';
import { readQuery } from '../http/input.ts';
import { lookedUpPerMinute, rateLimit } from '../http/limits.ts';
import { findConnection, newNote } from './connection.ts';
import type { Call, Connection, Note } from './connection.ts';
import { handlers } from './handlers.ts';
import type { Answer, Handler } from './handlers.ts';
import { badSyntax, problemBody, ScimProblem } from './problem.ts';
import { logRequest } from './request-log.ts';
import { inTransaction, problemOf } from './work.ts';

/** The SCIM 2.0 endpoints, outside the API prefix: connection tokens only, no cookies, and their own error format. */

const mediaType = 'application/scim+json; charset=utf-8';
const bodyBytes = 4 * 1_024 * 1_024;
/** Entra ID requires 25 a second; an idle cycle asks for each of 5,000 people and their groups within a minute. */
export const scimRequestsPerMinute = 6_000;
/** Attempts with an invalid token, per network. */
const badPerMinute = 100;

/** Keys that would give rights if they had a meaning. */
const protectedNames = new Set(['password', 'roles', 'entitlements', 'is_admin', 'groups']);

type Scim = { connection: Connection; note: Note };
const scimOf = new WeakMap<FastifyRequest, Scim>();

const unauthorised = () => new ScimProblem(401, 'The token of a provisioning connection is needed.');

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/** Finds the token's connection, or refuses. */
function authentication({ db, log }: Deps) {
  const limit = rateLimit(scimRequestsPerMinute);
  const bad = rateLimit(badPerMinute);
  const lookedUp = rateLimit(lookedUpPerMinute);

  /** Counts and logs a request without a valid token, and returns its refusal. */
  function rejected({ ip, id: request_id }: FastifyRequest, fault: string): Error {
    const { remaining, seconds } = bad.consume(networkOf(ip));
    log.warn({ event: 'scim_rejected', status: 401, fault, ip, request_id }, 'a SCIM request was refused');
    return remaining < 0 ? tooMany(seconds, bad.limit) : unauthorised();
  }

  async function authenticated(request: FastifyRequest): Promise<{ token: LiveToken; connection: Connection }> {
    const network = networkOf(request.ip);
    const ahead = lookedUp.peek(network);
    if (ahead.remaining < 0) throw tooMany(ahead.seconds, lookedUp.limit);
    const [, text] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (text === undefined) throw rejected(request, 'none');
    const found = await findToken(db, text, { ip: request.ip, kinds: ['provisioning'] });
    const fault = 'fault' in found ? found.fault : 'none';
    const connection = 'token' in found ? await findConnection(db, found.token.user_id) : undefined;
    if ('token' in found && connection) return { token: found.token, connection };
    if (fault !== 'malformed') lookedUp.consume(network);
    throw rejected(request, fault);
  }

  return async (request: FastifyRequest) => {
    const { token, connection } = await authenticated(request);
    const { remaining, seconds } = limit.consume(connection.id);
    if (remaining < 0) throw tooMany(seconds, limit.limit);
    if (token.needs_touch) await touchToken(db, token.token_id, request.ip);
    scimOf.set(request, { connection, note: newNote() });
  };
}

const resourceOf = (request: FastifyRequest) => (request.routeOptions.url ?? '').split('/')[3] ?? '';

/** Whether a request appears in its connection's log: changes, and refusals. */
const isLogged = ({ method, routeOptions }: FastifyRequest, status: number) =>
  (method !== 'GET' && !routeOptions.url?.endsWith('/.search')) || (status >= 400 && status !== 404 && status !== 412);

async function recordRequest(deps: Deps, request: FastifyRequest, status: number, detail: string | null) {
  const scim = scimOf.get(request);
  if (!scim || !isLogged(request, status)) return;
  const { connection, note } = scim;
  const { method } = request;
  await logRequest(deps, connection, { method, resource: resourceOf(request), status, detail, note });
  const names = note.ignored.filter((name) => protectedNames.has(name.toLowerCase()));
  if (names.length > 0)
    deps.log.warn(
      { event: 'mass_assignment_attempt', request_id: request.id, connection_id: connection.id, keys: names },
      'protected keys in a SCIM request were ignored',
    );
}

function send(reply: FastifyReply, { status, body, etag, location }: Answer) {
  reply.code(status).headers({ ...(etag && { etag }), ...(location && { location }) });
  return body === undefined ? reply.send() : reply.type(mediaType).send(JSON.stringify(body));
}

const errorHandler = (deps: Deps) => async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const problem = problemOf(error);
  const status = problem?.status ?? 500;
  if (problem === undefined)
    deps.log.error({ err: error, request_id: request.id }, 'a SCIM request failed with an unexpected error');
  else if (scimOf.has(request) && status !== 404)
    deps.log.warn(
      {
        event: 'scim_rejected',
        status,
        scim_type: problem.scimType ?? null,
        connection_id: scimOf.get(request)?.connection.id,
        request_id: request.id,
        ip: request.ip,
      },
      'a SCIM request was refused',
    );
  await recordRequest(deps, request, status, problem?.message ?? null);
  const after = error instanceof HttpError ? error.headers['retry-after'] : undefined;
  if (after !== undefined) reply.header('retry-after', after);
  if (status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
  const shown = problem ?? new ScimProblem(500, 'The service failed. Please try again.');
  return reply
    .code(status)
    .type(mediaType)
    .send(JSON.stringify(problemBody(shown)));
};

/** Runs a handler: reads without a transaction, changes in one. */
const answerWith =
  (deps: Deps, base: string, { handle }: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { connection, note } = scimOf.get(request) as Scim;
    const acting = {
      actor: { user_id: connection.user_id, name: connection.name },
      request: { id: request.id, ip: request.ip },
    };
    const input = {
      id: (request.params as { id?: string }).id ?? '',
      query: readQuery(request.url),
      body: request.body,
      headers: request.headers,
      documentation: `${deps.config.APP_URL}/docs`,
    };
    const work = (db: Db) => {
      // a retry starts over
      Object.assign(note, newNote());
      const call: Call = { db, connection, acting: { ...acting, db }, base, note };
      return handle(call, input);
    };
    const answer =
      request.method === 'GET' ? await work(deps.db) : await inTransaction(deps.db, connection.is_dry_run, work);
    await recordRequest(deps, request, answer.status, null);
    return send(reply, answer);
  };

/** More than resources and operations need. */
const maxDepth = 16;

/** Whether JSON nests deeper than a number of levels. */
const isDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)));

function parseBody(_request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) {
  if (bytes.length === 0) return done(null, undefined);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return done(badSyntax('The body is no JSON.'));
  }
  return isDeep(body, maxDepth) ? done(badSyntax(`A body nests at most ${maxDepth} levels.`)) : done(null, body);
}

/** Binds `/scim/v2`. */
export async function bindScim(app: FastifyInstance, deps: Deps): Promise<void> {
  const base = `${deps.config.APP_URL}/scim/v2`;
  await app.register(
    (scope, _options, done) => {
      scope.setErrorHandler(errorHandler(deps));
      scope.removeAllContentTypeParsers();
      const plain = { parseAs: 'buffer', bodyLimit: bodyBytes } as const;
      scope.addContentTypeParser(/^application\/(scim\+)?json\s*(;|$)/i, plain, parseBody);
      scope.addContentTypeParser('*', plain, (_request, bytes: Buffer, parsed) =>
        parsed(bytes.length === 0 ? null : new ScimProblem(415, 'A body is application/scim+json.')),
      );
      scope.addHook('onRequest', (_request, reply, next) => {
        reply.headers(dataHeaders);
        next();
      });
      scope.addHook('onRequest', authentication(deps));
      for (const handler of handlers) {
        const { method, url } = handler;
        scope.route({ method, url, config: { bodyBytes }, handler: answerWith(deps, base, handler) });
      }
      done();
    },
    { prefix: '/scim/v2' },
  );
}
