import { messages } from '@tenure/contract';
import { markProved } from '../../access/sessions.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { knowsPassword, loadAccount } from './password-change.ts';

/**
 * Accepts the password as proof that the person of this session is still there. Throws 422 for a wrong one, 429 beyond
 * the limits of sign-in attempts.
 */
export async function stepUp(ctx: ServiceCtx, password: string): Promise<void> {
  const { db, deps, actor, request } = ctx;
  const line = { request_id: request.id, user_id: actor.user_id, ip: request.ip };
  if (!(await knowsPassword(ctx, await loadAccount(ctx), { field: 'password', password }))) {
    deps.log.warn({ event: 'step_up_failed', ...line }, 'a wrong password was sent to confirm an action');
    throw invalid('password', messages.currentPassword);
  }
  await markProved(db, actor.session_id);
  deps.log.info({ event: 'step_up_ok', ...line }, 'a person confirmed that it is them');
}
