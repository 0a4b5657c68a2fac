-- A step that comes to a person late leaves them at least some days, a rule of the cycle.

alter table kpi_cycles add column min_days integer not null default 3 check (min_days between 1 and 30);

-- Until when a step that comes to a person today stays open, where its window ends too soon; null where it does not.
create function kpi_least_end(cycle bigint, step text, today date) returns date language sql stable as $$
  select case when closes < today + min_days then today + min_days end
  from (
    select min_days, case step when 'self_assessment' then self_assessment_closes_on
                               when 'manager_review' then manager_review_closes_on end as closes
    from kpi_cycles where id = cycle) as c
$$;

-- The due day follows from the step and the windows, name and missing reviewer from people: none of them makes a form
-- stale. A step that comes to another person, by whatever way, stays open for the least days of the cycle.
create or replace function keep_evaluation() returns trigger language plpgsql as $$
declare
  before kpi_evaluations;
  least_end date;
begin
  if tg_op = 'UPDATE' then
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
