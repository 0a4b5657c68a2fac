import { text } from '@tenure/contract';
import type { Employee } from '@tenure/contract';
import { sql } from 'kysely';
import { personRefTo, refTo } from '../db/refs.ts';
import type { ReadCtx } from '../http/context.ts';
import { forbidden, invalid } from '../http/errors.ts';
import type { AsOf } from './on-day.ts';
import { fieldsFor } from './policy.ts';
import type { EmployeeRecord } from './record.ts';
import { presentRows } from './shown-fields.ts';

/** The row of the job history for a day is the last one that had begun; of several on one day, the later one. */
export const lastRowFirst = sql`h.effective_from desc, h.effective_to desc nulls first, h.id desc`;

type Job = AsOf &
  Pick<
    Employee,
    | 'entity_id'
    | 'entity'
    | 'department_id'
    | 'department'
    | 'reporting_manager_id'
    | 'reporting_manager'
    | 'job_title'
    | 'grade'
    | 'employment_type'
    | 'employment_lifecycle'
  >;

/** The job on a day of the employment, including planned changes; for any other day, the last row that had begun. */
async function readJob({ db }: ReadCtx, personId: number, day: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select j.entity_id, ${refTo('n')} as entity, j.department_id, ${refTo('d')} as department, j.reporting_manager_id,
           ${personRefTo('m')} as reporting_manager, j.job_title, j.grade, j.employment_type, j.employment_lifecycle,
           j.is_planned as planned, h.source, h.effective_from
    from (
      (select s.history_id, s.entity_id, s.department_id, s.reporting_manager_id, s.job_title, s.grade,
              s.employment_type, s.employment_lifecycle, s.is_planned, 1 as place
       from job_periods s
       where s.employee_id = ${personId} and s.first_day <= ${day}::date and s.last_day >= ${day}::date)
      union all
      (select h.id, h.entity_id, h.department_id, h.reporting_manager_id, h.job_title, h.grade, h.employment_type,
              h.employment_lifecycle, false, 2
       from job_history h
       where h.employee_id = ${personId} and h.status in ('past', 'current') and h.effective_from <= ${day}::date
       order by ${lastRowFirst} limit 1)
    ) as j
    join job_history h on h.id = j.history_id
    join entities n on n.id = j.entity_id join departments d on d.id = j.department_id
    left join employees m on m.id = j.reporting_manager_id
    order by j.place limit 1`.execute(db);
  return rows[0];
}

/**
 * A record with the job of a day, for readers of the employment. The other fields have today's values; private ones are
 * left out, and no actions are offered.
 * @throws 422 for a day before the first known job
 */
export async function presentAsOf(ctx: ReadCtx, person: EmployeeRecord, day: string): Promise<Employee> {
  if (!fieldsFor(ctx.actor)(person).work) throw forbidden();
  const found = await readJob(ctx, person.id, day);
  if (!found) throw invalid('as_of', text('job_history.not_known_on'));
  const { source, effective_from, planned, ...job } = found;
  const shown = presentRows(ctx.actor)(person);
  const as_of = { date: day, source, effective_from, planned };
  return { ...shown, ...job, today: person.today, as_of, allowed_actions: [] };
}
