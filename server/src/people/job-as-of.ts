import { messages, text } from '@tenure/contract';
import type { Employee } from '@tenure/contract';
import { sql } from 'kysely';
import type { ReadCtx } from '../http/context.ts';
import { forbidden, invalid } from '../http/errors.ts';
import { personRefTo, refTo } from '../db/refs.ts';
import { fieldsFor } from './policy.ts';
import type { EmployeeRecord } from './record.ts';
import { presentRows } from './shown-fields.ts';

/** The row of the job history that counts on a day is the last one that had begun; of one day, the later one. */
export const lastRowFirst = sql`h.effective_from desc, h.effective_to desc nulls first, h.id desc`;

type Job = Pick<
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
> &
  Pick<NonNullable<Employee['as_of']>, 'source' | 'effective_from'>;

async function readJob({ db }: ReadCtx, personId: number, day: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select h.entity_id, ${refTo('n')} as entity, h.department_id, ${refTo('d')} as department, h.reporting_manager_id,
           ${personRefTo('m')} as reporting_manager, h.job_title, h.grade, h.employment_type, h.employment_lifecycle,
           h.source, h.effective_from
    from job_history h join entities n on n.id = h.entity_id join departments d on d.id = h.department_id
    left join employees m on m.id = h.reporting_manager_id
    where h.employee_id = ${personId} and h.status in ('past', 'current') and h.effective_from <= ${day}::date
    order by ${lastRowFirst} limit 1`.execute(db);
  return rows[0];
}

/**
 * A record with the job of a day, for readers of the employment. The other fields are those of today; private ones are
 * not in it, and nothing can be done with it.
 * @throws 422 for a day to come, and one before the first known job
 */
export async function presentAsOf(ctx: ReadCtx, person: EmployeeRecord, day: string): Promise<Employee> {
  if (!fieldsFor(ctx.actor)(person).work) throw forbidden();
  if (day > person.today) throw invalid('as_of', messages.beforeOrEqual('today'));
  const found = await readJob(ctx, person.id, day);
  if (!found) throw invalid('as_of', text('job_history.not_known_on'));
  const { source, effective_from, ...job } = found;
  const shown = presentRows(ctx.actor)(person);
  return { ...shown, ...job, as_of: { date: day, source, effective_from }, allowed_actions: [] };
}
