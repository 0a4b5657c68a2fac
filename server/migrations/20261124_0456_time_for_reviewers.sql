-- Reviewers ask for more time as the people do whom they review. A request is about one step and counts for it.

alter table kpi_evaluations add column extension_step text not null default 'self_assessment'
  check (extension_step in ('self_assessment', 'manager_review'));

-- a reviewer does not decide on their own request
drop index kpi_evaluations_extension_idx;
create index kpi_evaluations_extension_idx on kpi_evaluations (entity_id, extension_requested_at, id)
  include (employee_id, reviewer_id, extension_step)
  where status in ('self_assessment', 'manager_review') and extension_status = 'pending';

-- The due day follows from the step and the windows, name and missing reviewer from people: none of them makes a form
-- stale. A step that comes to another person, by whatever way, stays open for the least days of the cycle; the request
-- of a former reviewer ends.
create or replace function keep_evaluation() returns trigger language plpgsql as $$
declare
  before kpi_evaluations;
  least_end date;
begin
  if tg_op = 'UPDATE' then
    if new.status = 'manager_review' and old.status = new.status and new.extension_status = 'pending'
       and new.reviewer_id is distinct from old.reviewer_id then
      new.extension_requested_at := null;
      new.extension_reason := null;
      new.extension_status := null;
    end if;
    if new.status in ('self_assessment', 'manager_review')
       and (new.status <> old.status or new.status = 'manager_review' and new.reviewer_id <> coalesce(old.reviewer_id, 0))
    then
      least_end := kpi_least_end(new.cycle_id, new.status,
        (select (now() at time zone timezone)::date from entities where id = new.entity_id));
      if least_end > coalesce(new.stage_open_until, '-infinity') then
        new.stage_open_until := least_end;
      end if;
    end if;
  end if;
  new.due_on := kpi_due_on(new);
  if tg_op = 'UPDATE' then
    before := old;
    before.due_on := new.due_on;
    before.person_sort := new.person_sort;
    before.reviewer_missing_since := new.reviewer_missing_since;
    if new is distinct from before then
      new.updated_at := now();
      new.revision := old.revision + 1;
    end if;
  end if;
  return new;
end $$;
