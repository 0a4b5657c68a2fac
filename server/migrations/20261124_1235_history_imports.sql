-- Imports of former jobs. Rows keep the history of their person as it was, for an undo.
alter table imports drop constraint imports_type_check;
alter table imports add constraint imports_type_check check (type in ('employees', 'job_history', 'kpi_templates', 'former_results'));
