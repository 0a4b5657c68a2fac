-- People on probation by name: the list of ends is read in this order without reading the names of all of them.

create index concurrently if not exists employees_on_probation_name_idx
  on employees ((fold(name) collate "C"), id)
  include (entity_id, department_id, probation_end_date)
  where employment_lifecycle = 'probationary' and activity_status = 'active' and deleted_at is null;
