import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { ownReason } from '../languages/answer.ts';
import { isCoveredBy, voidCredentials } from './credentials.ts';
import { removePasskeysBy } from './passkeys.ts';

/**
 * The first sign-in through a link that another person made, or through an address that another person set, gives the
 * account the groups of the person who signs in. If they give more than that other person may do, every other way into
 * the account is removed: its password, passkeys and tokens may belong to an accomplice whose account was chosen for
 * the link.
 */
export async function revokeOtherCredentials(db: Db, userId: number, by: number | null): Promise<void> {
  if (await isCoveredBy(db, by, userId)) return;
  const { rows } = await sql<{ has_other: boolean }>`
    select u.password_hash is not null
      or exists (select from authenticators a where a.user_id = u.id and a.kind = 'passkey')
      or exists (select from api_tokens t where t.user_id = u.id and t.revoked_at is null)
      or exists (select from calendar_feeds f where f.user_id = u.id) as has_other
    from users u where u.id = ${userId}`.execute(db);
  if (!rows[0]?.has_other) return;
  const reason = ownReason('reasons.beyond_linker');
  await removePasskeysBy(db, { maker: null, accounts: [userId], reason });
  await voidCredentials(db, [userId], reason);
}
