import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { revokeLinks } from '../../access/account-links.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { demandedProviders } from '../../access/demanded-providers.ts';
import { isBreakGlass, notifyOwner } from './factor-changes.ts';

/** Links that set a new password. */
const toPasswords = ['password_reset', 'invitation', 'requested_reset'] as const;

type Found = { password_sign_in: boolean; passkeys: number; providers: string | null };

/**
 * Switches signing in with the user's own password off or on. While it is off, the stored password does not work, and
 * no one can set or issue another one. Switching it off also revokes password links and ends other sessions that
 * started with the password. Throws 422 without two passkeys, because a single one can get lost.
 */
export async function passwordSignIn(ctx: WriteCtx, enabled: boolean): Promise<void> {
  const { db, actor } = ctx;
  await lockOwnAccount(db, actor);
  const { rows } = await sql<Found>`
    select u.password_sign_in, ${demandedProviders} as providers,
           (select count(*)::int from authenticators a
            where a.user_id = u.id and a.kind = 'passkey' and factor_works(a)) as passkeys
    from users u where u.id = ${actor.user_id}`.execute(db);
  const { password_sign_in, passkeys, providers } = rows[0] as Found;
  if (password_sign_in === enabled) return;
  if (!enabled && providers !== null)
    throw invalid('enabled', text('account.signs_in_through', { provider: providers }));
  if (!enabled && passkeys < 2) throw invalid('enabled', text('account.needs_two_passkeys'));
  if (!enabled && (await isBreakGlass(db, actor.user_id))) throw invalid('enabled', text('policies.needs_password'));
  await sql`update users set password_sign_in = ${enabled} where id = ${actor.user_id}`.execute(db);
  if (!enabled) {
    for (const purpose of toPasswords) await revokeLinks(db, [actor.user_id], purpose);
    await sql`
      update session_register set revoked_at = now(), reason = 'password switched off'
      where user_id = ${actor.user_id} and method = 'password' and revoked_at is null and id <> ${actor.session_id}`.execute(
      db,
    );
  }
  await notifyOwner(ctx, {
    action: 'account.password_sign_in_changed',
    variant: enabled ? 'password_on' : 'password_off',
    changes: { password_sign_in: { from: password_sign_in, to: enabled } },
  });
}
