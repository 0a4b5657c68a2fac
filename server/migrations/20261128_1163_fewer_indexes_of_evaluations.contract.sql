-- The indexes by which earlier releases order evaluations by due day and by result and look for flags, and that of
-- templates, which no statement asks for: a template in use is in a cycle, and those are looked up first.

drop index kpi_evaluations_due_idx;
drop index kpi_evaluations_due_desc_idx;
drop index kpi_evaluations_cycle_due_idx;
drop index kpi_evaluations_score_idx;
drop index kpi_evaluations_score_desc_idx;
drop index kpi_evaluations_percentage_idx;
drop index kpi_evaluations_percentage_desc_idx;
drop index kpi_evaluations_cycle_score_idx;
drop index kpi_evaluations_flag_idx;
drop index kpi_evaluations_template_idx;
