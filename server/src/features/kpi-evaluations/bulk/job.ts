import { text } from '@tenure/contract';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Actor } from '../../../access/actor.ts';
import type { Db } from '../../../db/connect.ts';
import { loadRequester } from '../../../imports/requester.ts';
import { addJob, isUnderWay } from '../../../jobs/queue.ts';
import { inJobTransaction } from '../../../jobs/task.ts';
import type { JobContext } from '../../../jobs/task.ts';
import { mayChange } from './request.ts';
import { endBulk, nextPart, readRun, takePart } from './run.ts';
import type { BulkRun } from './run.ts';

const Payload = z.object({ id: z.int() });
/** Prefix of job keys, followed by the id of the run. */
const bulkJobs = 'change_kpi_evaluations:';
/** Half an hour including the pauses of the queue. */
const attempts = 8;

/** Leaves a run to a job, which continues if this process dies. */
export const continueLater = (db: Db, { id }: BulkRun): Promise<void> =>
  addJob(db, 'change_kpi_evaluations', { id }, { key: `${bulkJobs}${id}`, maxAttempts: attempts });

const isOver = async (db: Db, { id }: BulkRun) =>
  (
    await sql`
      select from kpi_evaluation_bulk_rows where bulk_id = ${id} and outcome is null limit 1`.execute(db)
  ).rows.length === 0;

async function partAs(db: Db, actor: Actor, bulk: BulkRun): Promise<boolean> {
  const asked = await nextPart(db, bulk);
  if (asked.length > 0) {
    await takePart({ db, actor }, bulk, asked);
    return true;
  }
  // a second worker may be working on the last batch
  if (await isOver(db, bulk)) await endBulk({ db, actor }, bulk, 'completed');
  return false;
}

/** One batch in one transaction, with the user's current rights. Returns false when nothing is left. */
async function workOn(db: Db, id: number): Promise<boolean> {
  const bulk = await readRun(db, id);
  if (!bulk) return false;
  if (bulk.cancel_requested_at !== null) {
    await endBulk({ db, actor: null }, bulk, 'cancelled');
    return false;
  }
  const actor = await loadRequester(db, new Map(), bulk.created_by);
  if (actor && mayChange(actor, bulk.request.kind)) return partAs(db, actor, bulk);
  await endBulk({ db, actor: null }, bulk, 'stopped', text('evaluations.bulk_right_lost'));
  return false;
}

/** Continues a run batch by batch. After a process died, it continues with evaluations without an outcome. */
export async function changeEvaluationsJob({ deps }: JobContext, payload: unknown): Promise<void> {
  const { id } = Payload.parse(payload);
  while (await inJobTransaction(deps.db, (db) => workOn(db, id)));
}

/** Stops each run whose job failed permanently, or whose process died in the last attempt. Returns their number. */
export const giveUpBulks = ({ deps }: JobContext): Promise<number> =>
  inJobTransaction(deps.db, async (db) => {
    const { rows } = await sql<{ id: number }>`
      select id from kpi_evaluation_bulks b
      where status = 'processing' and in_background and not ${isUnderWay(sql`${bulkJobs}::text || b.id`)}`.execute(db);
    for (const { id } of rows) {
      const bulk = await readRun(db, id);
      if (bulk) await endBulk({ db, actor: null }, bulk, 'stopped', text('evaluations.bulk_interrupted'));
    }
    return rows.length;
  });
