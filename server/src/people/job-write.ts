import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';

export type JobChange = {
  /** People whose record holds the new state already. */
  employee_ids: readonly number[];
  /** Job fields, and `employment_lifecycle`, that changed. */
  changed_fields: readonly string[];
  /** Null for a job of the service itself. */
  by: Pick<Actor, 'user_id' | 'name'> | null;
  reason?: string | null;
  /** The effective day; by default today in the time zone of each person's company. */
  effective_from?: string;
  /** The people are new: they have no current row to end. */
  is_first?: boolean;
  /** The last day of the previous employment of a rehired person. */
  rehired_after?: string;
};

/** What follows people to another company. Its features stand above this layer, so the caller passes it. */
export type Follow = (acting: Acting, employeeIds: readonly number[]) => Promise<void>;

/** For changes within a company. */
export const inSameCompany: Follow = () => {
  throw new Error('a change of the company needs to say what follows it');
};

/**
 * Writes job changes into the history: the current row ends the day before, and a new one holds the state of
 * `employees`. The first row of a person begins with the joining date if that is past. `follow` is called for people
 * with an earlier job who change company.
 */
export async function recordJobChange(db: Db, change: JobChange, follow: Follow): Promise<void> {
  const ids = change.employee_ids as number[];
  const today = sql`(now() at time zone c.timezone)::date`;
  const earlier = change.is_first
    ? sql`cross join (select null::date as last) as earlier`
    : sql`left join lateral (select max(h.effective_from) as last from job_history h
                             where h.employee_id = e.id and h.status = 'past') as earlier on true`;
  const from = change.effective_from === undefined ? today : sql`${change.effective_from}::date`;
  if (!change.is_first)
    await sql`
    update job_history h
    set status = 'past', effective_to = greatest(h.effective_from, ${from} - 1)
    from employees e join entities c on c.id = e.entity_id
    where e.id = any(${ids}::bigint[]) and h.employee_id = e.id and h.status = 'current'`.execute(db);
  await sql`
    insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
                             reporting_manager_id, job_title, grade, employment_type, employment_lifecycle,
                             reason, rehired_after, created_by, created_by_name)
    select e.id,
           case when earlier.last is null and ${change.effective_from ?? null}::date is null
                then least(coalesce(e.joining_date, ${today}), ${today})
                else greatest(earlier.last, ${from}) end,
           'current', ${change.changed_fields}::text[], e.entity_id, e.department_id,
           e.reporting_manager_id, e.job_title, e.grade, e.employment_type, e.employment_lifecycle,
           ${change.reason ?? null}::text, ${change.rehired_after ?? null}::date, ${change.by?.user_id ?? null}::bigint, ${change.by?.name ?? 'System'}::text
    from employees e
    join entities c on c.id = e.entity_id
    ${earlier}
    where e.id = any(${ids}::bigint[])`.execute(db);
  if (!change.is_first && change.changed_fields.includes('entity_id')) await follow({ db, actor: change.by }, ids);
}
