import type { Permission } from '@tenure/contract';
import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { kindOfToken, newToken, tokenHash, tokenHint } from '../crypto/api-token.ts';
import type { TokenKind } from '../crypto/api-token.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { Account } from './actor.ts';
import { credentialIssuer } from './credential-issuer.ts';
import { endSessionsOf } from './sessions.ts';

/** A token that is valid now, with its account. */
export type LiveToken = Required<
  Pick<Account, 'user_id' | 'employee_id' | 'name' | 'email' | 'locale' | 'locale_chosen'>
> &
  Pick<Account, 'last_login_at' | 'picture_key'> & {
    token_id: number;
    kind: TokenKind;
    permissions: Permission[] | null;
    /** Companies that the token is limited to; null for no limit. */
    entity_ids: number[] | null;
    /** Version of the rights of the account and of the token. */
    version: string;
    needs_touch: boolean;
    ips: string[];
  };

/** Why a token is refused. */
export type TokenFault = 'malformed' | 'unknown' | 'revoked' | 'expired' | 'ended' | 'account' | 'network' | 'kind';

type StoredToken = LiveToken & { fault: TokenFault | null; cidrs: string[] | null };

// built once, like the session query
const storedToken = `
  select t.id as token_id, t.kind, t.permissions, t.entity_ids, t.ips, s.cidrs::text[] as cidrs,
         u.id as user_id, e.id as employee_id, coalesce(e.name, s.name, u.email) as name, u.email, u.locale,
         u.locale_chosen, u.last_login_at, e.picture_key,
         u.access_version || ':' || i.structure_version || ':' || t.revision as version,
         t.last_used_at is null or t.last_used_at < now() - interval '60 seconds' as needs_touch,
         case when t.revoked_at is not null then 'revoked' when now() >= t.expires_at then 'expired'
              when t.epoch <> u.token_epoch or t.global_epoch <> i.global_epoch then 'ended'
              when not u.is_enabled or e.id is not null and not may_sign_in(e.activity_status, e.early_access, e.deleted_at)
                then 'account' end as fault
  from api_tokens t
  join users u on u.id = t.user_id
  cross join installation i
  left join service_accounts s on s.user_id = u.id
  left join employees e on e.user_id = u.id
  where t.hash = $1`;

/** True when an address is in one of the networks. */
export function isInNetworks(cidrs: readonly string[], ip: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  const [address = ''] = (mapped ?? ip).split('%');
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

export type FoundToken = { token: LiveToken } | { fault: TokenFault; token_id?: number };

/**
 * The only query of a request with a token: checks each time whether the token is valid. Text that fails the checksum
 * causes no query. `kinds` are those that the address accepts; a token of another kind is refused.
 */
export async function findToken(
  db: Db,
  text: string,
  { ip, kinds }: { ip: string; kinds: readonly TokenKind[] },
): Promise<FoundToken> {
  const kind = kindOfToken(text);
  if (kind === null) return { fault: 'malformed' };
  if (kind === 'calendar' || !kinds.includes(kind)) return { fault: 'kind' };
  const { rows } = await db.executeQuery<StoredToken>(CompiledQuery.raw(storedToken, [tokenHash(text)]));
  const [row] = rows;
  if (!row) return { fault: 'unknown' };
  const { fault, cidrs, ...token } = row;
  const { token_id } = token;
  if (fault) return { fault, token_id };
  if (token.kind !== kind) return { fault: 'kind', token_id };
  if (cidrs && !isInNetworks(cidrs, ip)) return { fault: 'network', token_id };
  return { token };
}

const maxAddresses = 50;

/** Records the use of a token, at most once a minute unless the address is new; a failover may lose it. */
export async function touchToken(db: Kysely<DB>, tokenId: number, ip: string): Promise<void> {
  await sql`with here as (select set_config('synchronous_commit', 'local', true))
            update api_tokens set last_used_at = now(), last_used_ip = ${ip},
              ips = case when ${ip} = any(ips) then ips
                else (ips || ${ip}::text)[greatest(cardinality(ips) + 2 - ${maxAddresses}, 1):] end
            from here where id = ${tokenId}`
    .execute(db)
    .catch(() => undefined);
}

export type NewToken = {
  user_id: number;
  kind: TokenKind;
  name: string;
  /** Null for a token that opens only one kind of address. */
  permissions: readonly Permission[] | null;
  entity_ids: readonly number[] | null;
  days: number;
  created_by: number | null;
  /** The session that creates it; null for none. */
  session_id: number | null;
};

/** Creates a token. The text is shown once; it cannot be derived from what is stored. */
export async function createToken(
  db: Db,
  { user_id, kind, name, permissions, entity_ids, days, created_by, session_id }: NewToken,
): Promise<{ id: number; token: string; expires_at: string }> {
  const token = newToken(kind);
  const { rows } = await sql<{ id: number; expires_at: string }>`
    insert into api_tokens (user_id, kind, name, hash, hint, permissions, entity_ids, epoch, global_epoch, expires_at, created_by,
      let_in_by_id)
    select u.id, ${kind}, ${name}, ${tokenHash(token)}, ${tokenHint(token)}, ${permissions}::text[], ${entity_ids}::bigint[],
           u.token_epoch, i.global_epoch, now() + make_interval(days => ${days}), ${created_by}::bigint,
           ${credentialIssuer({ session_id })}
    from users u cross join installation i where u.id = ${user_id}
    returning id, expires_at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`no user ${user_id}`);
  return { ...row, token };
}

/** Revokes every token and calendar address of the accounts, effective at the next request on every node. */
export async function endTokensOf(db: Db, accounts: readonly (number | null)[], reason: string): Promise<void> {
  const userIds = accounts.filter((id) => id !== null);
  if (userIds.length === 0) return;
  await sql`
    with ended as (
      update api_tokens set revoked_at = now(), reason = ${reason}
      where user_id = any(${userIds}::bigint[]) and revoked_at is null)
    update users set token_epoch = token_epoch + 1 where id = any(${userIds}::bigint[])`.execute(db);
}

/**
 * Revokes the tokens and calendar addresses of accounts that a user created in a session for which `maker` issued the
 * credential.
 */
export async function endTokensBy(
  db: Db,
  { maker, accounts, reason }: { maker: number; accounts: readonly number[]; reason: string },
): Promise<void> {
  await sql`
    with feeds as (
      delete from calendar_feeds where user_id = any(${accounts}::bigint[]) and let_in_by_id = ${maker})
    update api_tokens set revoked_at = now(), reason = ${reason}
    where user_id = any(${accounts}::bigint[]) and let_in_by_id = ${maker} and revoked_at is null`.execute(db);
}

/** Ends every session and token of the accounts. */
export async function endAccessOf(db: Db, accounts: readonly (number | null)[], reason: string): Promise<void> {
  await endSessionsOf(db, accounts, reason);
  await endTokensOf(db, accounts, reason);
}
