import { sql } from 'kysely';
import type { KeptReason } from '@tenure/contract';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { isAdminAccount } from '../../access/admins.ts';
import { visiblePeople, wideIn } from '../../access/scope.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { undoReasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { inBatches } from './check.ts';
import { stateOf } from './store.ts';

/**
 * An undo restores the history of each person whom the user can change, whose jobs are unchanged since the import, and
 * whose former departments and managers still exist.
 */

type Doing = { db: Db; actor: Actor };
export type Written = { row: number; employee_id: number; name: string; entity_id: number };
type Person = Written & { kept_reason: KeptReason | null };

/** True when a former job of the row `r` names a department or a person that no longer exists. */
const isLost = sql`exists (
  select from jsonb_to_recordset(r.before -> 'jobs') as h (department_id bigint, reporting_manager_id bigint)
  where not exists (select from departments d where d.id = h.department_id)
     or h.reporting_manager_id is not null
        and not exists (select from employees m where m.id = h.reporting_manager_id))`;

/** The rows that store an earlier history, with the actor's rights over their people, whom it locks. */
async function loadWritten({ db, actor }: Doing, { id }: ImportRecord): Promise<Person[]> {
  const written = sql`r.import_id = ${id} and r.status in ('created', 'updated') and r.before ? 'jobs'`;
  await sql`
    select from employees e where e.id in (select r.subject_id from import_rows r where ${written})
    order by e.id for update`.execute(db);
  const reach = reachOf(actor, 'employees.update');
  const { rows } = await sql<Person>`
    select r."row", e.id as employee_id, e.name, e.entity_id,
           case when not coalesce(e.deleted_at is null and ${visiblePeople(actor)} and ${wideIn(reach, 'e')}
                  and e.id is distinct from ${actor.employee_id}::bigint
                  and (${actor.is_admin} or not ${isAdminAccount(sql.ref('e.user_id'))}), false) then 'not_permitted'
                when r.before ->> 'after' is distinct from ${stateOf(sql`e.id`)} then 'changed_since'
                when ${isLost} then 'not_valid' end as kept_reason
    from import_rows r join employees e on e.id = r.subject_id where ${written} order by r."row"`.execute(db);
  return rows;
}

async function mark({ db }: Doing, { id }: ImportRecord, people: readonly Person[]): Promise<void> {
  for (const [reason, kept] of Map.groupBy(people, ({ kept_reason }) => kept_reason))
    if (reason !== null)
      await sql`
        update import_rows set kept_reason = ${reason}
        where import_id = ${id} and status in ('created', 'updated')
          and subject_id = any(${kept.map(({ employee_id }) => employee_id)}::bigint[])`.execute(db);
}

/** Checks the people of an import and marks the rows that stay. Returns the others. */
export async function checkPeople(doing: Doing, record: ImportRecord): Promise<Written[]> {
  await sql`update import_rows set kept_reason = null where import_id = ${record.id} and kept_reason is not null`.execute(
    doing.db,
  );
  const people = await loadWritten(doing, record);
  await mark(doing, record, people);
  return people.filter(({ kept_reason }) => kept_reason === null);
}

/** Restores the rows of some people exactly. */
async function restore(db: Db, { id }: ImportRecord, people: readonly Written[]): Promise<void> {
  const ids = people.map(({ employee_id }) => employee_id);
  await sql`
    delete from job_history where employee_id = any(${ids}::bigint[]) and status in ('past', 'current')`.execute(db);
  await sql`
    insert into job_history overriding system value
    select h.* from import_rows r
    cross join lateral jsonb_populate_recordset(null::job_history, r.before -> 'jobs') h
    where r.import_id = ${id} and r."row" = any(${people.map(({ row }) => row)}::int[])`.execute(db);
}

/** Undoes the rows of these people in batches within the transaction of `db`. */
export async function undoPeople(
  { db, actor, onBatch }: Doing & { onBatch: () => Promise<void> },
  record: ImportRecord,
  people: readonly Written[],
): Promise<void> {
  const reason = undoReasonOf(record);
  for (const some of inBatches(people)) {
    await restore(db, record, some);
    const entries = some.map(({ employee_id, name, entity_id }) => ({
      action: 'job_history.import_undone' as const,
      subject_id: employee_id,
      subject_label: name,
      entity_id,
      reason,
    }));
    await recordAudit({ db, actor }, ...entries);
    await onBatch();
  }
  await sql`
    update import_rows set status = 'undone'
    where import_id = ${record.id} and status in ('created', 'updated') and kept_reason is null`.execute(db);
}
