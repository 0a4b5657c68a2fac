import { sql } from 'kysely';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyReviewersMissing } from './notify.ts';

/**
 * Notifies HR of records whose reviewer can no longer act. A trigger adds the job in the transaction of the loss; a
 * reviewer replaced in that transaction is no longer missing. Each loss is notified once.
 */
export const notifyMissingKpiReviewers = ({ deps }: JobContext): Promise<void> =>
  inJobTransaction(deps.db, async (db) => {
    const { rows } = await sql<{ id: number }>`
      select v.id from kpi_evaluations v
      join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
      where v.status in ('self_assessment', 'manager_review') and v.reviewer_id is not null
        and v.reviewer_missing_since > now() - interval '1 day'`.execute(db);
    await notifyReviewersMissing(
      { db, actor: null },
      rows.map(({ id }) => id),
    );
  });
