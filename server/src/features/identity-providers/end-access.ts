import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Provider } from '../../sso/providers.ts';

/** Ends the sessions from a provider, and the password links mailed to the people who are linked to it. */
export async function endProviderAccess(db: Db, id: number): Promise<void> {
  await sql`
    update session_register set revoked_at = now(), reason = 'provider disabled'
    where provider_id = ${id} and revoked_at is null`.execute(db);
  const isOpen = sql`l.used_at is null and l.revoked_at is null
    and l.user_id in (select n.user_id from user_identities n where n.provider_id = ${id})`;
  await sql`update account_links l set revoked_at = now() where ${isOpen}`.execute(db);
  await sql`
    update own_account_links l set revoked_at = now() where l.purpose = 'requested_reset' and ${isOpen}`.execute(db);
}

/** Shortens sessions from a provider that would last longer than it now allows. */
export async function shortenSessions(
  db: Db,
  { id, session_max_hours: hours }: Pick<Provider, 'id' | 'session_max_hours'>,
): Promise<void> {
  if (hours === null) return;
  const end = sql`created_at + make_interval(secs => ${hours * 3600}::float8)`;
  await sql`
    update session_register set expires_at = ${end}
    where provider_id = ${id} and revoked_at is null and expires_at > ${end}`.execute(db);
}
