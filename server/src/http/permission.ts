import { text } from '@tenure/contract';
import type { Endpoint, Permission } from '@tenure/contract';
import { holds, reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { forbidden } from './errors.ts';
import type { HttpError } from './errors.ts';
import { refusalInView } from '../access/role-view.ts';

/** What a person with a one-time password may do before choosing an own one. */
const beforeChange = new Set(['GET /me', 'GET /user', 'PUT /profile/password', 'POST /logout']);

/** Forced password change, view as a role, then permission; undefined when the actor may use the endpoint. */
export function refusalOf(actor: Actor, endpoint: Endpoint): HttpError | undefined {
  const { method, path, permission, scope } = endpoint;
  if (actor.must_change_password && !beforeChange.has(`${method} ${path}`))
    return forbidden(text('general.password_change_required'));
  const inView = refusalInView(actor, endpoint);
  if (inView) return inView;
  if (permission === 'signed in' || permission === 'public') return undefined;
  const wanted: readonly Permission[] = typeof permission === 'string' ? [permission] : permission;
  const held = wanted.filter((name) => holds(actor, name));
  const reaches = scope !== 'everything' || held.some((name) => reachOf(actor, name).everything);
  return held.length > 0 && reaches ? undefined : forbidden();
}
