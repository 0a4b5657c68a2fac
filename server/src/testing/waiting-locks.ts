import type { Pool } from 'pg';

/** The kinds of locks that connections to this database are waiting for, without those of other tests. */
export async function waitingLocks(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ locktype: string }>(
    `select l.locktype from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database() order by 1`,
  );
  return rows.map(({ locktype }) => locktype);
}
