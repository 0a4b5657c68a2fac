-- Figures of evaluations, kept beside them so that no list, board or report counts rows.

-- How many evaluations of a cycle are in which state and due when. Each change appends its difference; a job folds the
-- differences. percentages: the sum over completed ones that have a result.
create table kpi_evaluation_counts (
  cycle_id bigint not null,
  entity_id bigint not null,
  department_id bigint not null,
  status text not null,
  due_on date,
  band text,
  flag text,
  evaluations bigint not null,
  percentages numeric not null
);
create index kpi_evaluation_counts_idx on kpi_evaluation_counts (cycle_id, department_id);

-- How long evaluations stayed in a step before they moved on, in tenths of a day: enough for a median without reading
-- evaluations. Kept like the counts.
create table kpi_stage_days (
  cycle_id bigint not null,
  entity_id bigint not null,
  status text not null,
  days numeric(6, 1) not null,
  evaluations bigint not null
);
create index kpi_stage_days_idx on kpi_stage_days (cycle_id);

-- Half-open bands of the percentage of a completed evaluation.
create function kpi_band(status text, percentage numeric) returns text language sql immutable as $$
  select case when status <> 'completed' or percentage is null then null
    when percentage >= 90 then 'A' when percentage >= 80 then 'B' when percentage >= 60 then 'C' else 'D' end
$$;

-- The two versions of a changed row are brought together by grouping: a session keeps the plan of its first change, mostly
-- of one row, and a join of thousands would go by that plan, each with each.
create function count_kpi_evaluations() returns trigger language plpgsql as $$
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
create trigger count_on_insert after insert on kpi_evaluations
  referencing new table as new_rows for each statement execute function count_kpi_evaluations();
create trigger count_on_update after update on kpi_evaluations
  referencing old table as old_rows new table as new_rows for each statement execute function count_kpi_evaluations();

create function fold_kpi_evaluation_counts() returns void language sql as $$
  with folded as (delete from kpi_evaluation_counts returning *)
  insert into kpi_evaluation_counts
  select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from folded
  group by 1, 2, 3, 4, 5, 6, 7 having sum(evaluations) <> 0 or sum(percentages) <> 0;
  with folded as (delete from kpi_stage_days returning *)
  insert into kpi_stage_days
  select cycle_id, entity_id, status, days, sum(evaluations) from folded group by 1, 2, 3, 4;
$$;
