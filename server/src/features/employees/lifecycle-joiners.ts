import { sql } from 'kysely';
import { record } from '../../audit.ts';
import { inBatches, inJob } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { changePeople } from './row-write.ts';

const batch = 500;

type Joiner = { id: number; entity_id: number; name: string; early_access: boolean };

/** The next of those whose first day has come; who left before it never begins. */
async function startSome({ deps, now }: JobContext): Promise<number> {
  return inJob(deps.db, async (db) => {
    const today = sql`(${now.toString()}::timestamptz at time zone c.timezone)::date`;
    const { rows } = await sql<Joiner>`
      select e.id, e.entity_id, e.name, e.early_access from employees e join entities c on c.id = e.entity_id
      where e.activity_status = 'joining' and e.deleted_at is null and e.joining_date <= ${today}
        and not (e.employment_lifecycle in ('resigned', 'terminated') and coalesce(e.last_working_date < ${today}, false))
      order by e.id limit ${batch} for update of e skip locked`.execute(db);
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await changePeople(db, 'service', ids, { activity_status: 'active', early_access: false });
    await record(
      { db, actor: null },
      ...rows.map(({ id, entity_id, name, early_access }) => ({
        action: 'employee.joined' as const,
        subject_id: id,
        subject_label: name,
        entity_id,
        changes: {
          activity_status: { from: 'joining', to: 'active' },
          ...(early_access && { early_access: { from: true, to: false } }),
        },
      })),
    );
    return rows.length;
  });
}

/** Begins the work of people whose joining date has come in the time zone of their company, missed days included. */
export async function startJoiners(ctx: JobContext): Promise<{ started: number }> {
  return { started: await inBatches(batch, () => startSome(ctx)) };
}
