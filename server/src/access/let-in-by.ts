import { sql } from 'kysely';
import type { Account } from './actor.ts';

/**
 * SQL of the person who made what the session of an account `u` began with, and may be the one who uses it; null for
 * none but its own person.
 */
export function letInBy({
  method,
  provider_id,
  authenticator_id,
}: Pick<Account, 'method' | 'provider_id' | 'authenticator_id'>) {
  if (method === 'sso')
    return sql`(select i.linked_by_id from user_identities i where i.user_id = u.id and i.provider_id = ${provider_id})`;
  if (method === 'passkey')
    return sql`(select a.let_in_by_id from authenticators a where a.user_id = u.id and a.id = ${authenticator_id})`;
  return sql`u.password_issued_by`;
}
