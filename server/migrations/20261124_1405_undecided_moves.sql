-- Since when an evaluation belongs to another department than its person, without a decision of HR. A trigger on people
-- sets it, so that tasks find the few through an index. It is no change of the evaluation: the revision stays.
alter table kpi_evaluations add column moved_since timestamptz(3);
create index kpi_evaluations_moved_idx on kpi_evaluations (entity_id, moved_since)
  where moved_since is not null and status in ('self_assessment', 'manager_review');

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
    before.moved_since := new.moved_since;
    if new is distinct from before then
      new.updated_at := now();
      new.revision := old.revision + 1;
    end if;
  end if;
  return new;
end $$;

create function settle_moves() returns trigger language plpgsql as $$
begin
  update kpi_evaluations v
  set moved_since = case when new.department_id <> v.department_id
                              and v.kept_department_id is distinct from new.department_id then now() end
  where v.employee_id = new.id
    and (v.moved_since is not null or (new.department_id <> v.department_id
                                       and v.kept_department_id is distinct from new.department_id));
  return null;
end $$;
create trigger settle_moves after update on employees
  for each row when (old.department_id <> new.department_id) execute function settle_moves();

update kpi_evaluations v set moved_since = now()
from employees e
where e.id = v.employee_id and e.department_id <> v.department_id
  and v.kept_department_id is distinct from e.department_id;
