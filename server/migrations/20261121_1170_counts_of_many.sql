-- Counts of evaluations that change by thousands at once. The two sides of a row are brought together by grouping: a
-- session keeps the plan of its first change, mostly of one row, and a join of many would go by that plan, each with each.
create or replace function count_kpi_evaluations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage),
           case when status = 'completed' then performance_flag end, count(*),
           coalesce(sum(overall_percentage) filter (where status = 'completed'), 0)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from (
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage) as band,
             case when status = 'completed' then performance_flag end as flag, 1 as evaluations,
             case when status = 'completed' then coalesce(overall_percentage, 0) else 0 end as percentages
      from new_rows
      union all
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage),
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
