-- Figures of the dashboard that grew with the number of people.

-- Active people by company, month in which they joined (`-infinity` where it is unknown) and type of employment.
-- Differences are appended in the transaction of the change and folded by a job, like `employee_counts`. What a band of
-- years of service holds depends on the day: the months at its ends are counted by people.
create table employee_tenure_counts (
  entity_id bigint not null,
  month date not null,
  employment_type text not null,
  people bigint not null
);

create function count_tenure() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into employee_tenure_counts
    select entity_id, coalesce(date_trunc('month', joining_date)::date, '-infinity'), employment_type, count(*)
    from new_rows where activity_status = 'active' and deleted_at is null group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into employee_tenure_counts
    select entity_id, coalesce(date_trunc('month', joining_date)::date, '-infinity'), employment_type, -count(*)
    from old_rows where activity_status = 'active' and deleted_at is null group by 1, 2, 3;
  else
    insert into employee_tenure_counts
    select entity_id, coalesce(date_trunc('month', joining_date)::date, '-infinity'), employment_type, sum(people)
    from (
      select entity_id, joining_date, employment_type, 1 as people from new_rows
      where activity_status = 'active' and deleted_at is null
      union all
      select entity_id, joining_date, employment_type, -1 from old_rows
      where activity_status = 'active' and deleted_at is null) as moved
    group by 1, 2, 3 having sum(people) <> 0;
  end if;
  return null;
end $$;
create trigger count_tenure_on_insert after insert on employees
  referencing new table as new_rows for each statement execute function count_tenure();
create trigger count_tenure_on_update after update on employees
  referencing old table as old_rows new table as new_rows for each statement execute function count_tenure();
create trigger count_tenure_on_delete after delete on employees
  referencing old table as old_rows for each statement execute function count_tenure();

insert into employee_tenure_counts
select entity_id, coalesce(date_trunc('month', joining_date)::date, '-infinity'), employment_type, count(*)
from employees where activity_status = 'active' and deleted_at is null group by 1, 2, 3;

-- Both fold only keys with several rows, so that nothing is written while nothing changes.
create or replace function fold_employee_counts() returns void language sql as $$
  with several as (
    select level, key_id, activity_status, employment_lifecycle from employee_counts
    group by 1, 2, 3, 4 having count(*) > 1 or sum(people) = 0
  ), folded as (
    delete from employee_counts c using several s
    where c.level = s.level and c.key_id = s.key_id and c.activity_status = s.activity_status
      and c.employment_lifecycle = s.employment_lifecycle
    returning c.*
  )
  insert into employee_counts (level, key_id, activity_status, employment_lifecycle, people)
  select level, key_id, activity_status, employment_lifecycle, sum(people) from folded
  group by 1, 2, 3, 4 having sum(people) <> 0
$$;
create function fold_employee_tenure_counts() returns void language sql as $$
  with several as (
    select entity_id, month, employment_type from employee_tenure_counts
    group by 1, 2, 3 having count(*) > 1 or sum(people) = 0
  ), folded as (
    delete from employee_tenure_counts c using several s
    where c.entity_id = s.entity_id and c.month = s.month and c.employment_type = s.employment_type
    returning c.*
  )
  insert into employee_tenure_counts
  select entity_id, month, employment_type, sum(people) from folded group by 1, 2, 3 having sum(people) <> 0
$$;

-- The few who never came, whom the number of joiners leaves out.
create index employees_never_came_idx on employees (joining_date)
  where employment_lifecycle in ('resigned', 'terminated') and coalesce(last_working_date < joining_date, false)
    and deleted_at is null;

-- An index alone counts people on probation by the end.
drop index employees_on_probation_idx;
create index employees_on_probation_idx on employees (entity_id, probation_end_date, id)
  include (department_id, probation_paused_from)
  where employment_lifecycle = 'probationary' and activity_status = 'active' and deleted_at is null;
-- An index alone reads the people of the months that are counted by people.
drop index employees_recent_start_idx;
create index employees_recent_start_idx on employees (entity_id, joining_date) include (employment_type)
  where activity_status = 'active' and deleted_at is null;
-- Only figures read it, which are stored now.
drop index employees_employment_type_idx;
