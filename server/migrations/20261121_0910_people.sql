-- Companies, departments, people, their history, files and imports.

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
-- a taken employee number is no change of the company
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

create table employees (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint employees_user_id_key unique references users,
  employee_number text not null check (employee_number ~ '^[A-Za-z0-9._/-]{1,20}$'),
  email text not null,
  first_name text not null,
  last_name text not null,
  salutation text,
  middle_name text,
  -- null while the name is simply "first last"; what people see is name
  display_name text,
  entity_id bigint not null references entities,
  department_id bigint not null,
  job_title text,
  reporting_manager_id bigint references employees,
  picture_key text,
  activity_status text not null default 'active' check (activity_status in ('active', 'inactive')),
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
  -- the sign-in address and the person's address are one: a change of the account arrives here by itself
  foreign key (user_id, email) references users (id, email) on update cascade,
  -- nobody sits in a department of another company, also when a department moves
  foreign key (entity_id, department_id) references departments (entity_id, id) on update cascade
);
create unique index employees_employee_number_key on employees (fold(employee_number));
create trigger touch before update on employees for each row execute function touch_row();

alter table departments
  add constraint departments_manager_id_fkey foreign key (manager_id) references employees,
  add constraint departments_team_lead_id_fkey foreign key (team_lead_id) references employees;

-- Who manages what decides what people may see.
create trigger bump_on_update after update of manager_id, team_lead_id, parent_id, entity_id on departments
  for each statement execute function bump_structure_version();
create trigger bump_on_delete after delete on departments
  for each statement execute function bump_structure_version();
create trigger bump_on_insert after insert on departments
  for each row when (new.manager_id is not null or new.team_lead_id is not null or new.parent_id is not null)
  execute function bump_structure_version();

-- Each order the directory offers, with what it filters by at hand, so that a page is read from the index alone.
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
create index employees_department_id_idx on employees (department_id, id)
  include (entity_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_job_title_idx on employees (job_title_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_job_title_desc_idx on employees (job_title_sort desc nulls last, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_activity_status_idx on employees (activity_status, id)
  include (entity_id, department_id, employment_lifecycle) where deleted_at is null;
create index employees_employment_lifecycle_idx on employees (employment_lifecycle, id)
  include (entity_id, department_id, activity_status) where deleted_at is null;
create index employees_joining_date_idx on employees (joining_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_joining_date_desc_idx on employees (joining_date desc nulls last, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_probation_end_date_idx on employees (probation_end_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_probation_end_date_desc_idx on employees (probation_end_date desc nulls last, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_created_at_idx on employees (created_at desc, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_updated_at_idx on employees (updated_at desc, id)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_entity_last_name_idx on employees (entity_id, last_name_sort, id)
  include (department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_department_last_name_idx on employees (department_id, last_name_sort, id)
  include (entity_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_reporting_manager_id_idx on employees (reporting_manager_id, last_name_sort, id);
create index employees_search_idx on employees using gin (search_vector);
create index employees_last_working_date_idx on employees (last_working_date)
  where activity_status = 'active' and last_working_date is not null;
create index employees_deleted_idx on employees (deleted_at, id) where deleted_at is not null;

-- Head counts by company, department and state, so that no list counts rows. Each change appends its difference;
-- a job folds the differences. level: all (no key), entity, department.
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

-- At least one person who may sign in holds Admin, whatever two administrators do at the same moment.
create function has_active_admin() returns boolean language sql stable as $$
  select exists (
    select 1 from role_assignments a
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    join users u on u.id = a.user_id and u.is_enabled
    left join employees e on e.user_id = u.id
    where e.id is null or (e.activity_status = 'active' and e.deleted_at is null))
$$;
create function keep_active_admin() returns trigger language plpgsql as $$
begin
  perform 1 from installation for update;
  if not has_active_admin() then
    raise exception 'the last active administrator' using errcode = 'check_violation', constraint = 'last_active_admin';
  end if;
  return null;
end $$;
create function is_admin_role(role bigint) returns boolean language sql stable as $$
  select exists (select 1 from roles where id = role and is_system and name = 'Admin')
$$;
create trigger keep_admin after delete on role_assignments
  for each row when (is_admin_role(old.role_id)) execute function keep_active_admin();
create function holds_admin(account bigint) returns boolean language sql stable as $$
  select exists (select 1 from role_assignments a where a.user_id = account and is_admin_role(a.role_id))
$$;
create trigger keep_admin after update of activity_status, deleted_at on employees
  for each row when ((new.activity_status, new.deleted_at) is distinct from (old.activity_status, old.deleted_at)
                     and holds_admin(new.user_id)) execute function keep_active_admin();

create table job_history (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  effective_from date not null,
  effective_to date,
  status text not null check (status in ('scheduled', 'current', 'past', 'cancelled', 'failed')),
  changed_fields text[] not null,
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  reporting_manager_id bigint references employees,
  job_title text,
  grade text,
  employment_type text not null,
  employment_lifecycle text not null,
  reason text,
  failure text,
  created_by bigint references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index job_history_employee_idx on job_history (employee_id, effective_from desc, id desc);
create unique index job_history_current_key on job_history (employee_id) where status = 'current';
create index job_history_due_idx on job_history (effective_from) where status = 'scheduled';
create trigger touch before update on job_history for each row execute function touch_row();

-- Every stored file once, so that the sweeper knows what is still referred to.
create table attachments (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  category text not null check (category in ('contract', 'id_document', 'certificate', 'letter', 'other')),
  title text not null,
  visibility text not null default 'hr_only'
    check (visibility in ('hr_only', 'manager', 'employee', 'manager_employee')),
  file_key text not null constraint attachments_file_key_key unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  checksum text not null,
  scan_status text not null default 'not_scanned'
    check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index attachments_employee_idx on attachments (employee_id, created_at desc, id desc);
create trigger touch before update on attachments for each row execute function touch_row();

-- Files whose row was deleted; the blob goes a day later, so that a backup taken meanwhile is complete.
create table removed_files (
  file_key text primary key,
  removed_at timestamptz(3) not null default now()
);

create table imports (
  id bigint generated always as identity primary key,
  type text not null check (type in ('employees', 'kpi_templates')),
  status text not null check (status in
    ('processing', 'needs_mapping', 'preview', 'completed', 'failed', 'undone', 'expired')),
  phase text check (phase in ('checking', 'writing', 'undoing')),
  file_name text not null,
  file_size bigint not null,
  file_hash text not null,
  format text not null check (format in ('csv', 'xlsx')),
  dry_run boolean not null,
  mode text not null check (mode in ('partial', 'atomic')),
  on_conflict text not null check (on_conflict in ('fail', 'update', 'skip')),
  date_format text not null,
  mapping jsonb,
  defaults jsonb not null default '{}',
  create_departments boolean not null,
  columns jsonb not null,
  progress jsonb not null default '{"processed":0,"total":0}',
  counts jsonb not null default '{"total":0,"valid":0,"created":0,"updated":0,"skipped":0,"failed":0,"warnings":0}',
  plan_hash text,
  failure text,
  stale_rows jsonb,
  -- all rows of the file are here
  is_staged boolean not null default false,
  -- the rows a commit writes were compared with what its sender saw
  is_confirmed boolean not null default false,
  -- whoever works on it renews the lease; one that has run out may be taken over
  lease text,
  leased_until timestamptz(3),
  created_departments bigint[] not null default '{}',
  created_by bigint not null references users,
  created_by_name text not null,
  committed_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  undo_until timestamptz(3),
  undone_at timestamptz(3),
  undone_by bigint references users,
  undone_by_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index imports_created_by_idx on imports (created_by, created_at desc, id desc);
create index imports_created_at_idx on imports (created_at desc, id desc);
create unique index imports_running_file_key on imports (type, file_hash) where status = 'processing';
create index imports_leased_until_idx on imports (leased_until) where status = 'processing';
create index imports_expires_at_idx on imports (expires_at) where status in ('needs_mapping', 'preview');
create trigger touch before update on imports for each row execute function touch_row();

create table import_rows (
  import_id bigint not null references imports on delete cascade,
  "row" integer not null,
  status text not null default 'valid'
    check (status in ('valid', 'failed', 'created', 'updated', 'skipped', 'undone')),
  action text not null default 'none' check (action in ('create', 'update', 'skip', 'none')),
  key text,
  subject_id bigint,
  -- the texts of the file in the order of its columns; edits replace them
  cells jsonb,
  -- what a text cannot hold: which cells are formulas, how many stand beyond the last heading
  flaws jsonb,
  errors jsonb not null default '{}',
  warnings jsonb not null default '{}',
  changes jsonb,
  -- tells two plans for the row apart
  digest text not null default '',
  -- what an undo restores, and the revision it must find
  before jsonb,
  edited boolean not null default false,
  primary key (import_id, "row")
);
create index import_rows_status_idx on import_rows (import_id, status, "row");
