import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { record } from '../audit.ts';
import type { Acting } from '../audit.ts';

type Confirmation = { employee_id: number; person_name: string; effective_from: string };

/** Schedules a person's confirmation for a later day: a row of the job history, applied on that day. */
export async function scheduleConfirmation(
  { actor, ...acting }: Acting,
  { employee_id, person_name, effective_from }: Confirmation,
): Promise<void> {
  const { rows } = await sql<{ id: number; entity_id: number }>`
    insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
                             reporting_manager_id, job_title, grade, employment_type, employment_lifecycle,
                             created_by, created_by_name)
    select e.id, ${effective_from}::date, 'scheduled', '{employment_lifecycle}', e.entity_id, e.department_id,
           e.reporting_manager_id, e.job_title, e.grade, e.employment_type, 'confirmed',
           ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}::text
    from employees e where e.id = ${employee_id}
    returning id, entity_id`.execute(acting.db);
  const row = rows[0] as { id: number; entity_id: number };
  const changes = {
    employment_lifecycle: { from: 'probationary', to: 'confirmed' },
    effective_from: { from: null, to: effective_from },
  };
  await record(
    { actor, ...acting },
    {
      action: 'job_history.created',
      subject_id: row.id,
      subject_label: person_name,
      entity_id: row.entity_id,
      changes,
    },
  );
}

/** Cancels a person's rows that are scheduled, or failed on their day. */
async function cancelPlanned(acting: Acting, employeeId: number, which: RawBuilder<SqlBool>): Promise<void> {
  const { rows } = await sql<{ id: number; entity_id: number; person_name: string; status: string }>`
    with before as materialized (
      select id, status from job_history
      where employee_id = ${employeeId} and status in ('scheduled', 'failed') and ${which} order by id for update
    )
    update job_history h set status = 'cancelled'
    from before b, employees e where h.id = b.id and e.id = h.employee_id
    returning h.id, h.entity_id, e.name as person_name, b.status`.execute(acting.db);
  await record(
    acting,
    ...rows.map(({ id, entity_id, person_name, status }) => ({
      action: 'job_history.cancelled' as const,
      subject_id: id,
      subject_label: person_name,
      entity_id,
      changes: { status: { from: status, to: 'cancelled' } },
    })),
  );
}

/** Cancels a person's confirmations that are scheduled, or failed on their day. */
export const cancelConfirmations = (acting: Acting, employeeId: number): Promise<void> =>
  cancelPlanned(acting, employeeId, sql<SqlBool>`'employment_lifecycle' = any(changed_fields)`);

/** Cancels all changes planned for a person's previous employment, including confirmations. */
export const cancelFormerPlans = (acting: Acting, employeeId: number): Promise<void> =>
  cancelPlanned(acting, employeeId, sql<SqlBool>`true`);
