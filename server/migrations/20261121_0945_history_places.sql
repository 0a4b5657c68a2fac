-- Whether a company or a department may be deleted depends on its past too.
create index job_history_entity_id_idx on job_history (entity_id);
create index job_history_department_id_idx on job_history (department_id);
