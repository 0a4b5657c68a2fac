-- The actual value that HR corrected when a dispute was resolved; that of the reviewer stays beside it.
alter table kpi_evaluation_items add column final_actual_value numeric(14, 2);
