-- People who are away do not lose time: the days to answer a result count from the first day they are back, and a
-- self-assessment whose whole window lies in an absence stays open for the least days of the cycle after it. Away is who
-- is absent, and who is suspended.

alter table kpi_evaluations
  -- the first of the days to answer, where it is not the day the result was released
  add column answer_from date;

-- Suspended: inactive without having left.
create function is_suspended(e employees) returns boolean language sql immutable as $$
  select e.activity_status = 'inactive' and e.employment_lifecycle in ('probationary', 'confirmed')
$$;

-- The last day to answer, when the days count from `start`, and anew from the first day back after each absence that
-- they reach; null while no return is known.
create function kpi_answer_due(person bigint, start date, days integer) returns date language plpgsql stable as $$
declare
  from_day date := start;
  away absences;
begin
  loop
    select * into away from absences a
    where a.employee_id = person and a.first_day <= from_day + days and coalesce(a.last_day, 'infinity') >= from_day
    order by a.first_day desc limit 1;
    if not found then
      return from_day + days;
    end if;
    if away.last_day is null then
      return null;
    end if;
    from_day := away.last_day + 1;
  end loop;
end $$;

-- The first day back of a person who is absent on each day from `opens` to `closes`; null for all others, and while no
-- return is known.
create function kpi_back_after(person bigint, opens date, closes date) returns date language plpgsql stable as $$
declare
  next_day date := opens;
  away absences;
begin
  loop
    select * into away from absences a
    where a.employee_id = person and next_day between a.first_day and coalesce(a.last_day, 'infinity');
    if not found then
      return case when next_day > opens and next_day > closes then next_day end;
    end if;
    if away.last_day is null then
      return null;
    end if;
    next_day := away.last_day + 1;
  end loop;
end $$;

-- Comes before the trigger that computes the due day from these days.
create function settle_absence_days() returns trigger language plpgsql as $$
declare
  cycle kpi_cycles;
  zone text;
  back date;
begin
  if new.status = 'pending_acceptance' and tg_op = 'UPDATE' and old.status <> new.status then
    select * into cycle from kpi_cycles where id = new.cycle_id;
    select timezone into zone from entities where id = new.entity_id;
    new.answer_from := null;
    new.acceptance_due_on := case
      when not (select is_suspended(e) from employees e where e.id = new.employee_id)
      then kpi_answer_due(new.employee_id, (now() at time zone zone)::date, cycle.acceptance_days) end;
  elsif new.status = 'self_assessment' and exists (select from absences a where a.employee_id = new.employee_id) then
    select * into cycle from kpi_cycles where id = new.cycle_id;
    select timezone into zone from entities where id = new.entity_id;
    back := kpi_back_after(
      new.employee_id,
      greatest(cycle.self_assessment_opens_on, (coalesce(new.status_changed_at, now()) at time zone zone)::date),
      greatest(new.stage_open_until, cycle.self_assessment_closes_on));
    if back is not null then
      new.stage_open_until := back + cycle.min_days;
    end if;
  end if;
  return new;
end $$;
create trigger absence_days before insert or update on kpi_evaluations
  for each row execute function settle_absence_days();

-- Follows a change of absences, or with `anew` the end of a suspension. A change never leaves less than the least days
-- of the cycle where there were more.
create function settle_answers(person bigint, anew boolean) returns void language plpgsql as $$
begin
  -- a result that is released at this moment is released before or after
  perform from kpi_evaluations where employee_id = person and status <> 'completed' order by id for update;
  update kpi_evaluations v set acceptance_due_on = s.due, answer_from = case when anew then s.today else v.answer_from end
  from (
    select x.id, t.today, case when w.due is not null and not is_suspended(p)
      then greatest(w.due, least(coalesce(x.acceptance_due_on, 'infinity'), t.today + c.min_days)) end as due
    from kpi_evaluations x
    join employees p on p.id = x.employee_id
    join kpi_cycles c on c.id = x.cycle_id
    join entities n on n.id = x.entity_id
    cross join lateral (select (now() at time zone n.timezone)::date as today,
                               (x.status_changed_at at time zone n.timezone)::date as released) as t
    cross join lateral (
      select kpi_answer_due(person, case when anew then t.today else coalesce(x.answer_from, t.released) end,
                            c.acceptance_days) as due) as w
    where x.employee_id = person and x.status = 'pending_acceptance') as s
  where v.id = s.id and (anew or v.acceptance_due_on is distinct from s.due);
  -- the trigger looks at the absences again
  update kpi_evaluations v set stage_open_until = case
    when anew and (select not is_suspended(e) from employees e where e.id = person)
    then greatest(v.stage_open_until, kpi_least_end(v.cycle_id, v.status, (
      select (now() at time zone n.timezone)::date from entities n where n.id = v.entity_id)))
    else v.stage_open_until end
  where v.employee_id = person and v.status = 'self_assessment';
end $$;

create function settle_absence() returns trigger language plpgsql as $$
begin
  perform settle_answers(coalesce(new.employee_id, old.employee_id), false);
  return null;
end $$;
create trigger settle_answers after insert or delete or update of first_day, last_day on absences
  for each row execute function settle_absence();

create function settle_suspension() returns trigger language plpgsql as $$
begin
  perform settle_answers(new.id, true);
  return null;
end $$;
create trigger settle_answers after update on employees
  for each row when (is_suspended(old) <> is_suspended(new)) execute function settle_suspension();
