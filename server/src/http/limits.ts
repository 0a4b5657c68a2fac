import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Costly requests per user: exports and imports of a day, checks for duplicates of a minute. */
export const budgets = { export: 100, import: 200, lookup: 120 } as const;

/** Requests per address and minute to doors for people without a session. */
export const guestsPerMinute = 1_200;

/** Tokens that are none, per address and minute; more are answered with 429. */
export const badTokensPerMinute = 100;

/** Tokens that were looked up in vain, per address and minute; then no token of the address is looked up. */
export const lookedUpPerMinute = 1_000;

/** `remaining` is -1 when none was left; the next one is there after so many seconds. */
type Spent = { remaining: number; seconds: number };

/** Requests per user and fixed window. */
export type RateLimit = {
  limit: number;
  /** Takes one. */
  spend: (key: Key) => Spent;
  /** What would be left after another one. */
  peek: (key: Key) => Spent;
};

export type Key = string | number;

/** Requests of one key in one window. */
export type Count = {
  /** Of this process. */
  own: number;
  /** How many of them the other processes can know of. */
  reported: number;
  /** What the others reported. */
  others: number;
};

/** Takes note of a count that the other processes should know of; `slot` is the begin of its window in seconds since 1970. */
export type Report = (slot: number, key: Key, count: Count) => void;

type RateLimitOptions = {
  windowSeconds?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** How other processes hear of the counts; without it each process counts for itself. */
  report?: Report;
};

/** Below this part of the limit a process keeps its counts to itself. */
export const quietPart = 0.1;

/** Counts in this process, and adds what the others reported. */
export function rateLimit(
  limit: number,
  { windowSeconds = 60, now = () => Date.now(), report }: RateLimitOptions = {},
): RateLimit {
  let slot = 0;
  let counts = new Map<Key, Count>();
  const left = ({ own, others }: Count): Spent => ({
    remaining: Math.max(-1, limit - own - others),
    seconds: slot + windowSeconds - now() / 1_000,
  });
  /** The count of a key in the window of now. */
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
    spend: (key) => {
      const count = countOf(key);
      counts.set(key, count);
      count.own += 1;
      // more than the limit need not be reported: a process that hears of it refuses already
      if (count.own > limit * quietPart && count.reported + count.others < limit) report?.(slot, key, count);
      return left(count);
    },
    peek: (key) => {
      const count = countOf(key);
      return left({ ...count, own: count.own + 1 });
    },
  };
}

/** Requests per user and day (UTC); all processes count together. */
export type DailyLimit = {
  limit: number;
  /** Takes one, in the transaction of `db`: what is undone there was not taken. */
  spend: (db: Db, userId: number) => Promise<Spent>;
};

const today = sql`(now() at time zone 'UTC')::date`;

export const dailyLimit = (kind: 'export' | 'import', limit: number = budgets[kind]): DailyLimit => ({
  limit,
  spend: async (db, userId) => {
    const { rows } = await sql<Spent>`
      with taken as (
        insert into budgets (user_id, kind, day, used) values (${userId}, ${kind}, ${today}, 1)
        on conflict (user_id, kind, day) do update set used = budgets.used + 1 where budgets.used < ${limit}
        returning used)
      select coalesce(${limit}::int - (select used from taken), -1) as remaining,
             extract(epoch from (${today} + 1)::timestamp at time zone 'UTC' - now())::float8 as seconds`.execute(db);
    return rows[0] as Spent;
  },
});

export type Limits = {
  general: RateLimit;
  guest: RateLimit;
  export: DailyLimit;
  import: DailyLimit;
  lookup: RateLimit;
  /** Requests of an account by all of its tokens, each of which has `general` to itself. */
  tokens: RateLimit;
  /** Tokens of an address that are none. */
  badTokens: RateLimit;
  /** Those of them that the database was asked for. */
  lookedUp: RateLimit;
};
