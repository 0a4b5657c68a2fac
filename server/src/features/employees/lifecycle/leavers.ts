import { sql } from 'kysely';
import { endAccessOf } from '../../../access/api-tokens.ts';
import { record } from '../../../audit.ts';
import { inJobTransaction } from '../../../jobs/task.ts';
import type { JobContext } from '../../../jobs/task.ts';
import { changePeople } from '../../../people/row-write.ts';

const batch = 500;

const isDue = ({ now }: JobContext) => sql`
  e.activity_status <> 'inactive' and e.deleted_at is null and e.employment_lifecycle in ('resigned', 'terminated')
  and e.last_working_date < (${now.toString()}::timestamptz at time zone c.timezone)::date`;

async function dueLeavers(ctx: JobContext, after: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e join entities c on c.id = e.entity_id
    where ${isDue(ctx)} and e.id > ${after} order by e.id limit ${batch}`.execute(ctx.deps.db);
  return rows.map((row) => row.id);
}

type Leaver = { id: number; user_id: number; entity_id: number; name: string; was: string };

async function endOne(ctx: JobContext, id: number): Promise<boolean> {
  return inJobTransaction(ctx.deps.db, async (db) => {
    const { rows } = await sql<Leaver>`
      select e.id, e.user_id, e.entity_id, e.name, e.activity_status as was from employees e join entities c on c.id = e.entity_id
      where e.id = ${id} and ${isDue(ctx)} for update of e`.execute(db);
    const [leaver] = rows;
    if (!leaver) return false;
    await changePeople(db, 'service', [leaver.id], { activity_status: 'inactive' });
    await endAccessOf(db, [leaver.user_id], 'end of employment');
    await record(
      { db, actor: null },
      {
        action: 'employee.left',
        subject_id: leaver.id,
        subject_label: leaver.name,
        entity_id: leaver.entity_id,
        changes: { activity_status: { from: leaver.was, to: 'inactive' } },
      },
    );
    return true;
  });
}

/** The refusals of the database: no administrator left, or none who can sign in without the required provider. */
const keptAlive = new Set(['last_active_admin', 'last_emergency_account']);

/**
 * Ends the access of people whose last working day is past in their company's time zone, including missed days. The
 * last administrator keeps access until another one exists.
 */
export async function endLeavers(ctx: JobContext): Promise<{ ended: number; kept: number }> {
  const counts = { ended: 0, kept: 0 };
  for (let after = 0; ;) {
    const ids = await dueLeavers(ctx, after);
    for (const id of ids) {
      const outcome = await endUnlessNeeded(ctx, id);
      if (outcome) counts[outcome] += 1;
    }
    after = ids.at(-1) ?? after;
    if (ids.length < batch) return counts;
  }
}

/** Ends the access of one person. The database refuses that for the last administrator. */
async function endUnlessNeeded(ctx: JobContext, id: number): Promise<'ended' | 'kept' | undefined> {
  try {
    return (await endOne(ctx, id)) ? 'ended' : undefined;
  } catch (error) {
    if (!keptAlive.has((error as { constraint?: string }).constraint ?? '')) throw error;
    ctx.deps.log.warn(
      { event: 'last_admin_left', employee_id: id },
      'the employment of the last administrator has ended',
    );
    return 'kept';
  }
}
