-- The orders of evaluations by due day and by result. What has no value comes last in both directions, so that a full index
-- would serve one of them only: these hold the rows with a value and are read from either end. The rows without one are in
-- an index of their own, cycle by cycle in the order of their ids. Each row stands in one of the two.

create index concurrently if not exists kpi_evaluations_due_on_idx on kpi_evaluations (due_on, id)
  where due_on is not null;
create index concurrently if not exists kpi_evaluations_cycle_due_on_idx on kpi_evaluations (cycle_id, due_on, id)
  where due_on is not null;
create index concurrently if not exists kpi_evaluations_no_due_idx on kpi_evaluations (cycle_id, id)
  where due_on is null;
create index concurrently if not exists kpi_evaluations_overall_score_idx on kpi_evaluations (overall_score, id)
  where overall_score is not null;
create index concurrently if not exists kpi_evaluations_overall_percentage_idx
  on kpi_evaluations (overall_percentage, id) where overall_percentage is not null;
create index concurrently if not exists kpi_evaluations_cycle_percentage_idx
  on kpi_evaluations (cycle_id, overall_percentage, id) where overall_percentage is not null;
create index concurrently if not exists kpi_evaluations_no_score_idx on kpi_evaluations (cycle_id, id)
  where overall_score is null or overall_percentage is null;

-- Nearly all flags are the standard one, which an index does not find faster than the list is read.
create index concurrently if not exists kpi_evaluations_rare_flag_idx on kpi_evaluations (performance_flag, id)
  where performance_flag in ('pip', 'hipo');
