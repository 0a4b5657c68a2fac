import type { KeptReason } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { openReviewStates } from '../../workflow/open.ts';

/**
 * Reasons against undoing rows, independent of the actor: later changes, sign-ins, or references.
 * Over 40 lines: one statement.
 */
export async function stateReasons(
  db: Db,
  importId: number,
  rows: readonly number[],
): Promise<ReadonlyMap<number, KeptReason>> {
  const { rows: found } = await sql<{ row: number; reason: KeptReason | null }>`
    with affected as materialized (
      select r."row", r.subject_id, r.status, (r.before ->> 'revision')::int as revision,
             (r.before ->> 'at')::timestamptz(3) as at, (r.before ->> 'settled_at')::timestamptz(3) as settled_at, r.before -> 'values' as earlier,
             r.before -> 'values' ? 'probation_end_date' as moves_end
      from import_rows r where r.import_id = ${importId} and r."row" = any(${rows}::int[])
    )
    select a."row", case
      when e.revision <> coalesce(a.revision, 1)
        or exists (select from job_history h where h.employee_id = e.id and h.updated_at > coalesce(a.settled_at, a.at, e.created_at))
        or a.status = 'created' and exists (select from absences y where y.employee_id = e.id or y.deputy_id = e.id)
        or exists (select from audit_log l where l.subject_type = 'employee' and l.subject_id = e.id
                   and l.action = 'employee.roles_changed' and l.at > coalesce(a.settled_at, a.at, e.created_at))
        then 'changed_since'
      when u.last_login_at > coalesce(a.at, e.created_at) or (a.status = 'created' and u.password_hash is not null)
        then 'signed_in'
      when a.status = 'created' and exists (select from departments d where d.manager_id = e.id or d.team_lead_id = e.id)
        then 'heads_department'
      when a.status = 'created' and exists (select from kpi_evaluations v where v.employee_id = e.id
                                            or v.reviewer_id = e.id)
        or a.status = 'created' and exists (select from former_results f where f.employee_id = e.id)
        then 'has_evaluations'
      when a.status = 'created' and exists (select from probation_reviews v where v.employee_id = e.id
                                            or v.reviewer_id = e.id)
        or a.moves_end and exists (select from probation_reviews v where v.employee_id = e.id
                                   and v.milestone = 'final' and (v.status in ${openReviewStates} or v.created_at > a.at))
        then 'has_reviews'
      when a.status = 'created' and exists (select from kpi_cycles y where y.owner_id = e.id)
        then 'owns_cycle'
      when a.earlier ? 'display_name' and is_name_taken(
          e.id, a.earlier ->> 'display_name', coalesce(a.earlier ->> 'first_name', e.first_name),
          coalesce(a.earlier ->> 'last_name', e.last_name))
        then 'not_valid'
      when exists (select from attachments f where f.employee_id = e.id and (a.status = 'created' or f.created_at > a.at))
        then 'has_files'
      end as reason
    from affected a join employees e on e.id = a.subject_id left join users u on u.id = e.user_id`.execute(db);
  return new Map(found.flatMap(({ row, reason }) => (reason === null ? [] : [[row, reason]])));
}

/**
 * Marks people created by the import who manage remaining people, now or in the job history: people without a row, and
 * people of rows that stay.
 */
export async function keepManagers(db: Db, importId: number): Promise<void> {
  await sql`
    with recursive made as materialized (
      select subject_id as id from import_rows where import_id = ${importId} and status = 'created' and kept_reason is null
    ), leaving as materialized (
      -- people created by the import, and people who get their earlier manager back
      select id from made
      union all
      select subject_id from import_rows where import_id = ${importId} and status = 'updated' and kept_reason is null
        and before -> 'values' ? 'reporting_manager_id'
    ), stays (id) as (
      select m.id from made m
      where exists (select from employees x where x.reporting_manager_id = m.id and x.id not in (select id from leaving))
         or exists (select from job_history h where h.reporting_manager_id = m.id
                    and h.employee_id not in (select id from leaving))
      union
      select m.id from stays s
      cross join lateral (
        select x.reporting_manager_id as id from employees x where x.id = s.id
        union all
        select h.reporting_manager_id from job_history h where h.employee_id = s.id) as named
      join made m on m.id = named.id
    )
    update import_rows set kept_reason = 'manages_others'
    where import_id = ${importId} and status = 'created' and kept_reason is null
      and subject_id in (select id from stays)`.execute(db);
}
