-- An import gives thousands of people one instant; read upwards, ties by id, they come from these without sorting.
create index employees_created_at_up_idx on employees (created_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_updated_at_up_idx on employees (updated_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
