import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { DB } from '../db/schema.ts';

/**
 * Where an account signed in from before (networks) and with which browsers (devices). They have tries of their own, so
 * that what strangers use up never keeps its owner out. Nothing else depends on them: who is known still needs the
 * password.
 */
export type Origin = 'device' | 'network' | 'stranger';

/** Where a try comes from; `device` is the key of a browser that its cookie or its session proves. */
export type From = { ip: string; device: string | null };

/** Days without a sign-in after which an origin is forgotten. */
export const knownDays = { network: 90, device: 180 } as const;
/** Of each kind for an account, so that somebody who knew the password once has no thousand allowances for the next. */
const mostKnown = 10;

/** IPv6 networks are counted as one neighbour. */
export const networkOf = (ip: string) => (isIPv6(ip) && !ip.includes('.') ? expand(ip).slice(0, 4).join(':') : ip);

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter((part) => part !== '');
  const right = (tail ?? '').split(':').filter((part) => part !== '');
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right];
}

export const networkKey = (ip: string) => sha256Hex(networkOf(ip));
/** What is kept of a device: a copy of the table makes no cookie. */
export const deviceKey = (device: Uint8Array) => sha256Hex(device);

/** What the account of an address knows of where a try comes from. One statement, also where there is no account. */
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

/** After a sign-in: its network and its browser are known from now on, the ones used longest ago no longer. */
export async function rememberOrigin(db: Transaction<DB>, userId: number, { ip, device }: From): Promise<void> {
  const known = [
    { user_id: userId, kind: 'network', key: networkKey(ip) },
    ...(device ? [{ user_id: userId, kind: 'device', key: device }] : []),
  ];
  await db
    .insertInto('known_origins')
    .values(known)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'key']).doUpdateSet({ last_at: sql`now()` }))
    .execute();
  await sql`
    delete from known_origins k using (
      select kind, key, row_number() over (partition by kind order by last_at desc, key) as place
      from known_origins where user_id = ${userId}) ranked
    where k.user_id = ${userId} and k.kind = ranked.kind and k.key = ranked.key and ranked.place > ${mostKnown}`.execute(
    db,
  );
}

/** Forgets where sessions began that the person ended from elsewhere, but not what the session `keep` uses too. */
export async function forgetOrigins(
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
