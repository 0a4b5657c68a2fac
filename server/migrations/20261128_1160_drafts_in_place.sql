-- A draft is saved every few seconds while a person writes. It raises the revision of the evaluation and nothing else: the
-- time of the last change is that of the last step. So no index has an entry to add, and the row is written anew on its
-- own page, where new pages keep room for it.

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
      new.revision := old.revision + 1;
      -- what is written in a step before it is submitted
      before.revision := new.revision;
      before.self_comment := new.self_comment;
      before.manager_comment := new.manager_comment;
      before.strengths := new.strengths;
      before.improvements := new.improvements;
      before.hr_comment := new.hr_comment;
      before.performance_flag := new.performance_flag;
      before.flag_reason := new.flag_reason;
      if new is distinct from before then
        new.updated_at := now();
      end if;
    end if;
  end if;
  return new;
end $$;

alter table kpi_evaluations set (fillfactor = 85);
