import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { DB } from '../db/schema.ts';

/**
 * Limits of password tries, shared by all nodes through PostgreSQL. A try is reserved before anything is hashed and
 * released by a success, so that of many parallel guesses only as many reach bcrypt as the limit allows.
 */
type Limit = {
  key: string;
  attempts: number;
  seconds: number;
  /** Beyond the limit one try per so many seconds. */ trickle?: number;
};

/** IPv6 networks are counted as one neighbour. */
const network = (ip: string) => (isIPv6(ip) && !ip.includes('.') ? expand(ip).slice(0, 4).join(':') : ip);

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter((part) => part !== '');
  const right = (tail ?? '').split(':').filter((part) => part !== '');
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right];
}

/** For an account from one address, for an account, from an address. */
export const tryLimits = {
  pair: { attempts: 5, seconds: 60 },
  account: { attempts: 20, seconds: 900, trickle: 30 },
  address: { attempts: 100, seconds: 60 },
} as const;

function limitsFor(email: string, ip: string): Limit[] {
  const account = sha256Hex(email);
  return [
    { key: `pair:${account}:${network(ip)}`, ...tryLimits.pair },
    { key: `account:${account}`, ...tryLimits.account },
    { key: `ip:${network(ip)}`, ...tryLimits.address },
  ];
}

/** Takes one try. Returns how many there are now, or the seconds to wait when there was none left. */
async function reserve(db: Kysely<DB>, limit: Limit): Promise<{ attempts: number } | { wait: number }> {
  const { key, attempts, seconds, trickle } = limit;
  const span = sql`make_interval(secs => ${seconds})`;
  const { rows } = await sql<{ attempts: number }>`
    insert into login_attempts (key, attempts) values (${key}, 1)
    on conflict (key) do update set
      window_start = case when login_attempts.window_start <= now() - ${span} then now() else login_attempts.window_start end,
      attempts = case when login_attempts.window_start <= now() - ${span} then 1 else login_attempts.attempts + 1 end,
      last_attempt_at = now()
    where login_attempts.window_start <= now() - ${span} or login_attempts.attempts < ${attempts}
       or login_attempts.last_attempt_at <= now() - make_interval(secs => ${trickle ?? 1_000_000})
    returning attempts`.execute(db);
  if (rows[0]) return rows[0];
  const kept = await sql<{ wait: number }>`
    select ceil(extract(epoch from ${trickle ? sql`last_attempt_at + make_interval(secs => ${trickle})` : sql`window_start + ${span}`} - now()))::int as wait
    from login_attempts where key = ${key}`.execute(db);
  return { wait: Math.max(1, kept.rows[0]?.wait ?? 1) };
}

async function giveBack(db: Kysely<DB>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`update login_attempts set attempts = greatest(attempts - 1, 0) where key = any(${keys}::text[])`.execute(
    db,
  );
}

export type Reservation = {
  /** Tries of the account that failed in the last minutes, wherever they came from. */
  failures: number;
  /** After a success: this try was none, and the failures of this account from this address are forgotten. */
  release: () => Promise<void>;
  /** The password was never looked at: this try was none. */
  cancel: () => Promise<void>;
};

/** Reserves one try with every limit, or tells how many seconds to wait; then no limit has counted this try. */
export async function reserveTry(db: Kysely<DB>, email: string, ip: string): Promise<Reservation | { wait: number }> {
  const limits = limitsFor(email, ip);
  const taken: string[] = [];
  let failures = 0;
  for (const limit of limits) {
    const reserved = await reserve(db, limit);
    if ('wait' in reserved) {
      await giveBack(db, taken);
      return reserved;
    }
    if (limit.trickle) failures = reserved.attempts - 1;
    taken.push(limit.key);
  }
  const [pair, ...others] = taken;
  return {
    failures,
    cancel: () => giveBack(db, taken),
    release: async () => {
      await sql`delete from login_attempts where key = ${pair}`.execute(db);
      await giveBack(db, others);
    },
  };
}

/** Forgets tries whose windows are long over. */
export const forgetOldTries = (db: Kysely<DB>) =>
  sql`delete from login_attempts where last_attempt_at < now() - interval '1 day'`.execute(db);
