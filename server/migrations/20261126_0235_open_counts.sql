-- Stored counts give the number of evaluations that wait for HR in a company, by an index of the open ones. Folding
-- rewrites only keys with several rows, so that nothing is written while nothing changes.

create index kpi_evaluation_counts_open_idx on kpi_evaluation_counts (status, entity_id, due_on) include (evaluations)
  where status not in ('completed', 'cancelled');

create or replace function fold_kpi_evaluation_counts() returns void language sql as $$
  with folded as (
    delete from kpi_evaluation_counts where ctid = any(array(
      select unnest(several.rows) from (
        select array_agg(ctid) as rows from kpi_evaluation_counts
        group by cycle_id, entity_id, department_id, status, due_on, band, flag having count(*) > 1) as several))
    returning *
  )
  insert into kpi_evaluation_counts
  select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from folded
  group by 1, 2, 3, 4, 5, 6, 7 having sum(evaluations) <> 0 or sum(percentages) <> 0;
  with folded as (
    delete from kpi_stage_days where ctid = any(array(
      select unnest(several.rows) from (
        select array_agg(ctid) as rows from kpi_stage_days
        group by cycle_id, entity_id, status, days having count(*) > 1) as several))
    returning *
  )
  insert into kpi_stage_days
  select cycle_id, entity_id, status, days, sum(evaluations) from folded group by 1, 2, 3, 4;
$$;

-- Nothing deletes evaluations today; counts that tasks rely on hold even if something does.
create function uncount_kpi_evaluations() returns trigger language plpgsql as $$
begin
  insert into kpi_evaluation_counts
  select cycle_id, entity_id, department_id, status, due_on, kpi_band(cycle_id, status, overall_percentage),
         case when status = 'completed' then performance_flag end, -count(*),
         -coalesce(sum(overall_percentage) filter (where status = 'completed'), 0)
  from old_rows group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create trigger count_on_delete after delete on kpi_evaluations
  referencing old table as old_rows for each statement execute function uncount_kpi_evaluations();
