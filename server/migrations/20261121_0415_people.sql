-- Companies, departments and people.

create table entities (
  id bigint generated always as identity primary key,
  name text not null,
  code text not null check (code ~ '^[A-Z0-9]{2,10}$'),
  status text not null default 'active' check (status in ('active', 'inactive')),
  description text,
  registration_number text,
  tax_number text,
  address text,
  country text,
  timezone text not null default 'UTC',
  probation_months integer not null default 3 check (probation_months between 0 and 24),
  probation_lead_days integer not null default 30 check (probation_lead_days between 1 and 180),
  probation_max_extensions integer not null default 1 check (probation_max_extensions between 0 and 5),
  last_employee_number bigint not null default 0,
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index entities_name_key on entities (fold(name));
create unique index entities_code_key on entities (code);
-- the next employee number is no change of the company
create trigger touch before update on entities for each row
  when (old.last_employee_number = new.last_employee_number) execute function touch_row();

create table departments (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities,
  name text not null,
  code text,
  parent_id bigint,
  status text not null default 'active' check (status in ('active', 'inactive')),
  manager_id bigint,
  team_lead_id bigint,
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  unique (entity_id, id),
  check (parent_id <> id),
  check (manager_id <> team_lead_id),
  foreign key (entity_id, parent_id) references departments (entity_id, id) on update cascade
);
create unique index departments_name_key on departments (entity_id, fold(name));
create unique index departments_code_key on departments (entity_id, fold(code));
create index departments_parent_id_idx on departments (parent_id);
create index departments_manager_id_idx on departments (manager_id);
create index departments_team_lead_id_idx on departments (team_lead_id);
create trigger touch before update on departments for each row execute function touch_row();

-- Who heads what decides what people may see.
create trigger bump_on_update after update of manager_id, team_lead_id, parent_id, entity_id on departments
  for each statement execute function bump_structure_version();
create trigger bump_on_delete after delete on departments
  for each statement execute function bump_structure_version();
create trigger bump_on_insert after insert on departments
  for each row when (new.manager_id is not null or new.team_lead_id is not null or new.parent_id is not null)
  execute function bump_structure_version();

create table employees (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint employees_user_id_key unique,
  employee_number text not null check (employee_number ~ '^[A-Za-z0-9._/-]{1,20}$'),
  email text not null,
  first_name text not null,
  last_name text not null,
  salutation text,
  middle_name text,
  -- null while the name is simply "first last"; the name to show is in name
  display_name text,
  entity_id bigint not null,
  department_id bigint not null,
  job_title text,
  reporting_manager_id bigint references employees,
  picture_key text,
  activity_status text not null default 'active' check (activity_status in ('active', 'joining', 'inactive')),
  -- signs in before the first day
  early_access boolean not null default false,
  employment_lifecycle text not null
    check (employment_lifecycle in ('probationary', 'confirmed', 'resigned', 'terminated')),
  grade text,
  employment_type text not null default 'full_time'
    check (employment_type in ('full_time', 'part_time', 'contract', 'intern', 'consultant')),
  phone text,
  joining_date date,
  probation_start_date date,
  probation_end_date date,
  confirmation_date date,
  extension_count integer not null default 0,
  notice_date date,
  last_working_date date,
  -- the lifecycle to return to when a separation is withdrawn
  lifecycle_before_separation text,
  date_of_birth date,
  gender text check (gender in ('male', 'female', 'other')),
  marital_status text check (marital_status in ('single', 'married', 'divorced', 'widowed')),
  nationality text,
  separation_reason text,
  personal_email text,
  mobile text,
  address jsonb,
  emergency_contact jsonb,
  bank jsonb,
  deleted_at timestamptz(3),
  name text generated always as (coalesce(display_name, first_name || ' ' || last_name)) stored,
  last_name_sort text collate "C" generated always as (fold(last_name)) stored,
  first_name_sort text collate "C" generated always as (fold(first_name)) stored,
  job_title_sort text collate "C" generated always as (fold(job_title)) stored,
  employee_number_sort text collate "C" generated always as (fold(employee_number)) stored,
  search_vector tsvector generated always as (array_to_tsvector(search_words(
    first_name || ' ' || coalesce(middle_name, '') || ' ' || last_name || ' ' || coalesce(display_name, '')
    || ' ' || email || ' ' || employee_number))) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (reporting_manager_id <> id),
  check (probation_end_date > probation_start_date),
  check (last_working_date >= notice_date),
  constraint employees_early_access_check check (not (early_access and activity_status = 'active')),
  -- the address of the account and of the person are one: a change of the account arrives here by itself
  foreign key (user_id, email) references users (id, email) on update cascade,
  -- no person is in a department of another company, even after a department moves
  foreign key (entity_id, department_id) references departments (entity_id, id) on update cascade
);
create trigger touch before update on employees for each row execute function touch_row();

alter table departments
  add constraint departments_manager_id_fkey foreign key (manager_id) references employees,
  add constraint departments_team_lead_id_fkey foreign key (team_lead_id) references employees;

create unique index employees_employee_number_key on employees (fold(employee_number));
create index employees_search_idx on employees using gin (search_vector);
create index employees_reporting_manager_id_idx on employees (reporting_manager_id, last_name_sort, id);
create index employees_deleted_idx on employees (deleted_at, id) where deleted_at is not null;

-- Each order that the directory offers, with the columns of its filters, so that a page is read from the index alone.
-- Ties are decided by the id in the direction of the order, so that one index serves both directions; only where empty
-- values come last both ways has each direction its own. An import gives thousands of people one instant: such ties come
-- from the index too.
create index employees_last_name_idx on employees (last_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_first_name_idx on employees (first_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_employee_number_idx on employees (employee_number_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_email_idx on employees (email collate "C", id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_entity_id_idx on employees (entity_id, id)
  include (department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_entity_last_name_idx on employees (entity_id, last_name_sort, id)
  include (department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_department_id_idx on employees (department_id, id)
  include (entity_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_department_last_name_idx on employees (department_id, last_name_sort, id)
  include (entity_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_job_title_idx on employees (job_title_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_job_title_desc_idx on employees (job_title_sort desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_activity_status_idx on employees (activity_status, id)
  include (entity_id, department_id, employment_lifecycle) where deleted_at is null;
create index employees_employment_lifecycle_idx on employees (employment_lifecycle, id)
  include (entity_id, department_id, activity_status) where deleted_at is null;
create index employees_joining_date_idx on employees (joining_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_joining_date_desc_idx on employees (joining_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_probation_end_date_idx on employees (probation_end_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_probation_end_date_desc_idx on employees (probation_end_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_created_at_idx on employees (created_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_updated_at_idx on employees (updated_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;

-- What daily jobs, tasks, dashboard and reports look for.
create index employees_joining_idx on employees (joining_date) where activity_status = 'joining';
create index employees_last_working_date_idx on employees (last_working_date)
  where activity_status <> 'inactive' and last_working_date is not null;
create index employees_leavers_idx on employees (entity_id, id) include (department_id, last_working_date)
  where employment_lifecycle in ('resigned', 'terminated') and deleted_at is null;
create index employees_left_idx on employees (last_working_date, id) include (entity_id, department_id)
  where employment_lifecycle in ('resigned', 'terminated') and deleted_at is null;
create index employees_on_probation_idx on employees (entity_id, probation_end_date, id) include (department_id)
  where employment_lifecycle = 'probationary' and activity_status = 'active' and deleted_at is null;
-- kinds of employment other than the usual one
create index employees_employment_type_idx on employees (employment_type, id) include (entity_id, department_id)
  where employment_type <> 'full_time' and activity_status = 'active' and deleted_at is null;
-- the sweeper of the file store asks which files are still referred to
create index employees_picture_key_idx on employees (picture_key) where picture_key is not null;

-- Head counts by company, department and state, so that no list counts rows. Each change appends its difference; a job
-- folds the differences. level: all (no key), entity, department.
create table employee_counts (
  level text not null check (level in ('all', 'entity', 'department')),
  key_id bigint not null,
  activity_status text not null,
  employment_lifecycle text not null,
  people bigint not null
);
create index employee_counts_idx on employee_counts (level, key_id, activity_status, employment_lifecycle)
  include (people);

create function count_employees() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into employee_counts (level, key_id, activity_status, employment_lifecycle, people)
    select level, key_id, activity_status, employment_lifecycle, count(*) from (
      select level, key_id, activity_status, employment_lifecycle
      from new_rows, lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
      where deleted_at is null) as added
    group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into employee_counts (level, key_id, activity_status, employment_lifecycle, people)
    select level, key_id, activity_status, employment_lifecycle, -count(*) from (
      select level, key_id, activity_status, employment_lifecycle
      from old_rows, lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
      where deleted_at is null) as removed
    group by 1, 2, 3, 4;
  else
    insert into employee_counts (level, key_id, activity_status, employment_lifecycle, people)
    select level, key_id, activity_status, employment_lifecycle, sum(people) from (
      select level, key_id, activity_status, employment_lifecycle, 1 as people
      from new_rows, lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
      where deleted_at is null
      union all
      select level, key_id, activity_status, employment_lifecycle, -1
      from old_rows, lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
      where deleted_at is null) as moved
    group by 1, 2, 3, 4
    having sum(people) <> 0;
  end if;
  return null;
end $$;
create trigger count_on_insert after insert on employees
  referencing new table as new_rows for each statement execute function count_employees();
create trigger count_on_update after update on employees
  referencing old table as old_rows new table as new_rows for each statement execute function count_employees();
create trigger count_on_delete after delete on employees
  referencing old table as old_rows for each statement execute function count_employees();

-- Folds the differences into one row per key; safe beside writers, because it only touches rows it can see.
create function fold_employee_counts() returns void language sql as $$
  with folded as (delete from employee_counts returning *)
  insert into employee_counts (level, key_id, activity_status, employment_lifecycle, people)
  select level, key_id, activity_status, employment_lifecycle, sum(people) from folded
  group by 1, 2, 3, 4 having sum(people) <> 0
$$;
