import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { isUnderWay } from '../../jobs/queue.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notify } from '../../notifications/notify.ts';
import { accounts, everyone, people } from '../../notifications/recipients.ts';
import { ownReason } from '../../languages/answer.ts';
import { publishJobs } from './publish.ts';

type Stopped = {
  id: number;
  name: string;
  entity_id: number | null;
  owner_id: number | null;
  created_by: number | null;
  publisher: number;
  total: number;
};

/** Resets cycles after publishing ends; their evaluations stay. */
async function clearPublishing(db: Db, which: RawBuilder<SqlBool>): Promise<Stopped[]> {
  const { rows } = await sql<Stopped>`
    update kpi_cycles k set publishing_processed = null, publishing_total = null, publishing_request = null
    from (select c.id, c.publishing_total, c.publishing_request from kpi_cycles c
          where c.publishing_total is not null and ${which} for update) as former
    where k.id = former.id
    returning k.id, k.name, k.entity_id, k.owner_id, k.created_by, former.publishing_total as total,
              (former.publishing_request -> 'actor' ->> 'user_id')::bigint as publisher`.execute(db);
  return rows;
}

const notifyStopped = (db: Db, { now }: JobContext, cycle: Stopped) =>
  notify({ db, actor: null }, 'kpi_cycle_published', {
    subject: { type: 'kpi_cycle', id: cycle.id },
    round: `stopped ${now.toString()}`,
    url: `/kpi/cycles/${cycle.id}`,
    params: { cycle: cycle.name },
    variant: 'stopped',
    to: everyone(people([cycle.owner_id]), accounts([cycle.publisher, cycle.created_by ?? cycle.publisher])),
  });

/** Stops publishing; publishing again creates what is missing. Notifies publisher, creator and owner. */
const stopPublishing = (ctx: JobContext, which: RawBuilder<SqlBool>, reason: string | null): Promise<number> =>
  inJobTransaction(ctx.deps.db, async (db) => {
    const stopped = await clearPublishing(db, which);
    for (const cycle of stopped) {
      await notifyStopped(db, ctx, cycle);
      await record(
        { db, actor: null },
        {
          action: 'kpi_cycle.publish_stopped',
          subject_id: cycle.id,
          subject_label: cycle.name,
          entity_id: cycle.entity_id,
          changes: { publishing: { from: cycle.total, to: null } },
          reason,
        },
      );
    }
    return stopped.length;
  });

/**
 * Stops each background publication that failed permanently, or whose process died in the last attempt. Returns their
 * number.
 */
export const giveUpPublishing = (ctx: JobContext): Promise<number> =>
  stopPublishing(ctx, sql<SqlBool>`not ${isUnderWay(sql`${publishJobs}::text || c.id`)}`, null);

/** Stops the publication of a cycle whose publisher lost the permission. */
export const withdrawPublishing = (ctx: JobContext, id: number): Promise<number> =>
  stopPublishing(ctx, sql<SqlBool>`c.id = ${id}`, ownReason('reasons.publish_withdrawn'));
