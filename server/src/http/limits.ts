import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Costly requests per user: exports and imports of a day, checks for duplicates of a minute. */
export const budgets = { export: 100, import: 200, lookup: 120 } as const;

/** `remaining` is -1 when none was left; the next one is there after so many seconds. */
type Spent = { remaining: number; seconds: number };

/** Requests per user and fixed window; counted in this process. */
export type RateLimit = {
  limit: number;
  /** Takes one. */
  spend: (key: string | number) => Spent;
};

export function rateLimit(limit: number, windowSeconds = 60, now = () => Date.now()): RateLimit {
  let window = 0;
  let counts = new Map<string | number, number>();
  return {
    limit,
    spend: (key) => {
      const seconds = now() / 1_000;
      const current = Math.floor(seconds / windowSeconds);
      if (current !== window) {
        window = current;
        counts = new Map();
      }
      const used = (counts.get(key) ?? 0) + 1;
      counts.set(key, used);
      return { remaining: Math.max(-1, limit - used), seconds: (current + 1) * windowSeconds - seconds };
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

export type Limits = { general: RateLimit; export: DailyLimit; import: DailyLimit; lookup: RateLimit };
