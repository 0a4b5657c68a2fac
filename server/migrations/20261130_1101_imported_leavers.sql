-- People who were added as leavers by earlier releases have the lifecycle of the end on all their days. Before the notice,
-- or the last working day where there is none, they were employed. People who left by a step have an earlier row with
-- another lifecycle and are not touched. Imports that can still be undone find these people as they left them.

with leavers as (
  select e.id, notice.day,
         case when e.confirmation_date is null and e.probation_end_date >= notice.day then 'probationary'
              else 'confirmed' end as lifecycle
  from employees e
  join entities c on c.id = e.entity_id
  cross join lateral (select least(coalesce(e.notice_date, e.last_working_date),
                                   (e.created_at at time zone c.timezone)::date) as day) as notice
  where e.employment_lifecycle in ('resigned', 'terminated')
    and exists (select from job_history h where h.employee_id = e.id and h.status in ('past', 'current')
                and h.effective_from < notice.day)
    and not exists (select from job_history h where h.employee_id = e.id and h.status in ('past', 'current')
                    and (h.employment_lifecycle <> e.employment_lifecycle or h.rehired_after is not null))),
spanning as (
  select h.*, l.day, l.lifecycle from job_history h join leavers l on l.id = h.employee_id
  where h.status in ('past', 'current') and h.effective_from < l.day
    and (h.effective_to is null or h.effective_to >= l.day)),
added as (
  insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
                           reporting_manager_id, job_title, grade, employment_type, employment_lifecycle, reason,
                           created_by, created_by_name, source)
  select s.employee_id, s.effective_from, s.day - 1, 'past', s.changed_fields, s.entity_id, s.department_id,
         s.reporting_manager_id, s.job_title, s.grade, s.employment_type, s.lifecycle, s.reason,
         s.created_by, s.created_by_name, s.source
  from spanning s),
earlier as (
  update job_history h set employment_lifecycle = l.lifecycle from leavers l
  where h.employee_id = l.id and h.status = 'past' and h.effective_to < l.day),
settled as (
  update import_rows r set before = coalesce(r.before, '{}') || jsonb_build_object('settled_at', now())
  from imports i, leavers l
  where i.id = r.import_id and i.type = 'employees' and i.undo_until > now() and r.status in ('created', 'updated')
    and r.subject_id = l.id)
update job_history h set effective_from = s.day, changed_fields = '{employment_lifecycle}'
from spanning s where h.id = s.id;
