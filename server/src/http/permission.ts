import { opensToTokens, text } from '@tenure/contract';
import type { Endpoint, Permission, stepUpProofs } from '@tenure/contract';
import { holds, reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { isProofCurrent, hasFactor } from '../access/second-factors.ts';
import type { ServiceCtx } from './context.ts';
import { forbidden, forbiddenBecause, HttpError } from './errors.ts';
import type { Input } from './input.ts';
import { refusalInView } from '../access/role-view.ts';

/** What a user with a one-time password may do before choosing their own. */
const beforeChange = new Set(['GET /me', 'GET /user', 'PUT /profile/password', 'POST /logout']);

/** What a session may do that can only add a second factor. */
const duringEnrolment = new Set([
  'GET /me',
  'GET /user',
  'POST /logout',
  'GET /profile/security',
  'POST /profile/totp',
  'POST /profile/totp/confirm',
  'POST /profile/passkeys/options',
  'POST /profile/passkeys',
  // a session that is a few minutes old must prove the user's identity before it can add one
  'POST /profile/step-up/options',
  'POST /profile/step-up',
]);

/** The refusal for programs of what needs a browser. */
const inBrowserOnly = () => forbiddenBecause(text('general.browser_only'));

/** The refusal of an endpoint, in this order: programs, password change, factor, view as a role, permission. */
export function refusalOf(actor: Actor, endpoint: Endpoint): HttpError | undefined {
  const { method, path, permission, scope } = endpoint;
  if (actor.token_id !== undefined && !opensToTokens(endpoint)) return inBrowserOnly();
  if (actor.must_change_password && !beforeChange.has(`${method} ${path}`))
    return forbidden(text('general.password_change_required'));
  // choosing a password comes first, or neither could be done
  if (actor.enrol_only && !actor.must_change_password && !duringEnrolment.has(`${method} ${path}`))
    return forbidden(text('account.second_factor_required'));
  const inView = refusalInView(actor, endpoint);
  if (inView) return inView;
  if (permission === 'signed in' || permission === 'public') return undefined;
  const wanted: readonly Permission[] = typeof permission === 'string' ? [permission] : permission;
  const held = wanted.filter((name) => holds(actor, name));
  const reaches = scope !== 'everything' || held.some((name) => reachOf(actor, name).everything);
  return held.length > 0 && reaches ? undefined : forbidden();
}

/** Any other spelling of a value might be interpreted as the one that discloses something. */
const isHarmless = (value: unknown, except: readonly string[]) =>
  value === undefined || value === null || value === '' || (typeof value === 'string' && except.includes(value));

/**
 * How the user of a session proves their identity again: with a second factor of the account, else with what the
 * session began with.
 */
export function proofsOf({
  second_factor,
  method,
}: Pick<Actor, 'second_factor' | 'method'>): (typeof stepUpProofs)[number][] {
  if (!hasFactor(second_factor)) return [method === 'sso' ? 'provider' : 'password'];
  return [...(second_factor?.passkey ? ['passkey' as const] : []), ...(second_factor?.totp ? ['totp' as const] : [])];
}

/**
 * The refusal of an action whose user proved their identity more than `minutes` ago; undefined if it requires no proof.
 * With 0 minutes, nothing requires one.
 */
export function stepUpRefusal(
  actor: Actor,
  { step_up }: Endpoint,
  query: Input,
  minutes: number,
): HttpError | undefined {
  // if a token may use it at all, the token's permission replaces the proof
  if (actor.token_id !== undefined) return undefined;
  // a view as a role refuses all of these itself, and could confirm nothing
  if (minutes === 0 || !step_up || actor.viewed_as) return undefined;
  // which fields would change is only known once the record is read
  if (step_up !== true && 'changes' in step_up) return undefined;
  if (step_up !== true && isHarmless(query[step_up.query], step_up.except)) return undefined;
  return proofRefusal(actor, minutes);
}

/** The refusal of a user whose last proof is older than `minutes`, or undefined. */
function proofRefusal(actor: Actor, minutes: number): HttpError | undefined {
  const left = proofSeconds(actor, minutes);
  // a proof in the future comes from a clock that was set back
  return left >= 0 && left <= minutes * 60 + 60 ? undefined : notProved(actor);
}

/** How long the last proof of a session remains valid, in seconds; negative if it no longer is. */
export function proofSeconds({ proved_seconds, proved_at, second_factor }: Actor, minutes: number): number {
  const counts = proved_at === undefined || !second_factor || isProofCurrent(proved_at, second_factor);
  return counts ? minutes * 60 - (proved_seconds ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
}

/** The refusal that says how the session's user can prove their identity. */
export const notProved = (actor: Parameters<typeof proofsOf>[0]): HttpError =>
  new HttpError(403, { message: text('account.confirm_identity'), explained: true, step_up: proofsOf(actor) });

/** Throws the 403 for a change of declared fields by a program, or by a user whose last proof is too old. */
export function requireProof(
  { actor, deps }: Pick<ServiceCtx, 'actor' | 'deps'>,
  { step_up }: Endpoint,
  changed: readonly string[],
): void {
  const minutes = deps.config.STEP_UP_MINUTES;
  if (typeof step_up !== 'object' || !('changes' in step_up)) return;
  if (!step_up.changes.some((field) => changed.includes(field))) return;
  if (actor.token_id !== undefined) throw inBrowserOnly();
  if (minutes === 0) return;
  const refusal = proofRefusal(actor, minutes);
  if (refusal) throw refusal;
}
