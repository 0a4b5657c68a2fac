-- A cycle begins with an evaluation for each person, so what happens for each new row counts. Three triggers for each row
-- become one, which leaves out rows that bring their due day: the statement that publishes a cycle knows it, and whether
-- the person signs in, without looking them up one by one. The band of a result is looked up only where there is one, and
-- each new reviewer once. What is stored stays the same.

-- Until when a self-assessment stays open whose whole window lies in absences: the least days of the cycle after them. For
-- all others what it has already.
create function kpi_open_after_absences(v kpi_evaluations) returns date language sql stable as $$
  select coalesce(
    kpi_back_after(
      v.employee_id,
      greatest(c.self_assessment_opens_on, (coalesce(v.status_changed_at, now()) at time zone n.timezone)::date),
      greatest(v.stage_open_until, c.self_assessment_closes_on)) + c.min_days,
    v.stage_open_until)
  from kpi_cycles c, entities n where c.id = v.cycle_id and n.id = v.entity_id
$$;

create or replace function settle_absence_days() returns trigger language plpgsql as $$
declare
  cycle kpi_cycles;
  zone text;
begin
  if new.status = 'pending_acceptance' and old.status <> new.status then
    select * into cycle from kpi_cycles where id = new.cycle_id;
    select timezone into zone from entities where id = new.entity_id;
    new.answer_from := null;
    new.acceptance_due_on := case
      when not (select is_suspended(e) from employees e where e.id = new.employee_id)
      then kpi_answer_due(new.employee_id, (now() at time zone zone)::date, cycle.acceptance_days) end;
  elsif new.status = 'self_assessment' and exists (select from absences a where a.employee_id = new.employee_id) then
    new.stage_open_until := kpi_open_after_absences(new);
  end if;
  return new;
end $$;
create or replace trigger absence_days before update on kpi_evaluations
  for each row execute function settle_absence_days();
create or replace trigger keep before update on kpi_evaluations
  for each row execute function keep_evaluation();

create function begin_evaluation() returns trigger language plpgsql as $$
begin
  new.person_signs_in := new.person_signs_in
    and exists (select from employees where id = new.employee_id and user_id is not null);
  if new.status = 'self_assessment' and exists (select from absences a where a.employee_id = new.employee_id) then
    new.stage_open_until := kpi_open_after_absences(new);
  end if;
  new.due_on := kpi_due_on(new);
  return new;
end $$;
create trigger begin before insert on kpi_evaluations
  for each row when (new.due_on is null) execute function begin_evaluation();

-- As before; only completed evaluations have a band.
create or replace function count_kpi_evaluations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on,
           case when status = 'completed' then kpi_band(cycle_id, status, overall_percentage) end,
           case when status = 'completed' then performance_flag end, count(*),
           coalesce(sum(overall_percentage) filter (where status = 'completed'), 0)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from (
      select cycle_id, entity_id, department_id, status, due_on,
             case when status = 'completed' then kpi_band(cycle_id, status, overall_percentage) end as band,
             case when status = 'completed' then performance_flag end as flag, 1 as evaluations,
             case when status = 'completed' then coalesce(overall_percentage, 0) else 0 end as percentages
      from new_rows
      union all
      select cycle_id, entity_id, department_id, status, due_on,
             case when status = 'completed' then kpi_band(cycle_id, status, overall_percentage) end,
             case when status = 'completed' then performance_flag end, -1,
             case when status = 'completed' then -coalesce(overall_percentage, 0) else 0 end
      from old_rows) as moved
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(evaluations) <> 0 or sum(percentages) <> 0;
    insert into kpi_stage_days
    select cycle_id, entity_id, before, round(least(extract(epoch from until - since) / 86400, 99999), 1), count(*) from (
      select max(cycle_id) as cycle_id, max(entity_id) as entity_id, max(before) as before, max(since) as since,
             max(after) as after, max(until) as until
      from (
        select id, cycle_id, entity_id, status as before, status_changed_at as since,
               null::text as after, null::timestamptz as until
        from old_rows
        union all
        select id, null, null, null, null, status, status_changed_at from new_rows) as sides
      group by id) as moved
    where after not in (before, 'cancelled') and until >= since
      and before in ('self_assessment', 'manager_review', 'hr_review', 'pending_acceptance')
    group by 1, 2, 3, 4;
  end if;
  return null;
end $$;

create or replace function note_new_reviewers() returns trigger language plpgsql as $$
begin
  insert into offboarding_candidates
  select r.id from (select distinct reviewer_id from new_rows where is_open_evaluation(status)) as n
  join employees r on r.id = n.reviewer_id
  where is_away(r.activity_status, r.employment_lifecycle, r.deleted_at);
  return null;
end $$;
