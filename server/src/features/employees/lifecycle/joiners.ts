import { sql } from 'kysely';
import { record } from '../../../audit.ts';
import { inBatches, inJobTransaction } from '../../../jobs/task.ts';
import type { JobContext } from '../../../jobs/task.ts';
import type { Db } from '../../../db/connect.ts';
import { lockNames, shownBy, takenNames } from '../../../people/name-checks.ts';
import { changePeople } from '../../../people/row-write.ts';

const batch = 500;

type Joiner = {
  id: number;
  entity_id: number;
  name: string;
  early_access: boolean;
  display_name: string | null;
  first_name: string;
  last_name: string;
};

const begun = { activity_status: 'active', early_access: false };

/**
 * Starts the employment of people. A joiner whose display name is taken by now starts under their real name; of two
 * joiners with the same display name the first keeps it, so that a name never delays a first day. Returns the people
 * whose display name was cleared.
 */
async function begin(db: Db, joiners: readonly Joiner[]): Promise<ReadonlySet<number>> {
  const shown = shownBy(joiners);
  await lockNames(db, shown);
  const named = new Set(shown.map(({ person }) => person));
  const others = joiners.flatMap(({ id }) => (named.has(id) ? [] : [id]));
  if (others.length > 0) await changePeople(db, 'service', others, begun);
  const renamed = new Set<number>();
  for (const one of shown) {
    const [isTaken] = await takenNames(db, [one]);
    const id = one.person as number;
    if (isTaken) renamed.add(id);
    await changePeople(db, 'service', [id], { ...begun, ...(isTaken && { display_name: null }) });
  }
  return renamed;
}

/** Starts the employment of the next people whose first day has come; people who left before it are skipped. */
async function startSome({ deps, now }: JobContext): Promise<number> {
  return inJobTransaction(deps.db, async (db) => {
    const today = sql`(${now.toString()}::timestamptz at time zone c.timezone)::date`;
    const { rows } = await sql<Joiner>`
      select e.id, e.entity_id, e.name, e.early_access, e.display_name, e.first_name, e.last_name
      from employees e join entities c on c.id = e.entity_id
      where e.activity_status = 'joining' and e.deleted_at is null and e.joining_date <= ${today}
        and not (e.employment_lifecycle in ('resigned', 'terminated') and coalesce(e.last_working_date < ${today}, false))
      order by e.id limit ${batch} for update of e skip locked`.execute(db);
    if (rows.length === 0) return 0;
    const renamed = await begin(db, rows);
    await record(
      { db, actor: null },
      ...rows.map(({ id, entity_id, name, early_access, display_name }) => ({
        action: 'employee.joined' as const,
        subject_id: id,
        subject_label: name,
        entity_id,
        changes: {
          activity_status: { from: 'joining', to: 'active' },
          ...(early_access && { early_access: { from: true, to: false } }),
          ...(renamed.has(id) && { display_name: { from: display_name, to: null } }),
        },
      })),
    );
    return rows.length;
  });
}

/** Starts the employment of people whose joining date has come in their company's time zone, including missed days. */
export async function startJoiners(ctx: JobContext): Promise<{ started: number }> {
  return { started: await inBatches(batch, () => startSome(ctx)) };
}
