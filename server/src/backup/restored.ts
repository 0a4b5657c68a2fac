import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';

/** A completed restore, for the list of runs. */
export type Restore = {
  /** The name of the backup, or of the base, in the archive. */
  backup: string;
  startedAt: Date;
  /** The moment it was restored to, if one was requested. */
  time?: string | undefined;
};

/**
 * Adds a line to the list of runs of the restored database. Like a drill, it proves that the backup can be restored;
 * `restored` in its details tells them apart.
 */
export async function recordRestore(db: Db, { backup, startedAt, time }: Restore, faults: number): Promise<void> {
  const details = { restored: true, faults, ...(time !== undefined && { time }) };
  await db
    .insertInto('backups')
    .values({
      kind: 'drill',
      status: 'done',
      backup,
      started_at: startedAt.toISOString(),
      details: JSON.stringify(details),
    })
    .execute();
}

type RestoreReport = { backup: string; finished_at: string; details: { faults: number; time?: string } };

/** Logs a restore once, at the first start after it, because its command only prints to a terminal. */
export async function logRestored(db: Db, log: Pick<Logger, 'warn'>): Promise<void> {
  const { rows } = await sql<RestoreReport>`
    update backups set details = details || '{"logged": true}'
    where kind = 'drill' and details @> '{"restored": true}' and not details ? 'logged'
    returning backup, finished_at, details`.execute(db);
  for (const { backup, finished_at, details } of rows)
    log.warn(
      {
        event: 'restored',
        backup,
        at: finished_at,
        faults: details.faults,
        // `time` would be the time of the log line
        ...(details.time && { to_time: details.time }),
      },
      'the database was restored from a backup',
    );
}
