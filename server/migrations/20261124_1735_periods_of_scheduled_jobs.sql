-- Reads the rows before a row only for scheduled rows: `on` of a left join is judged after its other side has run. Nothing
-- else changes.
-- Of several rows that begin on one day the last one counts. A scheduled row keeps what it does not change of the rows
-- before it; a leaver is not confirmed. An earlier employment ends with the last day before the rehire, the present one with the last working
-- day, without one with the first day of a row that says that the person has left.
create or replace function settle_job_periods(ids bigint[]) returns void
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
      where e.is_planned and x.employee_id = e.employee_id and (x.status in ('past', 'current')
        or x.status = 'scheduled' and (x.effective_from, x.id) <= (e.effective_from, e.id))) as b
  ) as m on true
  where e.begins <= e.ends;
$$;
