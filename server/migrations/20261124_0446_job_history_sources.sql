-- Where a row of the job history comes from: entered by a person or a step, imported, or assumed. A first row that
-- begins long before it was written is assumed: it says the job of the day on which it was written, and the earlier
-- jobs are unknown.
alter table job_history
  add column source text not null default 'entered' check (source in ('entered', 'imported', 'assumed'));
update job_history h set source = 'assumed'
from employees e, entities c
where e.id = h.employee_id and c.id = e.entity_id and h.status in ('past', 'current')
  and h.effective_from < (h.created_at at time zone c.timezone)::date - 31
  and not exists (
    select from job_history p where p.employee_id = h.employee_id and p.status = 'past'
      and (p.effective_from, p.id) < (h.effective_from, h.id));
