import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { findOrigin, networkKey, networkOf } from './known-origins.ts';
import type { From, Origin } from './known-origins.ts';
import { wakeWaitingTries, untilTryEnds } from './pending-tries.ts';

/**
 * Limits on wrong passwords, shared by all nodes through PostgreSQL. An attempt is reserved before hashing, so that no
 * more parallel guesses reach bcrypt than the limit allows. Correct passwords are not counted; a request waits while
 * pending attempts use up the limit.
 */
type Limit = {
  key: string;
  attempts: number;
  seconds: number;
  /** Beyond the limit, one try per this many seconds. */ trickle?: number;
};

/** For an account from one address, for an account, and from an address. */
export const tryLimits = {
  pair: { attempts: 5, seconds: 60 },
  account: { attempts: 20, seconds: 900, trickle: 30 },
  address: { attempts: 100, seconds: 60 },
} as const;

/** How long an attempt waits for pending ones. */
export const waitTimeout = 5_000;

/** What is tried. Each has its own counters, so that a correct password clears no wrong codes. */
type Tried = 'password' | 'code';

const nameOf = (email: string, tried: Tried) => sha256Hex(tried === 'password' ? email : `${tried} ${email}`);
const sharedKey = (email: string, tried: Tried) => `account:${nameOf(email, tried)}`;

/**
 * The limits of an attempt. Unknown clients share the attempts of an account. A known network and a known browser have
 * their own, and a known browser has no limit by address.
 */
function limitsFor(email: string, tried: Tried, { ip, device }: From, origin: Origin): Limit[] {
  const networkOrDevice = origin === 'device' && device ? device : networkKey(ip);
  const shared = sharedKey(email, tried);
  const pair = { key: `pair:${nameOf(email, tried)}:${networkOrDevice}`, ...tryLimits.pair };
  const whole = { key: origin === 'stranger' ? shared : `${shared}:${networkOrDevice}`, ...tryLimits.account };
  const address = { key: `ip:${networkOf(ip)}`, ...tryLimits.address };
  return origin === 'device' ? [pair, whole] : [pair, whole, address];
}

type Refused = {
  wait: number;
  /** Pending attempts use up the limit, or did until a moment ago. */
  inFlight: boolean;
};

/** Takes one attempt, or returns how long to wait if none is left. */
async function consume(db: Db, limit: Limit): Promise<Refused | undefined> {
  const { key, attempts, seconds, trickle } = limit;
  const isOver = sql`login_attempts.window_start <= now() - make_interval(secs => ${seconds})`;
  const { rows } = await sql`
    insert into login_attempts (key, attempts) values (${key}, 1)
    on conflict (key) do update set
      window_start = case when ${isOver} then now() else login_attempts.window_start end,
      attempts = case when ${isOver} then 1 else login_attempts.attempts + 1 end,
      failed = case when ${isOver} then 0 else login_attempts.failed end,
      last_attempt_at = now()
    where ${isOver} or login_attempts.attempts < ${attempts}
       or login_attempts.last_attempt_at <= now() - make_interval(secs => ${trickle ?? 1_000_000})
    returning 1`.execute(db);
  if (rows.length > 0) return undefined;
  const end = trickle
    ? sql`last_attempt_at + make_interval(secs => ${trickle})`
    : sql`window_start + make_interval(secs => ${seconds})`;
  const kept = await sql<Refused>`
    select ceil(extract(epoch from ${end} - now()))::int as wait,
      attempts > failed or attempts < ${attempts} as "inFlight"
    from login_attempts where key = ${key}`.execute(db);
  const { wait = 1, inFlight = true } = kept.rows[0] ?? {};
  return { wait: Math.max(1, wait), inFlight };
}

/** Takes one attempt; while pending ones use up the limit, waits for their outcome. */
async function takeInTurn(db: Kysely<DB>, limit: Limit, deadline: number): Promise<Refused | undefined> {
  for (;;) {
    const refused = await consume(db, limit);
    if (!refused?.inFlight) return refused;
    // a pending attempt ends in a moment, not with the window
    if (performance.now() > deadline) return { ...refused, wait: 1 };
    if (!(await untilTryEnds(limit.key))) return refused;
  }
}

/** Removes these attempts from their limits and from the pause beyond a limit. */
async function giveBack(db: Kysely<DB>, limits: readonly Limit[]): Promise<void> {
  if (limits.length === 0) return;
  const trickles = limits.filter(({ trickle }) => trickle).map(({ key }) => key);
  await sql`
    update login_attempts set attempts = greatest(attempts - 1, failed),
      last_attempt_at = case when key = any(${trickles}::text[]) and failed >= ${tryLimits.account.attempts}
        then last_attempt_at - make_interval(secs => ${tryLimits.account.trickle}) else last_attempt_at end
    where key = any(${limits.map(({ key }) => key)}::text[])`.execute(db);
}

export type Reservation = {
  /** Failed attempts on the account in the last minutes, from any origin. */
  failures: () => Promise<number>;
  /** After a success: removes this attempt and the failures of this account from this address. */
  release: () => Promise<void>;
  /** The password was wrong. */
  fail: () => Promise<void>;
  /** The password was never checked: removes this attempt. */
  cancel: () => Promise<void>;
};

function reservation(db: Kysely<DB>, taken: readonly Limit[], failures: Reservation['failures']): Reservation {
  const keys = taken.map(({ key }) => key);
  const end = async (work: Promise<unknown>) => {
    await work;
    wakeWaitingTries(keys);
  };
  const [pair, ...others] = taken;
  return {
    failures,
    fail: () =>
      end(
        sql`update login_attempts set failed = least(failed + 1, attempts) where key = any(${keys}::text[])`.execute(
          db,
        ),
      ),
    cancel: () => end(giveBack(db, taken)),
    release: () =>
      end(
        Promise.all([
          sql`update login_attempts set attempts = greatest(attempts - failed - 1, 0), failed = 0
              where key = ${pair?.key}`.execute(db),
          giveBack(db, others),
        ]),
      ),
  };
}

/** Wrong passwords and codes on an account in the last minutes, from unknown and known clients. */
async function failuresOf(db: Kysely<DB>, email: string): Promise<number> {
  const shared = [sharedKey(email, 'password'), sharedKey(email, 'code')];
  const { rows } = await sql<{ failed: number }>`
    select coalesce(sum(failed), 0)::int as failed from login_attempts
    where (key = any(${shared}::text[]) or key in (
        select s || ':' || k.key from known_origins k join users u on u.id = k.user_id
        cross join unnest(${shared}::text[]) as s where u.email = ${email}))
      and window_start > now() - make_interval(secs => ${tryLimits.account.seconds})`.execute(db);
  return rows[0]?.failed ?? 0;
}

/**
 * Reserves one attempt with every limit, or returns how many seconds to wait without counting. Each reservation must
 * end with release, fail or cancel.
 */
export async function reserveTry(
  db: Kysely<DB>,
  email: string,
  from: From,
  tried: Tried = 'password',
): Promise<Reservation | { wait: number }> {
  const origin = await findOrigin(db, email, from);
  const deadline = performance.now() + waitTimeout;
  const taken: Limit[] = [];
  for (const limit of limitsFor(email, tried, from, origin)) {
    const refused = await takeInTurn(db, limit, deadline);
    if (refused) {
      await giveBack(db, taken);
      wakeWaitingTries(taken.map(({ key }) => key));
      return { wait: refused.wait };
    }
    taken.push(limit);
  }
  return reservation(db, taken, () => failuresOf(db, email));
}

/** Takes one of a client address's requests per hour; returns the seconds to wait when none is left. */
export async function consumeRequest(db: Db, ip: string, attempts: number): Promise<number | undefined> {
  return (await consume(db, { key: `request:${networkOf(ip)}`, attempts, seconds: 3_600 }))?.wait;
}

/** Deletes attempts whose windows ended long ago. */
export const deleteOldTries = (db: Kysely<DB>) =>
  sql`delete from login_attempts where last_attempt_at < now() - interval '1 day'`.execute(db);
