-- Tasks read the counts by company.
drop index kpi_evaluation_counts_open_idx;
