-- The bands of the results, with names and limits, belong to the cycle. Cycles that exist keep A to D from 90, 80 and 60 %.
-- kpi_band(status, percentage) stays for processes of the former release.
alter table kpi_cycles add column bands jsonb not null default
  '{"a": {"name": "A", "from": 90}, "b": {"name": "B", "from": 80}, "c": {"name": "C", "from": 60}, "d": {"name": "D"}}';

-- Half-open bands of a percentage, the highest first.
create function kpi_band(bands jsonb, percentage numeric) returns text language sql immutable as $$
  select case when percentage is null then null
    when percentage >= (bands #>> '{a,from}')::numeric then 'A'
    when percentage >= (bands #>> '{b,from}')::numeric then 'B'
    when percentage >= (bands #>> '{c,from}')::numeric then 'C' else 'D' end
$$;

-- The band of a completed evaluation of a cycle.
create function kpi_band(cycle bigint, status text, percentage numeric) returns text language sql stable as $$
  select case when status = 'completed' and percentage is not null
    then (select kpi_band(c.bands, percentage) from kpi_cycles c where c.id = cycle) end
$$;

-- As before, with the bands of the cycle.
create or replace function count_kpi_evaluations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, kpi_band(cycle_id, status, overall_percentage),
           case when status = 'completed' then performance_flag end, count(*),
           coalesce(sum(overall_percentage) filter (where status = 'completed'), 0)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from (
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(cycle_id, status, overall_percentage) as band,
             case when status = 'completed' then performance_flag end as flag, 1 as evaluations,
             case when status = 'completed' then coalesce(overall_percentage, 0) else 0 end as percentages
      from new_rows
      union all
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(cycle_id, status, overall_percentage),
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
