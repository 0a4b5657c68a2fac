-- Orders of the lists of evaluations. Ties go in the direction of the order, so that an index without empty values
-- serves both directions; with empty ones, which always come last, each direction has its own.
drop index kpi_evaluations_updated_idx, kpi_evaluations_cycle_updated_idx;
create index kpi_evaluations_updated_idx on kpi_evaluations (updated_at, id);
create index kpi_evaluations_cycle_updated_idx on kpi_evaluations (cycle_id, updated_at, id);
create index kpi_evaluations_created_idx on kpi_evaluations (created_at, id);
create index kpi_evaluations_person_idx on kpi_evaluations (person_sort, id);
create index kpi_evaluations_status_idx on kpi_evaluations (status, id);
create index kpi_evaluations_due_idx on kpi_evaluations (due_on, id);
create index kpi_evaluations_due_desc_idx on kpi_evaluations (due_on desc nulls last, id desc);
create index kpi_evaluations_percentage_idx on kpi_evaluations (overall_percentage, id);
create index kpi_evaluations_percentage_desc_idx on kpi_evaluations (overall_percentage desc nulls last, id desc);
create index kpi_evaluations_score_idx on kpi_evaluations (overall_score, id);
create index kpi_evaluations_score_desc_idx on kpi_evaluations (overall_score desc nulls last, id desc);
create index kpi_evaluations_flag_idx on kpi_evaluations (performance_flag, id) where performance_flag is not null;
