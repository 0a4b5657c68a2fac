import type { Endpoint } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import { touchToken } from '../access/api-tokens.ts';
import type { LiveToken } from '../access/api-tokens.ts';
import { recordAddress } from '../access/sessions.ts';
import type { LiveSession } from '../access/sessions.ts';
import type { HttpError } from './errors.ts';
import type { Input } from './input.ts';
import type { RequestContext } from './request-context.ts';

type Event = { event: string; [detail: string]: unknown };

/** The token of a program that acts; empty for people. */
export const ofToken = (actor: Pick<Actor, 'token_id'> | null | undefined) =>
  actor?.token_id === undefined ? {} : { token_id: actor.token_id };

const refusedHost = (value: string | undefined) =>
  value !== undefined && URL.canParse(value) ? new URL(value).host : 'unreadable';

/** Refusals that an operator may want to count, by their name in the log. */
function eventOf(
  { origin, credentials, request, path }: RequestContext,
  { status, body, message, cause }: HttpError,
): Event | undefined {
  switch (status) {
    case 401:
      // a token has its own event, with the reason
      return credentials.content ? { event: 'session_rejected' } : undefined;
    case 403:
      return { event: 'authz_denied', reason: message };
    case 413:
      return { event: 'upload_rejected' };
    case 419:
      return origin === 'foreign'
        ? { event: 'origin_rejected', host: refusedHost(request.headers.referer || request.headers.origin) }
        : { event: 'csrf_failed' };
    case 422:
      if (body.status !== undefined) return { event: 'transition_refused' };
      if (body.errors?.file) return { event: 'upload_rejected' };
      return request.method === 'DELETE' ? { event: 'delete_refused' } : undefined;
    case 429:
      // these have their own events
      return path === '/login' || path === '/two-factor-challenge' ? undefined : { event: 'limit_hit' };
    case 503:
      return { event: 'unavailable', ...(cause instanceof Error && { reason: cause.message }) };
    default:
      return undefined;
  }
}

/** Logs a refusal that indicates an attack, a wrong setting or a fault; never logs what was sent. */
export function logRefusal(context: RequestContext, refusal: HttpError) {
  const event = eventOf(context, refusal);
  if (!event) return;
  const { request, actor, address } = context;
  const where = { request_id: request.id, actor_id: actor?.user_id ?? null, ...ofToken(actor), ip: request.ip };
  request.log.warn({ ...event, ...where, method: request.method, route: address }, 'a request was refused');
}

/** Counts and logs a commit without an answer: its client cannot know whether it succeeded, and asks with this id. */
export function logUnknownOutcome({ request, actor, address, deps }: RequestContext) {
  deps.metrics.unknownOutcome();
  const who = { actor_id: actor?.user_id ?? null, ...ofToken(actor) };
  request.log.error(
    { event: 'unknown_outcome', request_id: request.id, ...who, method: request.method, route: address },
    'a commit got no answer from the database: its outcome is unknown',
  );
}

/** Keys that decide about rights or history; sending one that is not a field has no effect. */
const protectedKeys = [
  'id',
  'role_ids',
  'is_admin',
  'user_id',
  'entity_id',
  'status',
  'overall_score',
  'created_at',
  'password',
  'session_epoch',
];

/** Logs that a body contains ignored keys that an attacker would try. */
export function logProtectedKeys({ request, actor, address }: RequestContext, { body }: Endpoint, input: Input) {
  const keys = protectedKeys.filter((key) => key in input && !(body && key in body.shape));
  if (keys.length === 0) return;
  const where = { request_id: request.id, actor_id: actor?.user_id ?? null, ...ofToken(actor), ip: request.ip };
  request.log.warn(
    { event: 'mass_assignment_attempt', ...where, route: address, keys },
    'protected keys in a request were ignored',
  );
}

type TokenEvent = Event & { event: keyof typeof tokenMessages };

const tokenMessages = {
  token_rejected: 'a token was refused',
  token_used_from_new_ip: 'a token was used from a new address',
};

/** Logs an event of a token: its id, never a character of it. */
export function logToken({ request }: RequestContext, event: TokenEvent) {
  request.log.warn({ ...event, request_id: request.id, ip: request.ip }, tokenMessages[event.event]);
}

/** Records when and from where a token is used, and logs once when the address is new for it. */
export async function watchToken(context: RequestContext, token: LiveToken): Promise<void> {
  const { deps, request } = context;
  const { token_id, user_id, ips, needs_touch } = token;
  const isNew = !ips.includes(request.ip);
  if (isNew || needs_touch) await touchToken(deps.db, token_id, request.ip);
  // the very first address is no surprise
  if (isNew && ips.length > 0) logToken(context, { event: 'token_used_from_new_ip', token_id, actor_id: user_id });
}

/** Logs once that a session is used from a new address, because its cookie may have been stolen. */
export async function watchAddress({ deps, request }: RequestContext, live: LiveSession): Promise<void> {
  if (live.ip === request.ip || live.other_ips.includes(request.ip)) return;
  // a database that cannot write now must not fail the request
  if (!(await recordAddress(deps.db, live, request.ip).catch(() => false))) return;
  const { user_id, session_id } = live;
  const where = { request_id: request.id, actor_id: user_id, session_id, ip: request.ip };
  request.log.warn({ event: 'session_used_from_new_ip', ...where }, 'a session was used from a new address');
}
