import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { afterRestore } from '../db/after-restore.ts';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { unfinishedRestore } from '../db/unfinished.ts';
import type { DB } from '../db/schema.ts';
import { checkIndexes } from './check-indexes.ts';
import { recordRestore } from './restored.ts';
import type { Restore } from './restored.ts';
import { restoreRows } from './restore-rows.ts';
import type { Counts } from './restore-rows.ts';
import type { Rows } from './rows.ts';
import { withConnection } from './snapshot.ts';

/** Checks for faults that no backup of a healthy database has: one line each. */
export type Checks = (db: Kysely<DB>) => Promise<string[]>;

export type RestoreTask = {
  rows: Rows;
  ownerUrl: string;
  /** The role of the application, if it is not the owner. */
  appRole: string | undefined;
  /** The mark of the store that has the files; without one they are where they were. */
  storeMark?: string;
  /** Marks the store, after everything else is done. */
  markStore?: () => Promise<unknown>;
  /** `hold`: mails that were due at the backup or since are not sent, because they may have been sent before. */
  mail: 'hold' | 'send';
  /** Prepares the target of the tables, in the transaction of the rows. */
  before?: (client: pg.Client) => Promise<unknown>;
  /** Undoes a restore that fails after its rows are in place. */
  undo?: () => Promise<unknown>;
  checks: Checks;
  /** What the list of runs says about it; absent for a trial or a move. */
  restore?: Restore | undefined;
  /** Reports each completed part. */
  step?: (what: string) => void;
  /** Omits the last step: no service starts on the database before `finishRestore`. */
  isHeld?: boolean;
};

export type Restored = Counts & Usable;

type Usable = {
  sessions: number;
  heldMails: number;
  jobs: number;
  /** How many indexes were checked; null if the server cannot check them. */
  indexes: number | null;
  faults: string[];
};

/** Restores the database: first the rows, all or nothing, then what makes the database ready for use. */
export async function restoreDatabase(task: RestoreTask): Promise<Restored> {
  const counts = await withConnection('restore', task.ownerUrl, (client) => restoreRows(client, task.rows, task));
  try {
    return { ...counts, ...(await makeUsable(task)) };
  } catch (error) {
    await task.undo?.();
    throw error;
  }
}

/** Lets services start on a restored database. */
export async function finishRestore(ownerUrl: string): Promise<void> {
  await withConnection('restore', ownerUrl, (client) => client.query(`drop table ${unfinishedRestore}`));
}

async function makeUsable(task: RestoreTask): Promise<Usable> {
  const { rows, ownerUrl, appRole, storeMark, mail, checks } = task;
  await migrate(ownerUrl, appRole, { of: 'restore' });
  task.step?.('Migrations of this release applied');
  const { db } = connect({ url: ownerUrl, max: 1, queryTimeout: 3_600_000 });
  try {
    // on the pool's only connection
    await sql`set statement_timeout = 0`.execute(db);
    await sql`analyze`.execute(db);
    // before the mails that the restore itself sends
    const heldMails = mail === 'hold' ? await holdMails(db) : 0;
    const { sessions } = await afterRestore(db);
    if (storeMark) await db.updateTable('installation').set({ store_id: storeMark, store_marked: true }).execute();
    await addJobs(db, rows);
    const indexes = await checkIndexes(db);
    const faults = [...(await checks(db)), ...(indexes?.faults ?? [])];
    if (task.restore) await recordRestore(db, task.restore, faults.length);
    task.step?.('Rules of the data and indexes checked');
    await task.markStore?.();
    if (!task.isHeld) await sql`drop table ${sql.table(unfinishedRestore)}`.execute(db);
    return { sessions, heldMails, jobs: rows.jobs.length, indexes: indexes?.count ?? null, faults };
  } finally {
    await db.destroy();
  }
}

/** Marks mails that were due as not sent, because they may have been sent before. */
export async function holdMails(db: Kysely<DB>): Promise<number> {
  const { numAffectedRows } = await sql`
    update notification_deliveries set status = 'failed', error = 'Not sent after a restore.', leased_until = null
    where status = 'pending' and next_attempt_at <= now()`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

async function addJobs(db: Kysely<DB>, { jobs }: Rows): Promise<void> {
  for (const job of jobs)
    await sql`select graphile_worker.add_job(
      ${job.task}::text, payload => ${JSON.stringify(job.payload)}::json, queue_name => ${job.queue}::text,
      run_at => ${job.run_at}::timestamptz, max_attempts => ${job.max_attempts}::int, job_key => ${job.key}::text,
      priority => ${job.priority}::int)`.execute(db);
}
