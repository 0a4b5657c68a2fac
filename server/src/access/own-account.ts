import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { unauthenticated } from '../http/errors.ts';
import { lockAccounts } from './cover.ts';

type Own = { user_id: number; session_id: number };

/** False where a session has ended: whatever ended it was to keep this person out. The account is held. */
export async function isStillLive(db: Db, { session_id }: Pick<Own, 'session_id'>): Promise<boolean> {
  const { rows } = await sql`
    select from session_register where id = ${session_id} and revoked_at is null`.execute(db);
  return rows.length > 0;
}

/**
 * Holds the own account for a change of its ways in, one at a time.
 * @throws 401 where the session ended while this waited
 */
export async function lockOwnAccount(db: Db, own: Own): Promise<void> {
  await lockAccounts(db, [own.user_id]);
  if (!(await isStillLive(db, own))) throw unauthenticated();
}
