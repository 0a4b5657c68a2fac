-- The department to which a person had moved when HR decided that the evaluation stays where it began. A later move to
-- another department is decided anew.
alter table kpi_evaluations add column kept_department_id bigint references departments;
create index kpi_evaluations_kept_department_idx on kpi_evaluations (kept_department_id)
  where kept_department_id is not null;
