import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';

export type JobChange = {
  /** People whose record already has the new state. */
  employee_ids: readonly number[];
  /** The job fields that changed, possibly including `employment_lifecycle`. */
  changed_fields: readonly string[];
  /** Null for a job of the service itself. */
  by: Pick<Actor, 'user_id' | 'name'> | null;
  reason?: string | null;
  /** The effective date; by default today in the time zone of each person's company. */
  effective_from?: string;
  /** The people are new, so they have no current row to end. */
  is_first?: boolean;
  /** The last day of the previous employment of a rehired person. */
  rehired_after?: string;
  source?: 'imported';
};

/** A first row that begins more days than this before it is written is assumed: the job at first is not known. */
const knownDays = 31;

/** What follows people to another company. The features are in a layer above, so the caller passes it. */
export type Follow = (acting: Acting, employeeIds: readonly number[]) => Promise<void>;

/** For changes within a company. */
export const inSameCompany: Follow = () => {
  throw new Error('a change of the company needs to say what follows it');
};

/**
 * Writes job changes to the history: the current row ends the day before, and a new one gets the state of `employees`.
 * A person's first row begins with the joining date if that is past. A day before the current row counts as its first
 * day. `follow` is called for people with an earlier job who change company.
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
                             reason, rehired_after, created_by, created_by_name, source)
    select e.id, start.day, 'current', ${change.changed_fields}::text[], e.entity_id, e.department_id,
           e.reporting_manager_id, e.job_title, e.grade, e.employment_type, e.employment_lifecycle,
           ${change.reason ?? null}::text, ${change.rehired_after ?? null}::date, ${change.by?.user_id ?? null}::bigint, ${change.by?.name ?? 'System'}::text,
           case when earlier.last is null and ${change.effective_from ?? null}::date is null and start.day < ${today} - ${knownDays}::int then 'assumed'
                else ${change.source ?? 'entered'}::text end
    from employees e
    join entities c on c.id = e.entity_id
    ${earlier}
    cross join lateral (
      select case when earlier.last is null and ${change.effective_from ?? null}::date is null
                  then least(coalesce(e.joining_date, ${today}), ${today})
                  else greatest(earlier.last, ${from}) end as day) as start
    where e.id = any(${ids}::bigint[])`.execute(db);
  if (change.is_first) await splitAtNotice(db, ids);
  if (!change.is_first && change.changed_fields.includes('entity_id')) await follow({ db, actor: change.by }, ids);
}

/** Splits the first rows of people added with a notice or as leavers: before the notice they had not resigned. */
async function splitAtNotice(db: Db, ids: number[]): Promise<void> {
  await sql`
    insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
                             reporting_manager_id, job_title, grade, employment_type, employment_lifecycle, reason,
                             created_by, created_by_name, source)
    select h.employee_id, h.effective_from, notice.day - 1, 'past', h.changed_fields, h.entity_id, h.department_id,
           h.reporting_manager_id, h.job_title, h.grade, h.employment_type,
           case when e.confirmation_date is null and e.probation_end_date >= notice.day then 'probationary'
                else 'confirmed' end,
           h.reason, h.created_by, h.created_by_name, h.source
    from job_history h
    join employees e on e.id = h.employee_id and e.employment_lifecycle in ('resigned', 'terminated')
    join entities c on c.id = e.entity_id
    cross join lateral (select least(coalesce(e.notice_date, e.last_working_date),
                                     (now() at time zone c.timezone)::date) as day) as notice
    where h.employee_id = any(${ids}::bigint[]) and h.status = 'current' and h.effective_from < notice.day`.execute(db);
  await sql`
    update job_history h set effective_from = p.effective_to + 1, changed_fields = '{employment_lifecycle}'
    from job_history p
    where h.employee_id = any(${ids}::bigint[]) and h.status = 'current'
      and p.employee_id = h.employee_id and p.status = 'past'`.execute(db);
}

type LifecycleChange = Pick<JobChange, 'by' | 'reason'> & {
  employee_id: number;
  from: string;
  to: string;
  /** The day on which it began; not in the future. */
  day: string;
};

/**
 * Writes a changed lifecycle from the day on which it began, even if the job has changed since: splits the row of that
 * day and changes the later ones. A day before the first row changes all rows.
 */
export async function recordLifecycle(db: Db, change: LifecycleChange): Promise<void> {
  const { employee_id, from, to, day, by, reason = null } = change;
  const current = await db
    .selectFrom('job_history')
    .select('effective_from')
    .where('employee_id', '=', employee_id)
    .where('status', '=', 'current')
    .executeTakeFirst();
  if (!current || day >= current.effective_from) {
    const row = {
      employee_ids: [employee_id],
      changed_fields: ['employment_lifecycle'],
      by,
      reason,
      effective_from: day,
    };
    return recordJobChange(db, row, inSameCompany);
  }
  await sql`
    with split as (
      update job_history h set effective_to = greatest(h.effective_from, ${day}::date - 1)
      from (select id, effective_to from job_history
            where employee_id = ${employee_id} and status = 'past' and effective_from <= ${day}::date
            order by effective_from desc, effective_to desc, id desc limit 1) as f
      where h.id = f.id and h.employment_lifecycle = ${from}
      returning h.*, f.effective_to as until
    )
    insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
                             reporting_manager_id, job_title, grade, employment_type, employment_lifecycle, reason,
                             created_by, created_by_name)
    select employee_id, ${day}::date, until, 'past', '{employment_lifecycle}', entity_id, department_id,
           reporting_manager_id, job_title, grade, employment_type, ${to}::text, ${reason}::text,
           ${by?.user_id ?? null}::bigint, ${by?.name ?? 'System'}::text
    from split`.execute(db);
  await sql`
    update job_history set employment_lifecycle = ${to}
    where employee_id = ${employee_id} and (status = 'current' or status = 'past' and employment_lifecycle = ${from})
      and effective_from > ${day}::date`.execute(db);
}
