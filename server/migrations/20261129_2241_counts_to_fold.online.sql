-- Finds the counts that were not folded yet.
create index concurrently if not exists kpi_evaluation_counts_new_idx on kpi_evaluation_counts (entity_id)
  where folded is null;
