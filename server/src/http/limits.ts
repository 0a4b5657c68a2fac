import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Costly requests per user: exports and imports per day, duplicate checks per minute. */
export const budgets = { export: 100, import: 200, lookup: 120 } as const;

/** Requests without a session per client address and minute. */
export const guestsPerMinute = 1_200;

/** Invalid tokens per client address and minute; beyond that, they are answered with 429. */
export const badTokensPerMinute = 100;

/** Failed token lookups per client address and minute; beyond that, no token from the address is looked up. */
export const lookedUpPerMinute = 1_000;

/** `remaining` is -1 when none was left; the next one is available after `seconds`. */
type Consumed = { remaining: number; seconds: number };

/** Requests per user and minute. */
export type RateLimit = {
  limit: number;
  /** Takes one request. */
  consume: (key: Key) => Consumed;
  /** What would remain after another request. */
  peek: (key: Key) => Consumed;
};

export type Key = string | number;

/** Requests of one key in one minute. */
export type Count = {
  /** Counted by this process. */
  own: number;
  /** How many of them other processes can know about. */
  reported: number;
  /** Reported by other processes. */
  others: number;
};

/** Receives a count for the other processes; `slot` is the start of its minute in Unix seconds. */
export type Report = (slot: number, key: Key, count: Count) => void;

const windowSeconds = 60;

type RateLimitOptions = {
  /** In milliseconds since 1970. */
  now?: () => number;
  /** How other processes learn the counts; without it, each process counts for itself. */
  report?: Report;
};

/** Below this share of the limit, a process does not report its counts. */
export const quietPart = 0.1;

/** Counts in this process and adds what other processes reported. */
export function rateLimit(limit: number, { now = () => Date.now(), report }: RateLimitOptions = {}): RateLimit {
  let slot = 0;
  let counts = new Map<Key, Count>();
  const left = ({ own, others }: Count): Consumed => ({
    remaining: Math.max(-1, limit - own - others),
    seconds: slot + windowSeconds - now() / 1_000,
  });
  /** The count of a key in the current minute. */
  const countOf = (key: Key): Count => {
    const current = Math.floor(now() / 1_000 / windowSeconds) * windowSeconds;
    if (current !== slot) {
      slot = current;
      counts = new Map();
    }
    return counts.get(key) ?? { own: 0, reported: 0, others: 0 };
  };
  return {
    limit,
    consume: (key) => {
      const count = countOf(key);
      counts.set(key, count);
      count.own += 1;
      // counts beyond the limit need not be reported: a process that receives this one already refuses
      if (count.own > limit * quietPart && count.reported + count.others < limit) report?.(slot, key, count);
      return left(count);
    },
    peek: (key) => {
      const count = countOf(key);
      return left({ ...count, own: count.own + 1 });
    },
  };
}

/** Requests per user and day (UTC), counted across all processes. */
export type DailyLimit = {
  limit: number;
  /** Takes one in the transaction of `db`; a rollback returns it. */
  consume: (db: Db, userId: number) => Promise<Consumed>;
};

const today = sql`(now() at time zone 'UTC')::date`;

export const dailyLimit = (kind: 'export' | 'import', limit: number = budgets[kind]): DailyLimit => ({
  limit,
  consume: async (db, userId) => {
    const { rows } = await sql<Consumed>`
      with taken as (
        insert into budgets (user_id, kind, day, used) values (${userId}, ${kind}, ${today}, 1)
        on conflict (user_id, kind, day) do update set used = budgets.used + 1 where budgets.used < ${limit}
        returning used)
      select coalesce(${limit}::int - (select used from taken), -1) as remaining,
             extract(epoch from (${today} + 1)::timestamp at time zone 'UTC' - now())::float8 as seconds`.execute(db);
    return rows[0] as Consumed;
  },
});

export type Limits = {
  general: RateLimit;
  guest: RateLimit;
  export: DailyLimit;
  import: DailyLimit;
  lookup: RateLimit;
  /** Requests of an account with all of its tokens; `general` applies to each token separately. */
  tokens: RateLimit;
  /** Invalid tokens from a client address. */
  badTokens: RateLimit;
  /** Those that were looked up in the database. */
  lookedUp: RateLimit;
};
