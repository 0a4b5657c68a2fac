import { text } from '@tenure/contract';
import { signInRequirements, hasFactor, lockFactors } from '../../access/second-factors.ts';
import { markProved } from '../../access/sessions.ts';
import { invalid } from '../../http/errors.ts';
import { findIdentity } from '../../sso/identities.ts';
import { clockTolerance } from '../../sso/person.ts';
import { logFailure } from './answer.ts';
import type { Answered, CompleteCtx } from './answer.ts';

/** A session that came from a provider is confirmed there: the user signs in again. */

/**
 * Accepts the provider's response as proof that the user of the current session is still there. Throws 422 on `sso` for
 * another user or session, and if the provider did not ask the user to sign in after this began.
 */
export async function proveAtProvider(ctx: CompleteCtx, answered: Answered): Promise<void> {
  const { db, deps, request, credentials } = ctx;
  const { provider, flow, profile } = answered;
  const { live } = credentials;
  const line = { request_id: request.id, user_id: flow.user_id, ip: request.ip };
  const refuse = (reason: string, message: Parameters<typeof invalid>[1]) => {
    logFailure(ctx, reason);
    deps.log.warn({ event: 'step_up_failed', ...line }, 'an action was not confirmed');
    return invalid('sso', message);
  };
  if (!live || live.user_id !== flow.user_id || live.provider_id !== provider.id || live.viewed_role_id !== null)
    throw refuse('other_session', text('sso.expired'));
  const { signed_in_at: at } = profile;
  if (at === null) {
    // a provider that counts as two factors leaves no factor to require here
    const key = profile.factors === 2 ? 'sso.no_time_at_all' : 'sso.no_time';
    throw refuse('auth_time', text(key, { provider: provider.name }));
  }
  if (at < flow.began - clockTolerance)
    throw refuse('auth_time', text('sso.not_asked_again', { provider: provider.name }));
  const identity = await findIdentity(db, provider, profile.subject);
  if (identity?.user_id !== live.user_id) throw refuse('other_person', text('sso.other_person'));
  const isProved = await db.transaction().execute(async (trx) => {
    await lockFactors(trx, live.user_id);
    // the factor is required now, and this began before there was one
    if (hasFactor(await signInRequirements(trx, live.user_id))) return false;
    await markProved(trx, live.session_id);
    return true;
  });
  if (!isProved) throw refuse('factor_since', text('sso.factor_since'));
  deps.log.info({ event: 'step_up_ok', ...line }, 'a person confirmed an action');
}
