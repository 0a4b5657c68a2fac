-- People with the same family name in the order of their first names, and the reverse.

create index concurrently if not exists employees_name_idx on employees (last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index concurrently if not exists employees_given_name_idx on employees (first_name_sort, last_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index concurrently if not exists employees_entity_name_idx
  on employees (entity_id, last_name_sort, first_name_sort, id)
  include (department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index concurrently if not exists employees_department_name_idx
  on employees (department_id, last_name_sort, first_name_sort, id)
  include (entity_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index concurrently if not exists employees_without_sign_in_idx
  on employees (last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where user_id is null and deleted_at is null;
create index concurrently if not exists employees_reports_idx
  on employees (reporting_manager_id, last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, deleted_at);
