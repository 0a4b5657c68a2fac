-- The days on which people had, have or will have which job while employed, for the directory, head count and chart as
-- of a day. Derived from the job history and the record by triggers; nothing else writes it. Deleted people have no rows.
create table job_periods (
  employee_id bigint not null references employees on delete cascade,
  first_day date not null,
  -- infinity: no end is known
  last_day date not null,
  -- begins with a scheduled row of the history
  is_planned boolean not null,
  history_id bigint not null,
  entity_id bigint not null,
  department_id bigint not null,
  reporting_manager_id bigint,
  employment_type text not null,
  employment_lifecycle text not null,
  grade text,
  job_title text,
  job_title_sort text collate "C" generated always as (fold(job_title)) stored,
  primary key (employee_id, first_day)
);

-- Of several rows that begin on one day the last one counts. A scheduled row keeps what it does not change of the rows
-- before it; a leaver is not confirmed. An earlier employment ends with the last day before the rehire, the present one with the last working
-- day, without one with the first day of a row that says that the person has left.
create function settle_job_periods(ids bigint[]) returns void
  language sql set search_path from current as $$
  delete from job_periods where employee_id = any(ids);
  with people as (
    select id, joining_date, employment_lifecycle in ('resigned', 'terminated') as leaves, last_working_date
    from employees where id = any(ids) and deleted_at is null
  ), jobs as (
    select h.*, h.status = 'scheduled' as is_planned, p.joining_date, p.leaves, p.last_working_date,
           max(h.effective_from) over until_now as first_day,
           array_agg(h.rehired_after) filter (where h.rehired_after is not null) over later as left_on
    from people p join job_history h on h.employee_id = p.id and h.status in ('past', 'current', 'scheduled')
    window until_now as (partition by h.employee_id
                         order by h.status = 'scheduled', h.effective_from, h.effective_to nulls last, h.id
                         rows unbounded preceding),
           later as (partition by h.employee_id
                     order by h.status = 'scheduled', h.effective_from, h.effective_to nulls last, h.id
                     rows between 1 following and unbounded following)
  ), dated as (
    select *, lead(first_day) over (
      partition by employee_id order by is_planned, effective_from, effective_to nulls last, id) as next_day
    from jobs
  ), employed as (
    select *, case when left_on is null then greatest(first_day, joining_date) else first_day end as begins,
           least(next_day - 1, case when left_on is not null then left_on[1]
                                    when not leaves then 'infinity'
                                    when last_working_date is not null then last_working_date
                                    when employment_lifecycle in ('resigned', 'terminated') then '-infinity'
                                    else 'infinity' end) as ends
    from dated
  )
  insert into job_periods (employee_id, first_day, last_day, is_planned, history_id, entity_id, department_id,
                           reporting_manager_id, employment_type, employment_lifecycle, grade, job_title)
  select e.employee_id, e.begins, e.ends, e.is_planned, e.id,
         case when m.has_begun then m.entity_id else e.entity_id end,
         case when m.has_begun then m.department_id else e.department_id end,
         case when m.has_begun then m.reporting_manager_id else e.reporting_manager_id end,
         case when m.has_begun then m.employment_type else e.employment_type end,
         case when m.has_begun then m.employment_lifecycle else e.employment_lifecycle end,
         case when m.has_begun then m.grade else e.grade end,
         case when m.has_begun then m.job_title else e.job_title end
  from employed e left join lateral (
    select bool_or(b.fields is null) as has_begun,
           (array_agg(b.entity_id order by b.place) filter (where b.fields is null or 'entity_id' = any(b.fields)))[1] as entity_id,
           (array_agg(b.department_id order by b.place) filter (where b.fields is null or 'department_id' = any(b.fields)))[1] as department_id,
           (array_agg(b.reporting_manager_id order by b.place) filter (where b.fields is null or 'reporting_manager_id' = any(b.fields)))[1] as reporting_manager_id,
           (array_agg(b.employment_type order by b.place) filter (where b.fields is null or 'employment_type' = any(b.fields)))[1] as employment_type,
           (array_agg(b.employment_lifecycle order by b.place) filter (where b.fields is null or 'employment_lifecycle' = any(b.fields) and not e.leaves))[1] as employment_lifecycle,
           (array_agg(b.grade order by b.place) filter (where b.fields is null or 'grade' = any(b.fields)))[1] as grade,
           (array_agg(b.job_title order by b.place) filter (where b.fields is null or 'job_title' = any(b.fields)))[1] as job_title
    from (
      select x.*, case when x.status = 'scheduled' then x.changed_fields end as fields,
             row_number() over (order by x.status = 'scheduled' desc, x.effective_from desc, x.effective_to desc nulls first, x.id desc) as place
      from job_history x
      where x.employee_id = e.employee_id and (x.status in ('past', 'current')
        or x.status = 'scheduled' and (x.effective_from, x.id) <= (e.effective_from, e.id))) as b
  ) as m on e.is_planned
  where e.begins <= e.ends;
$$;

create function note_job_periods() returns trigger
  language plpgsql set search_path from current as $$
declare
  ids bigint[];
begin
  if tg_table_name = 'employees' then
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.joining_date, n.last_working_date, n.employment_lifecycle, n.deleted_at)
      is distinct from (o.joining_date, o.last_working_date, o.employment_lifecycle, o.deleted_at);
  elsif tg_op = 'INSERT' then
    select array_agg(distinct employee_id) into ids from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct employee_id) into ids from old_rows;
  else
    select array_agg(employee_id) into ids
    from (select employee_id from old_rows union select employee_id from new_rows) as touched;
  end if;
  if ids is not null then
    perform settle_job_periods(ids);
  end if;
  return null;
end
$$;

create trigger settle_periods_on_insert after insert on job_history referencing new table as new_rows
  for each statement execute function note_job_periods();
create trigger settle_periods_on_update after update on job_history
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_job_periods();
create trigger settle_periods_on_delete after delete on job_history referencing old table as old_rows
  for each statement execute function note_job_periods();
create trigger settle_periods_on_update after update on employees
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_job_periods();

select settle_job_periods(array(select id from employees));

create index job_periods_department_id_idx on job_periods (department_id, employee_id) include (first_day, last_day);
create index job_periods_entity_id_idx on job_periods (entity_id, employee_id) include (first_day, last_day);
create index job_periods_reporting_manager_id_idx on job_periods (reporting_manager_id) where reporting_manager_id is not null;
create index job_periods_employment_lifecycle_idx on job_periods (employment_lifecycle, employee_id)
  include (first_day, last_day);
create index job_periods_job_title_idx on job_periods (job_title_sort, employee_id) include (first_day, last_day);
create index job_periods_job_title_desc_idx on job_periods (job_title_sort desc nulls last, employee_id desc)
  include (first_day, last_day);
-- titles of other days than today; those of today are words of the person
create index job_periods_title_words_idx on job_periods using gin (array_to_tsvector(search_words(job_title)))
  where last_day < 'infinity' or is_planned;
