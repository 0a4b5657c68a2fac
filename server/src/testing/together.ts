import type { Pool } from 'pg';
import { expect } from 'vitest';
import { waitingLocks } from './waiting-locks.ts';

// each change writes an entry when its work is done
const withLog = 'lock table audit_log in exclusive mode';

/**
 * Runs two changes of one database, each as far as it gets before the other is committed; the first one comes before
 * the second. Returns their answers.
 * @param where a statement whose locks stop the first change when its work is done
 */
export const togetherIn =
  (owner: Pool, where = withLog) =>
  async <One, Other>(first: () => Promise<One>, second: () => Promise<Other>): Promise<[One, Other]> => {
    const waiting = async () => (await waitingLocks(owner)).length;
    const connection = await owner.connect();
    try {
      await connection.query('begin');
      await connection.query(where);
      const one = first();
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      let answered = 0;
      const other = second().finally(() => (answered = 1));
      await expect.poll(async () => answered + (await waiting()), { interval: 10 }).toBe(2);
      await connection.query('rollback');
      return [await one, await other];
    } finally {
      // ends its transaction even after a failed assertion
      connection.release(true);
    }
  };
