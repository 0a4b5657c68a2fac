import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { DB } from '../db/schema.ts';

/**
 * Networks and browsers (devices) that an account has signed in from. They have their own attempts, so that unknown
 * clients cannot lock the owner out. Nothing else depends on them: a known client still needs the password.
 */
export type Origin = 'device' | 'network' | 'stranger';

/** The origin of an attempt; `device` is the key of a browser known by its cookie or session. */
export type From = { ip: string; device: string | null };

/** Days without a sign-in after which an origin is deleted. */
export const knownDays = { network: 90, device: 180 } as const;
/**
 * The most origins of each kind per account, so that an attacker who once knew the password cannot collect allowances.
 */
const maxKnown = 10;

/** Treats an IPv6 network as one client. */
export const networkOf = (ip: string) => (isIPv6(ip) && !ip.includes('.') ? expand(ip).slice(0, 4).join(':') : ip);

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter((part) => part !== '');
  const right = (tail ?? '').split(':').filter((part) => part !== '');
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right];
}

export const networkKey = (ip: string) => sha256Hex(networkOf(ip));
/** The stored key of a device: it cannot be turned back into a cookie. */
export const deviceKey = (device: Uint8Array) => sha256Hex(device);

/**
 * Finds how the account of an email address knows the origin of an attempt. Runs one statement, even if there is no
 * account.
 */
export async function findOrigin(db: Kysely<DB>, email: string, { ip, device }: From): Promise<Origin> {
  const keyOf = { network: networkKey(ip), device: device ?? '' };
  const isKnown = (kind: keyof typeof knownDays) => sql`
    (k.kind = ${kind} and k.key = ${keyOf[kind]} and k.last_at > now() - make_interval(days => ${knownDays[kind]}))`;
  const { rows } = await sql<{ kind: 'device' | 'network' }>`
    select k.kind from known_origins k join users u on u.id = k.user_id
    where u.email = ${email} and (${isKnown('device')} or ${isKnown('network')})
    order by k.kind limit 1`.execute(db);
  return rows[0]?.kind ?? 'stranger';
}

/** Stores network and browser after a sign-in and deletes the least recently used ones. */
export async function rememberOrigin(db: Transaction<DB>, userId: number, { ip, device }: From): Promise<void> {
  await sql`
    with came (kind, key) as (
      select * from (values ('network', ${networkKey(ip)}::text), ('device', ${device}::text)) as v where column2 is not null
    ), others as (
      select kind, key, row_number() over (partition by kind order by last_at desc, key) as place
      from known_origins where user_id = ${userId} and (kind, key) not in (select kind, key from came)
    ), too_many as (
      delete from known_origins k using others o
      where k.user_id = ${userId} and k.kind = o.kind and k.key = o.key
        and o.place > ${maxKnown} - (select count(*) from came c where c.kind = o.kind)
    )
    insert into known_origins (user_id, kind, key) select ${userId}, kind, key from came
    on conflict (user_id, kind, key) do update set last_at = now()`.execute(db);
}

/** Deletes the origins of sessions that the user ended from another one, except those that the session `keep` uses. */
export async function deleteOrigins(
  db: Kysely<DB>,
  userId: number,
  ended: readonly { ip: string | null; device: string | null }[],
  keep: number,
): Promise<void> {
  if (ended.length === 0) return;
  const { rows } = await sql<{ ip: string | null; device: string | null }>`
    select ip, device from session_register where id = ${keep}`.execute(db);
  const kept = new Set(rows.flatMap(keysOf));
  const gone = ended.flatMap(keysOf).filter((key) => !kept.has(key));
  await sql`delete from known_origins where user_id = ${userId} and key = any(${gone}::text[])`.execute(db);
}

const keysOf = ({ ip, device }: { ip: string | null; device: string | null }) => [
  ...(ip ? [networkKey(ip)] : []),
  ...(device ? [device] : []),
];
