import type { AccountLink } from '@tenure/contract';
import { sql } from 'kysely';
import { randomToken, sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';

type Purpose = AccountLink['purpose'];

/** Hours a link is valid for. */
const validHours = { password_reset: 24, invitation: 168 } as const satisfies Record<Purpose, number>;
const tokenBytes = 32;

/**
 * True of a link `l` that is unused, not revoked, not expired, and addressed to the current address of its account `u`.
 */
const isOpen = sql`l.used_at is null and l.revoked_at is null and l.expires_at > now() and l.email = u.email`;

/** Revokes the unused links of accounts for a purpose. Returns how many there were. */
export async function revokeLinks(db: Db, userIds: readonly number[], purpose: Purpose): Promise<number> {
  const { numAffectedRows } = await sql`
    update account_links set revoked_at = now()
    where user_id = any(${userIds}::bigint[]) and purpose = ${purpose} and used_at is null
      and revoked_at is null`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Prepares links for accounts; a new link revokes the former one of the same purpose. The token is created when the
 * mail is sent, so that it is stored nowhere else. Returns the expiry of each link by account.
 */
export async function issueLinks(
  db: Db,
  userIds: readonly number[],
  { purpose, by }: { purpose: Purpose; by: number },
): Promise<Map<number, string>> {
  await revokeLinks(db, userIds, purpose);
  // the sender sees the address of the link and answers for an address set by another person
  await sql`
    update users set address_set_by = nullif(${by}::bigint, id)
    where id = any(${userIds}::bigint[]) and address_set_by is distinct from ${by} and address_set_by is not null`.execute(
    db,
  );
  const { rows } = await sql<{ user_id: number; expires_at: string }>`
    insert into account_links (user_id, purpose, email, created_by, expires_at)
    select u.id, ${purpose}, u.email, ${by}, now() + make_interval(hours => ${validHours[purpose]})
    from users u where u.id = any(${userIds}::bigint[])
    order by u.id
    returning user_id, expires_at`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row.expires_at]));
}

/**
 * Creates the token of an open link for the mail being sent; the token of an earlier attempt becomes invalid. Returns
 * undefined when the link is revoked or belongs to another address.
 */
export async function mintToken(
  db: Db,
  linkId: number,
  address: string,
): Promise<{ token: string; purpose: Purpose } | undefined> {
  const token = randomToken(tokenBytes);
  const { rows } = await sql<{ purpose: Purpose }>`
    update account_links l set token_hash = ${sha256Hex(token)}
    from users u
    where l.id = ${linkId} and u.id = l.user_id and l.email = ${address} and ${isOpen}
    returning l.purpose`.execute(db);
  return rows[0] && { token, purpose: rows[0].purpose };
}

export type OpenLink = {
  id: number;
  user_id: number;
  purpose: Purpose;
  email: string;
  expires_at: string;
  created_by: number | null;
};

/** Finds the open link of a token whose account may sign in with a password. */
export async function findOpenLink(db: Db, token: string): Promise<OpenLink | undefined> {
  const { rows } = await sql<OpenLink>`
    select l.id, l.user_id, l.purpose, l.email, l.expires_at, l.created_by
    from account_links l
    join users u on u.id = l.user_id
    left join employees e on e.user_id = u.id
    where l.token_hash = ${sha256Hex(token)} and ${isOpen} and u.is_enabled and demanded_providers(u.id) is null
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`.execute(db);
  return rows[0];
}

/** Uses up a link; of simultaneous calls one returns true. */
export async function spendLink(db: Db, token: string): Promise<boolean> {
  const { rows } = await sql`
    update account_links l set used_at = now()
    from users u
    where l.token_hash = ${sha256Hex(token)} and u.id = l.user_id and ${isOpen}
    returning 1`.execute(db);
  return rows.length > 0;
}
