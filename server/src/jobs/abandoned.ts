import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/**
 * Frees the jobs and queues of a process that was killed; the queue itself would wait four hours. Only for a process
 * that is the only one of its database: the jobs of a living one would run twice.
 */
export async function freeAbandonedJobs(db: Db): Promise<void> {
  for (const table of ['_private_jobs', '_private_job_queues'])
    await sql`update ${sql.id('graphile_worker', table)} set locked_by = null, locked_at = null
              where locked_at is not null`.execute(db);
}
