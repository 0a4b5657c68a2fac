-- The evaluations of one company in the order of their last change: a small one among many is not looked for in the index
-- of all. Departments in the order of their names, by which evaluations and people are listed.

create index concurrently if not exists kpi_evaluations_entity_updated_idx on kpi_evaluations (entity_id, updated_at, id);
create index concurrently if not exists departments_name_sort_idx on departments (name_sort, id);
