import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { peopleFor } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { counted } from '../../wording.ts';

export type Reason = { row: number; reason: string };

const mostTold = 100;

/**
 * Why an import cannot be taken back: rows whose people were written since, have signed in, or are referred to from
 * outside the import. The people stay as they are until the end of the transaction.
 */
export async function reasonsAgainstUndo(db: Db, actor: Actor, importId: number): Promise<Reason[]> {
  const affected = sql`
    select r."row", r.subject_id, r.status, (r.before ->> 'revision')::int as revision,
           (r.before ->> 'at')::timestamptz(3) as at, r.before -> 'values' ? 'probation_end_date' as moves_end
    from import_rows r
    where r.import_id = ${importId} and r.status in ('created', 'updated')`;
  await sql`select from employees where id in (select subject_id from (${affected}) as a) order by id for update`.execute(
    db,
  );
  const { rows } = await sql<Reason>`
    with affected as materialized (${affected}),
    made as materialized (select subject_id as id from affected where status = 'created')
    select a."row", case
      when not ${peopleFor(actor, 'employees.update')} then 'is not permitted'
      when e.revision <> coalesce(a.revision, 1)
        or exists (select from job_history h where h.employee_id = e.id and h.created_at > coalesce(a.at, e.created_at))
        or exists (select from audit_log l where l.subject_type = 'employee' and l.subject_id = e.id
                   and l.action = 'employee.roles_changed' and l.at > coalesce(a.at, e.created_at))
        then 'was changed since'
      when u.last_login_at > coalesce(a.at, e.created_at) or (a.status = 'created' and u.password_hash is not null)
        then 'has signed in or may do so'
      when a.status = 'created' and exists (select from departments d where d.manager_id = e.id or d.team_lead_id = e.id)
        then 'heads a department'
      when a.status = 'created' and exists (select from employees x where x.reporting_manager_id = e.id
                                            and x.id not in (select id from made)
                                            and x.id not in (select subject_id from affected where status = 'updated'))
        then 'is the manager of others'
      when a.status = 'created' and exists (select from job_history h where h.reporting_manager_id = e.id
                                            and h.employee_id not in (select subject_id from affected))
        then 'stands in the job history of others'
      when a.status = 'created' and exists (select from kpi_evaluations v where v.employee_id = e.id
                                            or v.reviewer_id = e.id)
        then 'has KPI evaluations'
      when a.status = 'created' and exists (select from probation_reviews v where v.employee_id = e.id
                                            or v.reviewer_id = e.id)
        or a.moves_end and exists (select from probation_reviews v where v.employee_id = e.id
                                   and (v.status in ('pending', 'submitted', 'sent_back') or v.created_at > a.at))
        then 'has probation reviews'
      when a.status = 'created' and exists (select from kpi_cycles y where y.owner_id = e.id)
        then 'is in charge of a KPI cycle'
      when exists (select from attachments f where f.employee_id = e.id and (a.status = 'created' or f.created_at > a.at))
        then 'has files'
      end as reason
    from affected a join employees e on e.id = a.subject_id join users u on u.id = e.user_id`.execute(db);
  return rows.filter(({ reason }) => reason !== null).toSorted((a, b) => a.row - b.row);
}

/** The reasons as the answer tells them. */
export function tellReasons(reasons: readonly Reason[]): string[] {
  const told = reasons.slice(0, mostTold).map(({ row, reason }) => `The person in row ${row} ${reason}.`);
  const more = reasons.length - mostTold;
  return more > 0 ? [...told, `${counted(more, 'more row stands', 'more rows stand')} in the way.`] : told;
}
