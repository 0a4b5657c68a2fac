import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Count, Report } from './limits.ts';

/**
 * Shares request counts between processes. Every process counts for itself. Once a second it adds its counts of users
 * above a tenth of their limit to those in the database, and reads the sums in the same statement. So a user gets at
 * most the limit, another tenth of it per process, and the requests of one second.
 */
export type SharedCounts = {
  /** Receives the counts of one limit. */
  reportOf: (scope: string) => Report;
  /** Reports immediately what is due. */
  flush: () => Promise<void>;
  stop: () => Promise<void>;
};

type Due = { scope: string; slot: number; key: string; count: Count };
type Sum = { scope: string; key: string; used: number };

const idOf = ({ scope, key }: Pick<Due, 'scope' | 'key'>) => `${scope} ${key}`;

/** @param everyMs milliseconds between reports */
export function openSharedCounts(db: Kysely<DB>, everyMs = 1_000): SharedCounts {
  let due = new Map<string, Due>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  // no timer runs while every user is below a tenth
  const plan = () => {
    if (!isStopped && !running) timer ??= setTimeout(() => void flush(), everyMs).unref();
  };

  async function reportAll(all: readonly Due[]) {
    const added = all.map(({ count }) => count.own - count.reported);
    const sums = new Map((await addUp(db, all, added)).map((sum) => [idOf(sum), sum.used]));
    for (const [index, one] of all.entries()) {
      one.count.reported += added[index] ?? 0;
      // a crash of the database empties the table, but must not lower the count
      one.count.others = Math.max(one.count.others, (sums.get(idOf(one)) ?? 0) - one.count.reported);
    }
  }

  async function reportDue() {
    clearTimeout(timer);
    timer = undefined;
    const all = [...due.values()];
    due = new Map();
    // without the database, this process keeps counting and reports again after the next request
    if (all.length > 0) await reportAll(all).catch(() => undefined);
  }

  // one after the other, so that a count being reported is not reported again
  function flush(): Promise<void> {
    running ??= reportDue().finally(() => {
      running = undefined;
      if (due.size > 0) plan();
    });
    return running;
  }

  return {
    reportOf: (scope) => (slot, key, count) => {
      const one = { scope, slot, key: String(key), count };
      due.set(idOf(one), one);
      plan();
    },
    flush,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Adds to the counts of all processes and returns their sums; in one order, so that processes never deadlock. */
async function addUp(db: Kysely<DB>, all: readonly Due[], added: readonly number[]): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    insert into rate_counts as counted (slot, scope, key, used)
    select to_timestamp(slot), scope, key, used
    from unnest(${all.map(({ slot }) => slot)}::float8[], ${all.map(({ scope }) => scope)}::text[],
                ${all.map(({ key }) => key)}::text[], ${added}::int[]) as added (slot, scope, key, used)
    order by 1, 2, 3
    on conflict (slot, scope, key) do update set used = counted.used + excluded.used
    returning scope, key, used`.execute(db);
  return rows;
}
