import type { AccountLink, OwnPurpose, SentPurpose } from '@tenure/contract';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { randomToken, sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { demandedProviders } from './demanded-providers.ts';

type Purpose = AccountLink['purpose'];

/** How many hours a link sent by HR is valid. */
export const validHours = (purpose: SentPurpose, { INVITATION_DAYS }: Pick<Config, 'INVITATION_DAYS'>): number =>
  purpose === 'invitation' ? INVITATION_DAYS * 24 : 24;
const tokenBytes = 32;

const isSent = (purpose: Purpose): purpose is SentPurpose => purpose === 'password_reset' || purpose === 'invitation';
/** The table that stores links of a purpose. */
const tableOf = (purpose: Purpose) => sql.table(isSent(purpose) ? 'account_links' : 'own_account_links');

/**
 * True for a link `l` that is unused, not revoked and not expired, and that was sent to the current or pending address
 * of its account `u`.
 */
const isOpen = sql`l.used_at is null and l.revoked_at is null and l.expires_at > now()
  and (l.purpose = 'address_change' or l.email = u.email)`;

/** Revokes the unused links of accounts for a purpose. Returns the number of revoked links. */
export async function revokeLinks(db: Db, userIds: readonly number[], purpose: Purpose): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${tableOf(purpose)} set revoked_at = now()
    where user_id = any(${userIds}::bigint[]) and purpose = ${purpose} and used_at is null
      and revoked_at is null`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Revokes all unused password links of accounts, sent or requested. The caller has locked or just written the rows. */
export async function endPasswordLinks(db: Db, userIds: readonly number[]): Promise<void> {
  for (const purpose of ['password_reset', 'invitation', 'requested_reset'] as const)
    await revokeLinks(db, userIds, purpose);
}

/**
 * Prepares links for accounts; a new link revokes the previous one of the same purpose. The token is only created when
 * the mail is sent, so that it is stored nowhere else. Returns the expiry of each account's link.
 */
export async function issueLinks(
  db: Db,
  userIds: readonly number[],
  { purpose, by, hours }: { purpose: SentPurpose; by: number; hours: number },
): Promise<Map<number, string>> {
  await revokeLinks(db, userIds, purpose);
  // the sender sees the link's address, and takes over responsibility for an address that another person set
  await sql`
    update users set address_set_by = nullif(${by}::bigint, id)
    where id = any(${userIds}::bigint[]) and address_set_by is distinct from ${by} and address_set_by is not null`.execute(
    db,
  );
  const { rows } = await sql<{ user_id: number; expires_at: string }>`
    insert into account_links (user_id, purpose, email, created_by, expires_at)
    select u.id, ${purpose}, u.email, ${by}, now() + make_interval(hours => ${hours}::int)
    from users u where u.id = any(${userIds}::bigint[])
    order by u.id
    returning user_id, expires_at`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row.expires_at]));
}

/** A link that the user requested; `email` is where it is sent. */
type OwnLink = { user_id: number; purpose: OwnPurpose; email: string; by: number | null; minutes: number };

/** Prepares a link that the user requested, and revokes the previous one of the same purpose. Returns its id. */
export async function issueOwnLink(db: Db, { user_id, purpose, email, by, minutes }: OwnLink): Promise<number> {
  await revokeLinks(db, [user_id], purpose);
  const { rows } = await sql<{ id: number }>`
    insert into own_account_links (user_id, purpose, email, created_by, expires_at)
    values (${user_id}, ${purpose}, ${email}, ${by}, now() + make_interval(mins => ${minutes}::int))
    returning id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** A token for the mail being sent, and the days that it is valid. */
export type Minted = { token: string; purpose: Purpose; days: number };

const minted = sql`l.purpose, ceil(extract(epoch from l.expires_at - l.created_at) / 86400)::int as days`;

/**
 * Creates the token of an open link for the mail being sent, which invalidates the token of an earlier attempt. Returns
 * undefined if the link is revoked or belongs to another address.
 */
export async function mintToken(db: Db, linkId: number, address: string): Promise<Minted | undefined> {
  const token = randomToken(tokenBytes);
  const { rows } = await sql<Omit<Minted, 'token'>>`
    update account_links l set token_hash = ${sha256Hex(token)}
    from users u
    where l.id = ${linkId} and u.id = l.user_id and l.email = ${address} and ${isOpen}
    returning ${minted}`.execute(db);
  return rows[0] && { token, ...rows[0] };
}

/** The providers an invited user must sign in through, so the mail has no link; undefined if a password is enough. */
export async function providersOfInvited(db: Db, linkId: number, address: string): Promise<string | undefined> {
  const { rows } = await sql<{ providers: string | null }>`
    select ${demandedProviders} as providers from account_links l join users u on u.id = l.user_id
    where l.id = ${linkId} and l.purpose = 'invitation' and l.email = ${address} and ${isOpen}`.execute(db);
  return rows[0]?.providers ?? undefined;
}

/** The same for an open link that the user requested and that goes to this address. */
export async function mintOwnToken(
  db: Db,
  userId: number,
  { address, purposes }: { address: string; purposes: readonly OwnPurpose[] },
): Promise<Minted | undefined> {
  const token = randomToken(tokenBytes);
  const { rows } = await sql<Omit<Minted, 'token'>>`
    update own_account_links l set token_hash = ${sha256Hex(token)}
    from users u
    where l.user_id = ${userId} and l.purpose = any(${purposes}::text[]) and u.id = l.user_id
      and l.email = ${address} and ${isOpen}
    returning ${minted}`.execute(db);
  return rows[0] && { token, ...rows[0] };
}

export type OpenLink = {
  id: number;
  user_id: number;
  purpose: Purpose;
  email: string;
  expires_at: string;
  created_by: number | null;
};

const columns = sql`id, user_id, purpose, token_hash, email, expires_at, created_by, used_at, revoked_at`;

/** Finds the open password link of a token. The account must be one that may sign in with a password. */
export async function findOpenLink(db: Db, token: string): Promise<OpenLink | undefined> {
  const { rows } = await sql<OpenLink>`
    select l.id, l.user_id, l.purpose, l.email, l.expires_at, l.created_by
    from (select ${columns} from account_links union all select ${columns} from own_account_links) as l
    join users u on u.id = l.user_id
    left join employees e on e.user_id = u.id
    where l.token_hash = ${sha256Hex(token)} and ${isOpen} and u.is_enabled
      and (l.purpose in ('address_change', 'address_stop') or (u.password_sign_in and demanded_providers(u.id) is null))
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`.execute(db);
  return rows[0];
}

/** Uses up a link; of parallel calls, only one returns true. */
export async function consumeLink(db: Db, { id, purpose }: OpenLink, token: string): Promise<boolean> {
  const { rows } = await sql`
    update ${tableOf(purpose)} l set used_at = now()
    from users u
    where l.id = ${id} and l.token_hash = ${sha256Hex(token)} and u.id = l.user_id and ${isOpen}
    returning 1`.execute(db);
  return rows.length > 0;
}
