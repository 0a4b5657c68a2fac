-- Targets of measured items in proportion to the days that a person is employed in the cycle. Templates that exist are
-- not prorated. Evaluations without prorated items have no days.
alter table kpi_template_items
  add column prorate boolean not null default false,
  add constraint kpi_template_items_prorate_check
    check (not prorate or (item_type = 'measured' and direction is distinct from 'boolean'));
alter table kpi_evaluation_items add column prorate boolean not null default false;
alter table kpi_evaluations
  add column cycle_days integer check (cycle_days > 0),
  add column employed_days integer check (employed_days between 1 and cycle_days),
  add constraint kpi_evaluations_days_check check ((cycle_days is null) = (employed_days is null));

-- The days of a period on which a person is employed: from the joining date to the last working day, and those of
-- employments before a rehire. Absences do not shorten them; to let some do so, subtract their days from `periods` here.
create function employed_days(person bigint, first date, last date) returns integer language sql stable as $$
  with rehires as (
    select h.effective_from, h.rehired_after,
           coalesce(lag(h.effective_from) over (order by h.effective_from, h.id),
                    (select min(f.effective_from) from job_history f
                     where f.employee_id = person and f.status in ('past', 'current')
                       and f.effective_from <= h.rehired_after)) as began
    from job_history h
    where h.employee_id = person and h.rehired_after is not null and h.status in ('past', 'current')
  ), bounds as (
    select coalesce(e.joining_date, (select max(effective_from) from rehires)) as began,
           case when e.employment_lifecycle in ('resigned', 'terminated') then e.last_working_date end as ended
    from employees e where e.id = person
    union all
    select began, rehired_after from rehires
  ), periods as (
    select range_agg(daterange(began, ended, '[]')) as days from bounds where not coalesce(began > ended, false)
  )
  select coalesce(sum(upper(part) - lower(part)), 0)::integer
  from periods, unnest(periods.days * datemultirange(daterange(first, last, '[]'))) as part
$$;

-- The days of a person in a cycle, at least one: an evaluation exists.
create function kpi_employed_days(cycle bigint, person bigint) returns integer language sql stable as $$
  select greatest(employed_days(person, c.start_date, c.end_date), 1) from kpi_cycles c where c.id = cycle
$$;

-- A job computes targets and scores again for evaluations whose review is not submitted.
create function settle_kpi_days(person bigint) returns void language plpgsql as $$
begin
  if exists (select from kpi_evaluations
             where employee_id = person and employed_days is not null and status in ('self_assessment', 'manager_review')) then
    perform graphile_worker.add_job('settle_kpi_days', json_build_object('employee_id', person),
                                    job_key => 'settle_kpi_days:' || person);
  end if;
end $$;

create function settle_days_of_person() returns trigger language plpgsql as $$
begin
  perform settle_kpi_days(new.id);
  return null;
end $$;
create trigger settle_kpi_days after update on employees for each row
  when (old.joining_date is distinct from new.joining_date
        or old.last_working_date is distinct from new.last_working_date
        or (old.employment_lifecycle in ('resigned', 'terminated'))
           <> (new.employment_lifecycle in ('resigned', 'terminated')))
  execute function settle_days_of_person();

create function settle_days_of_job() returns trigger language plpgsql as $$
begin
  perform settle_kpi_days(new.employee_id);
  return null;
end $$;
create trigger settle_kpi_days_on_insert after insert on job_history
  for each row when (new.rehired_after is not null) execute function settle_days_of_job();
create trigger settle_kpi_days_on_update after update on job_history
  for each row when (new.rehired_after is not null) execute function settle_days_of_job();

-- An evaluation that comes back to one of these steps follows changes that it missed.
create function settle_days_of_evaluation() returns trigger language plpgsql as $$
begin
  perform settle_kpi_days(new.employee_id);
  return null;
end $$;
create trigger settle_kpi_days after update of status on kpi_evaluations for each row
  when (new.employed_days is not null and new.status in ('self_assessment', 'manager_review')
        and old.status not in ('self_assessment', 'manager_review'))
  execute function settle_days_of_evaluation();
