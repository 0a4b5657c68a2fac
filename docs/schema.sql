-- The tables of Tenure by area, with their keys, indexes and triggers, as the migrations leave them.
-- Made by npm run generate; why each is as it is stands in server/migrations, where the functions are too.

-- What every area uses: how texts are compared, how rows keep their revision, the installation itself.

create table installation (
  id boolean not null default true primary key check (id),
  structure_version bigint not null default 1,
  global_epoch integer not null default 1,
  is_demo boolean not null default false,
  created_at timestamptz(3) not null default now(),
  store_id uuid,
  store_marked boolean not null default false,
  second_factor_decided_at timestamptz(3),
  passkey_host text,
  break_glass_revision integer not null default 1
);
create trigger announce_end after update of global_epoch on installation
  for each row when (old.global_epoch <> new.global_epoch)
  execute function announce_sessions('everybody');

-- Accounts: how people sign in, the sessions they have, links for a new password, and limits against guessing.

create table users (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  address_set_by bigint,
  password_hash text,
  password_expires_at timestamptz(3),
  one_time_password boolean not null default false,
  must_change_password boolean not null default false,
  password_issued_by bigint,
  is_enabled boolean not null default true,
  session_epoch integer not null default 1,
  access_version bigint not null default 1,
  roles jsonb not null default '[]',
  is_admin boolean not null default false,
  locale text not null default 'en',
  preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object'),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  break_glass boolean not null default false,
  address_changed_at timestamptz(3),
  must_enrol boolean not null default false,
  webauthn_id bytea,
  password_sign_in boolean not null default true,
  account_kind text not null default 'person' check (account_kind in ('person', 'service')),
  token_epoch integer not null default 1,
  password_unused boolean not null default false,
  locale_chosen boolean not null default false,
  constraint users_id_email_key unique (id, email),
  constraint users_service_check check (account_kind = 'person' or password_hash is null and not is_admin and not break_glass)
);
create index users_admin_idx on users (id) where is_admin;
create index users_break_glass_idx on users (id) where break_glass;
create unique index users_email_folded_key on users (fold_email(email));
create index users_shown_birthday_idx on users (id) where (preferences ->> 'birthday') = 'shown';
create trigger announce_end after update of session_epoch, is_enabled on users
  for each row when (old.session_epoch <> new.session_epoch or old.is_enabled and not new.is_enabled)
  execute function announce_sessions('id');
create trigger count_break_glass after update on users
  for each row when (old.break_glass is distinct from new.break_glass)
  execute function count_break_glass();
create trigger end_break_glass before update of is_admin on users
  for each row when (old.is_admin and not new.is_admin and new.break_glass)
  execute function end_break_glass();
create trigger end_role_views after update of is_admin on users
  for each row when (old.is_admin and not new.is_admin)
  execute function end_role_views();
create trigger end_tokens before update of is_enabled on users
  for each row when (old.is_enabled and not new.is_enabled)
  execute function end_tokens();
create trigger free_emergency_account after update of break_glass on users
  for each row when (new.break_glass and not old.break_glass)
  execute function free_emergency_account();
create trigger keep_admin after update of is_enabled on users
  for each row when (old.is_enabled and not new.is_enabled and holds_admin(new.id))
  execute function keep_active_admin();
create trigger note_address_change before update of email on users
  for each row when (old.email <> new.email)
  execute function note_address_change();
create trigger settle_reviewer after update of is_enabled on users
  for each row when (old.is_enabled <> new.is_enabled)
  execute function settle_reviewer_account();
create trigger void_links after update of password_hash, email, is_enabled on users
  for each row when (old.password_hash is distinct from new.password_hash or old.email <> new.email or old.is_enabled and not new.is_enabled)
  execute function void_account_links('id');
create trigger void_own_links after update of password_hash, email, is_enabled on users
  for each row when (old.password_hash is distinct from new.password_hash or old.email <> new.email or old.is_enabled and not new.is_enabled)
  execute function void_own_account_links('id');

create table session_register (
  id bigint generated always as identity primary key,
  sid_hash text not null unique,
  user_id bigint not null references users on delete cascade,
  epoch integer not null,
  global_epoch integer not null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  reason text,
  ip text,
  other_ips text[] not null default '{}',
  user_agent text check (length(user_agent) <= 255),
  device text,
  viewed_role_id bigint references roles on delete set null,
  viewed_entity_ids bigint[] check (cardinality(viewed_entity_ids) > 0),
  viewing_until timestamptz(3),
  method text not null default 'password' check (method in ('password', 'passkey', 'sso')) not valid,
  factors smallint not null default 1 check (factors in (1, 2)) not valid,
  enrol_only boolean not null default false,
  provider_id bigint,
  sso_sid text,
  proved_at timestamptz(3) default now(),
  authenticator_id bigint,
  let_in_by_id bigint,
  check (viewed_role_id is null or viewing_until is not null),
  constraint session_register_provider_check check ((method = 'sso') = (provider_id is not null)) not valid
);
create index session_register_account_idx on session_register (user_id);
create index session_register_ended_idx on session_register (expires_at);
create index session_register_provider_idx on session_register (provider_id, sso_sid)
  where provider_id is not null and revoked_at is null;
create index session_register_user_id_idx on session_register (user_id) where revoked_at is null;
create index session_register_viewed_role_id_idx on session_register (viewed_role_id)
  where viewed_role_id is not null;
create trigger announce_end after update of revoked_at on session_register
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function announce_sessions('user_id');
create trigger await_move before insert or update of user_id on session_register
  for each row
  execute function await_move();
create trigger guard_password_sign_in before insert on session_register
  for each row when (new.method = 'password')
  execute function guard_password_sign_in();
create trigger guard_service_account before insert or update of user_id on session_register
  for each row
  execute function guard_service_session();
create trigger guard_session before insert or update of user_id, method, factors, enrol_only, provider_id on session_register
  for each row
  execute function guard_session();
create trigger limit_session before insert on session_register for each row execute function limit_session();
create trigger note_let_in before insert on session_register
  for each row when (new.let_in_by_id is null)
  execute function note_let_in();

create table login_attempts (
  key text primary key,
  window_start timestamptz(3) not null default now(),
  attempts integer not null default 0,
  failed integer not null default 0,
  last_attempt_at timestamptz(3) not null default now()
);
create index login_attempts_last_idx on login_attempts (last_attempt_at);

create table known_origins (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('network', 'device')),
  key text not null check (length(key) = 64),
  last_at timestamptz(3) not null default now(),
  primary key (user_id, kind, key)
);
create index known_origins_last_idx on known_origins (last_at);

create table account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'invitation')),
  token_hash text unique,
  email text not null,
  created_by bigint references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index account_links_created_by_idx on account_links (created_by);
create index account_links_expires_at_idx on account_links (expires_at);
create unique index account_links_open_key on account_links (user_id, purpose)
  where used_at is null and revoked_at is null;

create table idempotency_keys (
  user_id bigint not null references users on delete cascade,
  key text not null check (length(key) >= 1 and length(key) <= 255),
  method text not null,
  path text not null,
  body_hash text not null,
  status smallint,
  body text,
  sight text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);

-- Roles, what they permit, and who holds them.

create table roles (
  id bigint generated always as identity primary key,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  description text,
  scope text not null check (scope in ('own', 'managed', 'all')),
  is_system boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  managed_depth text not null default 'direct' check (managed_depth in ('direct', 'tree')),
  second_factor_from date,
  check (managed_depth = 'direct' or scope = 'managed')
);
create unique index roles_name_key on roles (fold(name));
create trigger bump after update of name, scope on roles for each statement execute function bump_structure_version();
create trigger bump_on_depth after update of managed_depth on roles
  for each statement
  execute function bump_structure_version();
create trigger bump_on_second_factor after update of second_factor_from on roles
  for each statement
  execute function bump_structure_version();
create trigger settle_name after update of name on roles
  for each row when (new.name <> old.name)
  execute function settle_role_name();
create trigger touch before update on roles for each row execute function touch_row();

create table role_permissions (
  role_id bigint not null references roles on delete cascade,
  permission text not null,
  primary key (role_id, permission)
);
create trigger bump after insert or delete or update on role_permissions
  for each statement
  execute function bump_structure_version();
create trigger settle_reviewers_on_delete after delete on role_permissions referencing old table as changed_rows
  for each statement
  execute function settle_reviewers_of_permissions();
create trigger settle_reviewers_on_insert after insert on role_permissions referencing new table as changed_rows
  for each statement
  execute function settle_reviewers_of_permissions();

create table known_permissions (
  name text primary key
);

create table role_assignments (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles,
  entity_ids bigint[],
  department_ids bigint[] check (cardinality(department_ids) > 0),
  source text not null default 'manual',
  provider_id bigint,
  scim_connection_id bigint,
  primary key (user_id, role_id),
  constraint role_assignments_link_fkey foreign key (user_id, provider_id) references user_identities(user_id, provider_id) on delete cascade,
  constraint role_assignments_scim_fkey foreign key (user_id, scim_connection_id) references scim_users(user_id, connection_id) on delete cascade,
  constraint role_assignments_limits_check check (
case
    when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
    else entity_ids is not null
end),
  constraint role_assignments_rule_check check (provider_id is null or scim_connection_id is null),
  constraint role_assignments_source_check check (
case source
    when 'manual' then provider_id is null
    when 'provider' then provider_id is not null
    else false
end)
);
create index role_assignments_connection_idx on role_assignments (scim_connection_id, user_id)
  where scim_connection_id is not null;
create index role_assignments_in_departments_idx on role_assignments (user_id)
  where department_ids is not null;
create index role_assignments_provider_idx on role_assignments (provider_id, user_id)
  where provider_id is not null;
create index role_assignments_role_id_idx on role_assignments (role_id);
create trigger bump_on_delete after delete on role_assignments referencing old table as old_rows
  for each statement
  execute function bump_access_version();
create trigger bump_on_insert after insert on role_assignments referencing new table as new_rows
  for each statement
  execute function bump_access_version();
create trigger bump_on_update after update on role_assignments referencing old table as old_rows new table as new_rows
  for each statement
  execute function bump_access_version();
create trigger keep_admin after delete on role_assignments
  for each row when (is_admin_role(old.role_id))
  execute function keep_active_admin();
create trigger note_lost_role after delete on role_assignments referencing old table as old_rows
  for each statement
  execute function note_lost_role();
create trigger note_new_role after insert on role_assignments referencing new table as new_rows
  for each statement
  execute function note_new_role();
create trigger settle_reviewers_on_delete after delete on role_assignments referencing old table as changed_rows
  for each statement
  execute function settle_reviewers_of_roles();
create trigger settle_reviewers_on_insert after insert on role_assignments referencing new table as changed_rows
  for each statement
  execute function settle_reviewers_of_roles();
create trigger touch_holders_on_delete after delete on role_assignments referencing old table as old_rows
  for each statement
  execute function touch_holders();
create trigger touch_holders_on_insert after insert on role_assignments referencing new table as new_rows
  for each statement
  execute function touch_holders();
create trigger touch_holders_on_update after update on role_assignments referencing new table as new_rows
  for each statement
  execute function touch_holders();

create table former_roles (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles on delete cascade,
  entity_ids bigint[],
  taken_at timestamptz(3) not null default now(),
  department_ids bigint[] check (cardinality(department_ids) > 0),
  primary key (user_id, role_id),
  constraint former_roles_limits_check check (
case
    when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
    else entity_ids is not null
end)
);
create index former_roles_role_id_idx on former_roles (role_id);

create table accounts_without_role (
  user_id bigint primary key references users on delete cascade
);

-- The audit log: what was changed by whom, append-only, chained so that tampering shows, searched by index.

create table audit_log (
  id bigint generated always as identity,
  at timestamptz(3) not null default now(),
  actor_id bigint,
  actor_name text not null,
  action text not null,
  subject_type text not null,
  subject_id bigint,
  subject_label text,
  entity_id bigint,
  about_employee_id bigint,
  changes jsonb not null default '{}',
  reason text,
  request_id text,
  ip text,
  transaction xid8 not null default pg_current_xact_id(),
  token_id bigint,
  primary key (id, at)
) partition by range (at);
create index audit_log_about_idx on only audit_log (about_employee_id) where about_employee_id is not null;
create index audit_log_action_idx on only audit_log (action, at desc);
create index audit_log_actor_idx on only audit_log (actor_id, at desc);
create index audit_log_at_idx on only audit_log (at desc, id desc);
create index audit_log_entity_idx on only audit_log (entity_id, at desc);
create index audit_log_request_idx on only audit_log (request_id) where request_id is not null;
create index audit_log_search_idx on only audit_log using gin (audit_words(subject_label, action));
create index audit_log_subject_idx on only audit_log (subject_type, subject_id, at desc);
create index audit_log_transaction_idx on only audit_log (transaction, id);
create trigger append_only before delete or update on audit_log for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_log for each statement execute function refuse_change();

create table audit_chain (
  "position" bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger append_only before delete or update on audit_chain for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_chain for each statement execute function refuse_change();

create table audit_chain_reached (
  id boolean not null default true primary key check (id),
  transaction xid8 not null default '0'
);

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
  probation_months integer not null default 3 check (probation_months >= 0 and probation_months <= 24),
  probation_lead_days integer not null default 30 check (probation_lead_days >= 1 and probation_lead_days <= 180),
  probation_max_extensions integer not null default 1 check (probation_max_extensions >= 0 and probation_max_extensions <= 5),
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  probation_day_30_review boolean not null default false,
  probation_midpoint_review boolean not null default false,
  kpi_band_a_name text not null default 'A',
  kpi_band_a_from integer not null default 90 check (kpi_band_a_from >= 1 and kpi_band_a_from <= 100),
  kpi_band_b_name text not null default 'B',
  kpi_band_b_from integer not null default 80 check (kpi_band_b_from >= 1 and kpi_band_b_from <= 100),
  kpi_band_c_name text not null default 'C',
  kpi_band_c_from integer not null default 60 check (kpi_band_c_from >= 1 and kpi_band_c_from <= 100),
  kpi_band_d_name text not null default 'D',
  locale text not null default 'en',
  constraint entities_kpi_band_b_limit check (kpi_band_b_from < kpi_band_a_from),
  constraint entities_kpi_band_c_limit check (kpi_band_c_from < kpi_band_b_from),
  constraint entities_kpi_band_names check ((fold(kpi_band_a_name) not in (fold(kpi_band_b_name), fold(kpi_band_c_name), fold(kpi_band_d_name))) and (fold(kpi_band_b_name) not in (fold(kpi_band_c_name), fold(kpi_band_d_name))) and fold(kpi_band_c_name) <> fold(kpi_band_d_name))
);
create unique index entities_code_key on entities (code);
create unique index entities_name_key on entities (fold(name));
create trigger add_brands after insert on entities referencing new table as added
  for each statement
  execute function add_brands();
create trigger touch before update on entities for each row execute function touch_row();

create table departments (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities,
  name text not null,
  code text,
  parent_id bigint,
  status text not null default 'active' check (status in ('active', 'inactive')),
  manager_id bigint references employees,
  team_lead_id bigint references employees,
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  unique (entity_id, id),
  foreign key (entity_id, parent_id) references departments(entity_id, id) on update cascade,
  check (parent_id <> id),
  check (manager_id <> team_lead_id)
);
create unique index departments_code_key on departments (entity_id, fold(code));
create index departments_manager_id_idx on departments (manager_id);
create unique index departments_name_key on departments (entity_id, fold(name));
create index departments_name_sort_idx on departments (name_sort, id);
create index departments_parent_id_idx on departments (parent_id);
create index departments_team_lead_id_idx on departments (team_lead_id);
create trigger bump_on_delete after delete on departments for each statement execute function bump_structure_version();
create trigger bump_on_insert after insert on departments
  for each row when (new.manager_id is not null or new.team_lead_id is not null or new.parent_id is not null)
  execute function bump_structure_version();
create trigger bump_on_update after update of manager_id, team_lead_id, parent_id, entity_id on departments
  for each statement
  execute function bump_structure_version();
create trigger note_heads_on_insert after insert on departments
  for each row when (coalesce(new.manager_id, new.team_lead_id) is not null)
  execute function note_heads();
create trigger note_heads_on_update after update of manager_id, team_lead_id on departments
  for each row when (new.manager_id is distinct from old.manager_id or new.team_lead_id is distinct from old.team_lead_id)
  execute function note_heads();
create trigger touch before update on departments for each row execute function touch_row();

create table employees (
  id bigint generated always as identity primary key,
  user_id bigint unique,
  employee_number text not null check (employee_number ~ '^[A-Za-z0-9._/-]{1,20}$'),
  email text,
  first_name text not null,
  last_name text not null,
  salutation text,
  middle_name text,
  display_name text,
  entity_id bigint not null,
  department_id bigint not null,
  job_title text,
  reporting_manager_id bigint references employees,
  picture_key text,
  activity_status text not null default 'active' check (activity_status in ('active', 'joining', 'inactive')),
  early_access boolean not null default false,
  employment_lifecycle text not null check (employment_lifecycle in ('probationary', 'confirmed', 'resigned', 'terminated')),
  grade text,
  employment_type text not null default 'full_time' check (employment_type in ('full_time', 'part_time', 'contract', 'intern', 'consultant')),
  phone text,
  joining_date date,
  probation_start_date date,
  probation_end_date date,
  confirmation_date date,
  extension_count integer not null default 0,
  notice_date date,
  last_working_date date,
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
  name text generated always as (coalesce(display_name, ((first_name || ' ') || last_name))) stored,
  last_name_sort text collate "C" generated always as (fold(last_name)) stored,
  first_name_sort text collate "C" generated always as (fold(first_name)) stored,
  job_title_sort text collate "C" generated always as (fold(job_title)) stored,
  employee_number_sort text collate "C" generated always as (fold(employee_number)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  probation_end_entered_at timestamptz(3),
  probation_paused_from date,
  probation_resumed_on date,
  search_vector tsvector generated always as (array_to_tsvector(search_words(((((((((((((first_name || ' ') || coalesce(middle_name, '')) || ' ') || last_name) || ' ') || coalesce(display_name, '')) || ' ') || coalesce(email, '')) || ' ') || employee_number) || ' ') || coalesce(job_title, ''))))) stored,
  search_text text generated always as (fold(((((((((((first_name || ' ') || coalesce(middle_name, '')) || ' ') || last_name) || ' ') || coalesce(display_name, '')) || ' ') || employee_number) || ' ') || split_part(coalesce(email, ''), '@', 1)))) stored,
  probation_pauses datemultirange not null default '{}'::datemultirange,
  constraint employees_entity_id_department_id_fkey foreign key (entity_id, department_id) references departments(entity_id, id) on update cascade,
  constraint employees_user_id_email_fkey foreign key (user_id, email) references users(id, email) on update cascade,
  constraint employees_account_check check ((user_id is null) = (email is null)),
  check (reporting_manager_id <> id),
  check (probation_end_date > probation_start_date),
  check (last_working_date >= notice_date),
  constraint employees_early_access_check check (not (early_access and activity_status = 'active'))
);
create index employees_activity_status_idx on employees (activity_status, id)
  include (entity_id, department_id, employment_lifecycle)
  where deleted_at is null;
create index employees_card_name_idx on employees (fold(name) collate "C", id)
  where activity_status = 'active' and deleted_at is null;
create index employees_card_words_idx on employees using gin (array_to_tsvector(search_words((((name || ' ') || coalesce(email, '')) || ' ') || coalesce(job_title, '')))) with (gin_pending_list_limit='256')
  where activity_status = 'active' and deleted_at is null;
create index employees_created_at_idx on employees (created_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_deleted_idx on employees (deleted_at, id) where deleted_at is not null;
create index employees_department_id_idx on employees (department_id, id)
  include (entity_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_department_name_idx on employees (department_id, last_name_sort, first_name_sort, id)
  include (entity_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_display_name_shape_idx on employees (name_shape(display_name))
  where activity_status = 'active' and deleted_at is null and display_name is not null;
create index employees_email_desc_idx on employees (email collate "C" desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_email_idx on employees (email collate "C", id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_employee_number_idx on employees (employee_number_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create unique index employees_employee_number_key on employees (fold(employee_number));
create index employees_employment_lifecycle_idx on employees (employment_lifecycle, id)
  include (entity_id, department_id, activity_status)
  where deleted_at is null;
create index employees_entity_id_idx on employees (entity_id, id)
  include (department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_entity_name_idx on employees (entity_id, last_name_sort, first_name_sort, id)
  include (department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_full_name_shape_idx on employees (name_shape((first_name || ' ') || last_name))
  where activity_status = 'active' and deleted_at is null;
create index employees_given_name_idx on employees (first_name_sort, last_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_job_title_desc_idx on employees (job_title_sort desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_job_title_idx on employees (job_title_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_joining_date_desc_idx on employees (joining_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_joining_date_idx on employees (joining_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_joining_idx on employees (joining_date) where activity_status = 'joining';
create index employees_last_working_date_idx on employees (last_working_date)
  where activity_status <> 'inactive' and last_working_date is not null;
create index employees_leavers_idx on employees (entity_id, id)
  include (department_id, last_working_date)
  where (employment_lifecycle in ('resigned', 'terminated')) and deleted_at is null;
create index employees_left_idx on employees (last_working_date, id)
  include (entity_id, department_id)
  where (employment_lifecycle in ('resigned', 'terminated')) and deleted_at is null;
create index employees_name_idx on employees (last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_never_came_idx on employees (joining_date)
  where (employment_lifecycle in ('resigned', 'terminated')) and coalesce(last_working_date < joining_date, false) and deleted_at is null;
create index employees_on_probation_idx on employees (entity_id, probation_end_date, id)
  include (department_id, probation_paused_from)
  where employment_lifecycle = 'probationary' and activity_status = 'active' and deleted_at is null;
create index employees_on_probation_name_idx on employees (fold(name) collate "C", id)
  include (entity_id, department_id, probation_end_date)
  where employment_lifecycle = 'probationary' and activity_status = 'active' and deleted_at is null;
create index employees_picture_key_idx on employees (picture_key) where picture_key is not null;
create index employees_probation_end_date_desc_idx on employees (probation_end_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_probation_end_date_idx on employees (probation_end_date, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_recent_start_idx on employees (entity_id, joining_date)
  include (employment_type)
  where activity_status = 'active' and deleted_at is null;
create index employees_reports_idx on employees (reporting_manager_id, last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, deleted_at);
create index employees_search_idx on employees using gin (search_vector) with (gin_pending_list_limit='256');
create index employees_search_text_idx on employees using gin (search_text gin_trgm_ops) with (gin_pending_list_limit='256');
create index employees_start_of_year_idx on employees (entity_id, month_day(joining_date))
  where activity_status = 'active' and deleted_at is null;
create index employees_updated_at_idx on employees (updated_at, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
create index employees_without_sign_in_idx on employees (last_name_sort, first_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where user_id is null and deleted_at is null;
create trigger announce_end after update on employees
  for each row when ((new.activity_status is distinct from old.activity_status or new.early_access is distinct from old.early_access or new.deleted_at is distinct from old.deleted_at) and new.user_id is not null)
  execute function announce_sessions('user_id');
create trigger count_on_delete after delete on employees referencing old table as old_rows
  for each statement
  execute function count_employees();
create trigger count_on_insert after insert on employees referencing new table as new_rows
  for each statement
  execute function count_employees();
create trigger count_on_update after update on employees referencing old table as old_rows new table as new_rows
  for each statement
  execute function count_employees();
create trigger count_tenure_on_delete after delete on employees referencing old table as old_rows
  for each statement
  execute function count_tenure();
create trigger count_tenure_on_insert after insert on employees referencing new table as new_rows
  for each statement
  execute function count_tenure();
create trigger count_tenure_on_update after update on employees referencing old table as old_rows new table as new_rows
  for each statement
  execute function count_tenure();
create trigger employees_probation_end_changed before update of probation_end_date on employees
  for each row when (new.probation_end_date is distinct from old.probation_end_date)
  execute function note_probation_end();
create trigger employees_probation_end_inserted before insert on employees
  for each row when (new.probation_end_date is not null)
  execute function note_probation_end();
create trigger end_other_ways after update of entity_id, user_id on employees
  for each row when (new.user_id is not null and (old.entity_id is distinct from new.entity_id or old.user_id is distinct from new.user_id))
  execute function end_other_ways();
create trigger keep_admin after update on employees
  for each row when ((new.activity_status is distinct from old.activity_status or new.early_access is distinct from old.early_access or new.deleted_at is distinct from old.deleted_at) and holds_admin(new.user_id))
  execute function keep_active_admin();
create trigger move_probation_review after update of entity_id, department_id on employees
  for each row when (old.entity_id is distinct from new.entity_id or old.department_id is distinct from new.department_id)
  execute function move_probation_review();
create trigger note_away after update on employees
  for each row when (is_away(new.activity_status, new.employment_lifecycle, new.deleted_at) and not is_away(old.activity_status, old.employment_lifecycle, old.deleted_at))
  execute function note_away();
create trigger note_lines_on_update after update on employees referencing old table as old_rows new table as new_rows
  for each statement
  execute function note_new_lines();
create trigger note_manager after update on employees
  for each row when (new.reporting_manager_id is not null and is_current_report(new.activity_status, new.deleted_at) and (new.reporting_manager_id is distinct from old.reporting_manager_id or not is_current_report(old.activity_status, old.deleted_at)))
  execute function note_manager();
create trigger note_new_people after insert on employees referencing new table as new_rows
  for each statement
  execute function note_new_people();
create trigger note_probation after update on employees
  for each row when (is_on_probation(new.employment_lifecycle, new.activity_status, new.deleted_at) and (new.entity_id <> old.entity_id or new.probation_end_date is distinct from old.probation_end_date or not is_on_probation(old.employment_lifecycle, old.activity_status, old.deleted_at)))
  execute function note_probation();
create trigger note_sign_in_in_evaluations after update of user_id on employees
  for each row when ((old.user_id is null) <> (new.user_id is null))
  execute function note_sign_in_in_evaluations();
create trigger note_sign_in_in_probation_reviews after update of user_id on employees
  for each row when ((old.user_id is null) <> (new.user_id is null))
  execute function note_sign_in_in_probation_reviews();
create trigger note_trees_on_insert after insert on employees referencing new table as new_rows
  for each statement
  execute function note_first_reports();
create trigger note_trees_on_update after update on employees referencing old table as old_rows new table as new_rows
  for each statement
  execute function note_new_trees();
create trigger refuse_taken_name_on_insert after insert on employees
  for each row when (new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null)
  execute function refuse_taken_name();
create trigger refuse_taken_name_on_update after update on employees
  for each row when (new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null and (new.display_name is distinct from old.display_name or new.first_name is distinct from old.first_name or new.last_name is distinct from old.last_name or new.activity_status is distinct from old.activity_status or new.deleted_at is distinct from old.deleted_at))
  execute function refuse_taken_name();
create trigger rename_in_evaluations after update of first_name, last_name, display_name on employees
  for each row when (old.name is distinct from new.name)
  execute function rename_in_evaluations();
create trigger rename_in_probation_reviews after update of first_name, last_name, display_name on employees
  for each row when (old.name is distinct from new.name)
  execute function rename_in_probation_reviews();
create trigger settle_answers after update on employees
  for each row when (is_suspended(old.*) <> is_suspended(new.*))
  execute function settle_suspension();
create trigger settle_joining before insert on employees
  for each row when (new.activity_status = 'joining' or new.activity_status = 'active' and new.joining_date >= (now() at time zone 'UTC')::date)
  execute function settle_joining();
create trigger settle_joining_again before update on employees
  for each row when (new.activity_status <> 'inactive' and (new.joining_date is distinct from old.joining_date or new.entity_id <> old.entity_id or new.activity_status = 'joining' and old.activity_status <> 'joining' or old.activity_status = 'inactive'))
  execute function settle_joining();
create trigger settle_kpi_days after update on employees
  for each row when (old.joining_date is distinct from new.joining_date or old.last_working_date is distinct from new.last_working_date or (old.employment_lifecycle in ('resigned', 'terminated')) <> (new.employment_lifecycle in ('resigned', 'terminated')))
  execute function settle_days_of_person();
create trigger settle_moves after update on employees
  for each row when (old.department_id <> new.department_id)
  execute function settle_moves();
create trigger settle_periods_on_update after update on employees referencing old table as old_rows new table as new_rows
  for each statement
  execute function note_job_periods();
create trigger settle_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null) <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function settle_reviewer();
create trigger touch before update on employees for each row execute function touch_person();
create trigger void_links after update of activity_status, deleted_at, employment_lifecycle on employees
  for each row when (old.activity_status <> 'inactive' and new.activity_status = 'inactive' or old.deleted_at is null and new.deleted_at is not null or (old.employment_lifecycle not in ('resigned', 'terminated')) and (new.employment_lifecycle in ('resigned', 'terminated')))
  execute function void_account_links('user_id');
create trigger void_own_links after update of activity_status, deleted_at, employment_lifecycle on employees
  for each row when (old.activity_status <> 'inactive' and new.activity_status = 'inactive' or old.deleted_at is null and new.deleted_at is not null or (old.employment_lifecycle not in ('resigned', 'terminated')) and (new.employment_lifecycle in ('resigned', 'terminated')))
  execute function void_own_account_links('user_id');

create table employee_counts (
  level text not null check (level in ('all', 'entity', 'department')),
  key_id bigint not null,
  activity_status text not null,
  employment_lifecycle text not null,
  people bigint not null
);
create index employee_counts_idx on employee_counts (level, key_id, activity_status, employment_lifecycle)
  include (people);

-- What holds of people however they are written: first day and sign-in, the last administrator, superiors, names.

create table private_looks (
  user_id bigint not null references users on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  looked_at timestamptz(3) not null default now(),
  primary key (user_id, employee_id)
);
create index private_looks_employee_idx on private_looks (employee_id);
create index private_looks_looked_idx on private_looks (looked_at);

-- The job history of people: what they were, are and will be.

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
  rehired_after date,
  reason text,
  failure jsonb,
  created_by bigint references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  source text not null default 'entered' check (source in ('entered', 'imported', 'assumed'))
);
create index job_history_created_by_idx on job_history (created_by) where created_by is not null;
create unique index job_history_current_key on job_history (employee_id) where status = 'current';
create index job_history_department_id_idx on job_history (department_id);
create index job_history_due_idx on job_history (effective_from) where status = 'scheduled';
create index job_history_employee_idx on job_history (employee_id, effective_from desc, id desc);
create index job_history_entity_id_idx on job_history (entity_id);
create index job_history_failed_idx on job_history (employee_id) where status = 'failed';
create index job_history_moved_idx on job_history (effective_from, employee_id)
  where (status in ('current', 'past')) and changed_fields && '{entity_id,department_id}' and not changed_fields @> '{employment_lifecycle}';
create index job_history_rehired_idx on job_history (effective_from)
  include (employee_id, rehired_after)
  where rehired_after is not null;
create index job_history_reporting_manager_id_idx on job_history (reporting_manager_id)
  where reporting_manager_id is not null;
create trigger settle_kpi_days_on_insert after insert on job_history
  for each row when (new.rehired_after is not null or new.status = 'past')
  execute function settle_days_of_job();
create trigger settle_kpi_days_on_update after update on job_history
  for each row when (new.rehired_after is not null or new.effective_from <> old.effective_from)
  execute function settle_days_of_job();
create trigger settle_periods_on_delete after delete on job_history referencing old table as old_rows
  for each statement
  execute function note_job_periods();
create trigger settle_periods_on_insert after insert on job_history referencing new table as new_rows
  for each statement
  execute function note_job_periods();
create trigger settle_periods_on_update after update on job_history referencing old table as old_rows new table as new_rows
  for each statement
  execute function note_job_periods();
create trigger touch before update on job_history for each row execute function touch_row();

-- Files of people, and files to sweep. The content is in the file store under file_key.

create table attachments (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  category text not null check (category in ('contract', 'id_document', 'certificate', 'letter', 'other')),
  title text not null,
  visibility text not null default 'hr_only' check (visibility in ('hr_only', 'manager', 'employee', 'manager_employee')),
  file_key text not null unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  checksum text not null,
  scan_status text not null default 'not_scanned' check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index attachments_employee_idx on attachments (employee_id, created_at desc, id desc);
create index attachments_uploaded_by_idx on attachments (uploaded_by) where uploaded_by is not null;
create trigger touch before update on attachments for each row execute function touch_row();

create table removed_files (
  file_key text primary key,
  removed_at timestamptz(3) not null default now()
);
create index removed_files_removed_at_idx on removed_files (removed_at);

-- Imports of spreadsheets: a file is staged row by row, checked, shown, written, and may be undone.

create table imports (
  id bigint generated always as identity primary key,
  type text not null check (type in ('employees', 'job_history', 'kpi_templates', 'former_results', 'attachments')),
  status text not null check (status in ('processing', 'needs_mapping', 'preview', 'completed', 'failed', 'undone', 'partly_undone', 'expired')),
  phase text check (phase in ('checking', 'writing', 'undoing')),
  file_name text not null,
  file_size bigint not null,
  file_hash text not null,
  format text not null check (format in ('csv', 'xlsx', 'zip')),
  dry_run boolean not null,
  mode text not null check (mode in ('partial', 'atomic')),
  on_conflict text not null check (on_conflict in ('fail', 'update', 'skip')),
  date_format text not null,
  mapping jsonb,
  defaults jsonb not null default '{}',
  create_departments boolean not null,
  columns jsonb not null,
  progress jsonb not null default '{"total": 0, "processed": 0}',
  counts jsonb not null default '{"total": 0, "valid": 0, "failed": 0, "created": 0, "skipped": 0, "updated": 0, "warnings": 0}',
  plan_hash text,
  failure jsonb,
  stale_rows jsonb,
  kept jsonb,
  is_staged boolean not null default false,
  is_confirmed boolean not null default false,
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
  revision integer not null default 1,
  "values" jsonb not null default '{}',
  header_row integer
);
create index imports_created_at_idx on imports (created_at desc, id desc);
create index imports_created_by_idx on imports (created_by, created_at desc, id desc);
create index imports_expires_at_idx on imports (expires_at) where status in ('needs_mapping', 'preview');
create index imports_leased_until_idx on imports (leased_until) where status = 'processing';
create unique index imports_running_file_key on imports (type, file_hash) where status = 'processing';
create trigger end_files after update of status on imports
  for each row when (new.type = 'attachments' and (new.status in ('completed', 'failed', 'expired')))
  execute function end_staged_files();
create trigger touch before update on imports for each row execute function touch_row();

create table import_rows (
  import_id bigint not null references imports on delete cascade,
  "row" integer not null,
  status text not null default 'valid' check (status in ('valid', 'failed', 'created', 'updated', 'skipped', 'undone')),
  action text not null default 'none' check (action in ('create', 'update', 'skip', 'none')),
  key text,
  subject_id bigint,
  cells jsonb,
  flaws jsonb,
  errors jsonb not null default '{}',
  warnings jsonb not null default '{}',
  changes jsonb,
  digest text not null default '',
  before jsonb,
  edited boolean not null default false,
  kept_reason text,
  primary key (import_id, "row")
);
create index import_rows_status_idx on import_rows (import_id, status, "row");

-- Processes that work on jobs, and when each was last seen: jobs of a worker that fell silent go to others. The queue itself is in a schema of its own, which its library migrates.

create table job_workers (
  id text primary key,
  last_seen_at timestamptz(3) not null default now()
);

-- How people look at lists.

create table saved_views (
  id bigint generated always as identity primary key,
  owner_id bigint not null references users on delete cascade,
  resource text not null check (length(resource) >= 1 and length(resource) <= 40),
  name text not null check (length(name) >= 1 and length(name) <= 60),
  query jsonb not null default '{}' check (jsonb_typeof(query) = 'object'),
  columns text[],
  density text check (density in ('comfortable', 'compact')),
  is_shared boolean not null default false,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index saved_views_default_key on saved_views (owner_id, resource) where is_default;
create unique index saved_views_name_key on saved_views (owner_id, resource, fold(name));
create index saved_views_shared_idx on saved_views (resource, fold(name), id) where is_shared;
create trigger touch before update on saved_views for each row execute function touch_row();

-- Notifications: what people are notified of, what of it goes by mail, and when. Rows are made in the transaction of the change they are about.

create table notification_settings (
  event text primary key,
  in_app boolean not null,
  email boolean not null,
  lead_days integer[],
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create trigger touch before update on notification_settings for each row execute function touch_row();

create table notification_preferences (
  user_id bigint primary key references users on delete cascade,
  digest text not null default 'immediate' check (digest in ('immediate', 'daily')),
  quiet_from time,
  quiet_to time,
  time_zone text,
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint notification_preferences_quiet_to_check check ((quiet_from is null) = (quiet_to is null) and quiet_from is distinct from coalesce(quiet_to, '24:00:00'::time))
);
create trigger touch before update on notification_preferences for each row execute function touch_row();

create table notification_mutes (
  user_id bigint not null references users on delete cascade,
  event text not null,
  channel text not null check (channel in ('in_app', 'email')),
  primary key (user_id, event, channel)
);

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  event text not null,
  variant text not null default 'plain',
  severity text not null check (severity in ('info', 'action', 'warning')),
  subject_type text not null,
  subject_id bigint,
  url text not null,
  actor_id bigint,
  params jsonb not null default '{}',
  dedupe_key text not null,
  shown boolean not null default true,
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint notifications_dedupe_key unique (user_id, dedupe_key)
);
create index notifications_event_idx on notifications (user_id, event, id desc) where shown;
create index notifications_probation_review_idx on notifications (subject_id)
  where subject_type = 'probation_review' and shown;
create index notifications_read_at_idx on notifications (read_at) where read_at is not null;
create index notifications_reminders_idx on notifications (subject_id, created_at desc)
  where event in ('kpi_deadline_reminder', 'probation_ending_reminder');
create index notifications_time_idx on notifications (user_id, created_at desc, id desc) where shown;
create index notifications_unread_idx on notifications (user_id, created_at desc, id desc)
  where shown and read_at is null;
create trigger announce_insert after insert on notifications referencing new table as changed
  for each statement
  execute function announce_notifications();
create trigger announce_update after update on notifications referencing new table as changed
  for each statement
  execute function announce_notifications();

create table notification_deliveries (
  id bigint generated always as identity primary key,
  notification_id bigint not null references notifications on delete cascade,
  user_id bigint,
  channel text not null check (channel = 'email'),
  address text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  is_urgent boolean not null default false,
  attempts integer not null default 0,
  first_attempt_at timestamptz(3),
  error text,
  next_attempt_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  mail_id bigint,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index notification_deliveries_due_idx on notification_deliveries (next_attempt_at, id)
  where status = 'pending';
create index notification_deliveries_leased_idx on notification_deliveries (leased_until)
  where leased_until is not null;
create index notification_deliveries_notification_idx on notification_deliveries (notification_id);
create index notification_deliveries_sent_idx on notification_deliveries (user_id, sent_at)
  where sent_at is not null;
create index notification_deliveries_user_idx on notification_deliveries (user_id, next_attempt_at)
  where status = 'pending';
create trigger name_user before insert on notification_deliveries
  for each row when (new.user_id is null)
  execute function name_delivery_user();

create view reachable_users as
 select u.id as user_id,
    u.email,
    u.locale,
    e.id as employee_id,
    coalesce(e.name, u.email) as name
   from users u
     left join employees e on e.user_id = u.id
     left join entities c on c.id = e.entity_id
  where u.is_enabled and u.account_kind = 'person' and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at) and not ((e.employment_lifecycle in ('resigned', 'terminated')) and coalesce(e.last_working_date < (now() at time zone c.timezone)::date, false)));

-- What is measured (templates), when and for whom (cycles).

create table kpi_templates (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  entity_id bigint references entities,
  job_title text,
  grade text,
  scale_min integer not null default 1 check (scale_min >= 0),
  scale_max integer not null default 5 check (scale_max <= 10),
  score_step numeric(2,1) not null default 1 check (score_step in (0.5, 1)),
  status text not null default 'active' check (status in ('draft', 'active', 'archived')),
  version integer not null default 1,
  total_weight integer not null default 0 check (total_weight >= 0),
  items_count integer not null default 0 check (items_count >= 0 and items_count <= 50),
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  scale_words text[],
  check (scale_min < scale_max),
  check (status <> 'active' or total_weight = 10000 and items_count > 0),
  check (cardinality(scale_words) = (scale_max - scale_min + 1))
);
create index kpi_templates_entity_idx on kpi_templates (entity_id);
create index kpi_templates_name_idx on kpi_templates (name_sort, id);
create unique index kpi_templates_name_key on kpi_templates (coalesce(entity_id, 0), fold(name));
create trigger touch before update on kpi_templates for each row execute function touch_row();

create table kpi_template_items (
  id bigint generated always as identity primary key,
  template_id bigint not null references kpi_templates on delete cascade,
  name text not null,
  description text,
  weight integer not null check (weight >= 1 and weight <= 10000),
  sort_order integer not null,
  evidence_required boolean not null default false,
  item_type text not null default 'rating' check (item_type in ('rating', 'measured')),
  direction text check (direction in ('higher_better', 'lower_better', 'target', 'boolean')),
  unit text,
  target_value numeric(14,2),
  baseline_value numeric(14,2),
  tolerance_pct numeric(5,2) check (tolerance_pct >= 0 and tolerance_pct <= 50),
  cap_pct numeric(5,2) check (cap_pct >= 100 and cap_pct <= 200),
  name_key text collate "C" generated always as (fold(name)) stored,
  prorate boolean not null default false,
  constraint kpi_template_items_name_key unique (template_id, name_key) deferrable,
  check (item_type = 'measured' or row(direction, target_value, baseline_value, tolerance_pct, cap_pct) is null),
  constraint kpi_template_items_prorate_check check (not prorate or item_type = 'measured' and direction is distinct from 'boolean')
);

create table kpi_cycles (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  type text not null default 'custom' check (type in ('monthly', 'quarterly', 'semi_annual', 'annual', 'custom')),
  start_date date not null,
  end_date date not null,
  entity_id bigint references entities,
  self_assessment_opens_on date,
  self_assessment_closes_on date,
  manager_review_opens_on date,
  manager_review_closes_on date,
  acceptance_days integer not null default 7 check (acceptance_days >= 1 and acceptance_days <= 60),
  min_service_days integer check (min_service_days >= 1 and min_service_days <= 366),
  auto_skip_self boolean not null default false,
  auto_accept boolean not null default false,
  manager_weight_pct integer not null default 100 check (manager_weight_pct >= 50 and manager_weight_pct <= 100),
  self_weight_pct integer not null default 0,
  pip_below_pct numeric(5,2) not null default 60 check (pip_below_pct >= 0),
  hipo_from_pct numeric(5,2) not null default 90 check (hipo_from_pct <= 100),
  band_caps jsonb,
  status text not null default 'draft' check (status in ('draft', 'published', 'closed')),
  publishing_processed integer,
  publishing_total integer,
  publishing_request jsonb,
  owner_id bigint references employees,
  created_by bigint references users,
  created_by_name text not null,
  published_at timestamptz(3),
  closed_at timestamptz(3),
  close_reason text,
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  four_eyes boolean not null default true,
  min_days integer not null default 3 check (min_days >= 1 and min_days <= 30),
  bands jsonb not null default '{"a": {"from": 90, "name": "A"}, "b": {"from": 80, "name": "B"}, "c": {"from": 60, "name": "C"}, "d": {"name": "D"}}',
  hr_comment_optional boolean not null default false,
  check (end_date > start_date),
  check (self_assessment_closes_on >= self_assessment_opens_on),
  check (manager_review_closes_on >= manager_review_opens_on),
  check (manager_review_closes_on >= self_assessment_closes_on),
  check ((manager_weight_pct + self_weight_pct) = 100),
  check (pip_below_pct < hipo_from_pct),
  check ((publishing_processed is null) = (publishing_total is null))
);
create index kpi_cycles_entity_idx on kpi_cycles (entity_id);
create index kpi_cycles_name_idx on kpi_cycles (fold(name));
create unique index kpi_cycles_name_key on kpi_cycles (coalesce(entity_id, 0), fold(name));
create index kpi_cycles_owner_idx on kpi_cycles (owner_id);
create index kpi_cycles_start_idx on kpi_cycles (start_date desc, id);
create trigger note_owner_on_insert after insert on kpi_cycles
  for each row when (new.owner_id is not null and new.status <> 'closed')
  execute function note_owner();
create trigger note_owner_on_update after update on kpi_cycles
  for each row when (new.owner_id is not null and new.status <> 'closed' and (new.owner_id is distinct from old.owner_id or old.status = 'closed'))
  execute function note_owner();
create trigger refuse_overlapping_name_on_insert after insert on kpi_cycles
  for each row
  execute function refuse_overlapping_cycle_name();
create trigger refuse_overlapping_name_on_update after update of name, entity_id on kpi_cycles
  for each row when (new.name <> old.name or new.entity_id is distinct from old.entity_id)
  execute function refuse_overlapping_cycle_name();
create trigger touch before update on kpi_cycles
  for each row when (not old.publishing_processed is distinct from new.publishing_processed and not old.publishing_total is distinct from new.publishing_total)
  execute function touch_row();

create table kpi_cycle_departments (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles on delete cascade,
  department_id bigint not null references departments,
  template_id bigint references kpi_templates,
  is_published boolean not null default false,
  published_at timestamptz(3),
  published_by bigint references users,
  published_by_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  unique (cycle_id, department_id),
  check (not is_published or template_id is not null and published_at is not null)
);
create index kpi_cycle_departments_department_idx on kpi_cycle_departments (department_id);
create index kpi_cycle_departments_template_idx on kpi_cycle_departments (template_id);
create trigger touch before update on kpi_cycle_departments for each row execute function touch_row();

-- Evaluations: one per person and cycle, with their items, evidence and history.

create table kpi_evaluations (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles,
  employee_id bigint not null references employees,
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  job_title text,
  reviewer_id bigint references employees,
  template_id bigint not null references kpi_templates,
  template_name text not null,
  template_version integer not null,
  scale_min integer not null,
  scale_max integer not null,
  score_step numeric(2,1) not null,
  status text not null default 'self_assessment' check (status in ('self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'disputed', 'completed', 'cancelled')),
  status_changed_at timestamptz(3) not null default now(),
  due_on date,
  self_overall_score numeric(4,2),
  overall_score numeric(4,2),
  overall_percentage numeric(5,2) check (overall_percentage >= 0 and overall_percentage <= 100),
  overall_achievement_pct numeric(5,2),
  suggested_flag text check (suggested_flag in ('pip', 'standard', 'hipo')),
  performance_flag text check (performance_flag in ('pip', 'standard', 'hipo')),
  flag_reason text,
  self_comment text,
  manager_comment text,
  strengths text,
  improvements text,
  hr_comment text,
  self_skipped boolean not null default false,
  skip_reason text,
  return_reason text,
  reopen_reason text,
  close_reason text,
  closed_by bigint references users,
  closed_by_name text,
  cancel_reason text,
  cancelled_from text,
  cancelled_at timestamptz(3),
  dispute_reason text,
  dispute_result text check (dispute_result in ('maintained', 'modified', 'returned')),
  dispute_resolution text,
  dispute_resolved_at timestamptz(3),
  dispute_resolved_by bigint references users,
  dispute_resolved_by_name text,
  dispute_returned boolean not null default false,
  acceptance_due_on date,
  acceptance_mode text check (acceptance_mode in ('employee', 'recorded', 'deemed_hr', 'deemed_job')),
  self_submitted_at timestamptz(3),
  manager_submitted_at timestamptz(3),
  manager_submitted_by bigint references users,
  manager_submitted_by_name text,
  hr_submitted_at timestamptz(3),
  hr_submitted_by bigint references users,
  hr_submitted_by_name text,
  responded_at timestamptz(3),
  completed_at timestamptz(3),
  extension_requested_at timestamptz(3),
  extension_reason text,
  extension_status text check (extension_status in ('pending', 'approved', 'rejected')),
  extension_until date,
  extension_decided_at timestamptz(3),
  extension_decided_by bigint references users,
  extension_decided_by_name text,
  extension_note text,
  extension_requests integer not null default 0 check (extension_requests >= 0 and extension_requests <= 3),
  stage_open_until date,
  reviewer_missing_since timestamptz(3),
  round integer not null default 1,
  person_sort text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  scale_words text[],
  met_is_top boolean not null default true,
  extension_step text not null default 'self_assessment' check (extension_step in ('self_assessment', 'manager_review')),
  former_draft jsonb,
  cycle_days integer check (cycle_days > 0),
  employed_days integer,
  answer_from date,
  person_signs_in boolean not null default true,
  talked_on date,
  answer_recorded_by bigint references users,
  answer_recorded_by_name text,
  kept_department_id bigint references departments,
  moved_since timestamptz(3),
  part integer,
  covers_from date,
  covers_until date,
  check (employed_days >= 1 and employed_days <= cycle_days),
  constraint kpi_evaluations_days_check check ((cycle_days is null) = (employed_days is null)),
  constraint kpi_evaluations_part_check check (not part is distinct from
case
    when covers_from is not null then 2
    when covers_until is not null then 1
    else null::integer
end and (covers_from is null or covers_until is null)),
  constraint kpi_evaluations_part_days_check check (part is null or employed_days is not null)
);
create index kpi_evaluations_answer_recorded_by_idx on kpi_evaluations (answer_recorded_by)
  where answer_recorded_by is not null;
create index kpi_evaluations_created_idx on kpi_evaluations (created_at, id);
create index kpi_evaluations_cycle_due_on_idx on kpi_evaluations (cycle_id, due_on, id)
  where due_on is not null;
create index kpi_evaluations_cycle_percentage_idx on kpi_evaluations (cycle_id, overall_percentage, id)
  where overall_percentage is not null;
create index kpi_evaluations_cycle_person_idx on kpi_evaluations (cycle_id, person_sort, id);
create index kpi_evaluations_cycle_status_idx on kpi_evaluations (cycle_id, status, due_on, id);
create index kpi_evaluations_cycle_updated_idx on kpi_evaluations (cycle_id, updated_at, id);
create index kpi_evaluations_department_idx on kpi_evaluations (department_id, cycle_id, status);
create index kpi_evaluations_disputed_idx on kpi_evaluations (entity_id, due_on, status_changed_at, id)
  include (employee_id, reviewer_id, manager_submitted_by)
  where status = 'disputed';
create index kpi_evaluations_due_on_idx on kpi_evaluations (due_on, id) where due_on is not null;
create index kpi_evaluations_employee_idx on kpi_evaluations (employee_id, created_at desc);
create index kpi_evaluations_entity_idx on kpi_evaluations (entity_id, cycle_id, status);
create index kpi_evaluations_entity_updated_idx on kpi_evaluations (entity_id, updated_at, id);
create index kpi_evaluations_extension_idx on kpi_evaluations (entity_id, extension_requested_at, id)
  include (employee_id, reviewer_id, extension_step)
  where (status in ('self_assessment', 'manager_review')) and extension_status = 'pending';
create index kpi_evaluations_hr_review_idx on kpi_evaluations (manager_submitted_by)
  where status = 'hr_review' and manager_submitted_by is not null;
create index kpi_evaluations_kept_department_idx on kpi_evaluations (kept_department_id)
  where kept_department_id is not null;
create index kpi_evaluations_missing_reviewer_idx on kpi_evaluations (entity_id, reviewer_missing_since, id)
  include (employee_id)
  where (status in ('self_assessment', 'manager_review')) and reviewer_missing_since is not null;
create index kpi_evaluations_moved_idx on kpi_evaluations (entity_id, moved_since)
  where moved_since is not null and (status in ('self_assessment', 'manager_review'));
create index kpi_evaluations_no_due_idx on kpi_evaluations (cycle_id, id) where due_on is null;
create index kpi_evaluations_no_score_idx on kpi_evaluations (cycle_id, id)
  where overall_score is null or overall_percentage is null;
create index kpi_evaluations_no_sign_in_idx on kpi_evaluations (id)
  where status = 'self_assessment' and not person_signs_in;
create index kpi_evaluations_open_idx on kpi_evaluations (status, entity_id, due_on, status_changed_at, id)
  include (employee_id)
  where status not in ('completed', 'cancelled');
create index kpi_evaluations_overall_percentage_idx on kpi_evaluations (overall_percentage, id)
  where overall_percentage is not null;
create index kpi_evaluations_overall_score_idx on kpi_evaluations (overall_score, id)
  where overall_score is not null;
create index kpi_evaluations_parts_idx on kpi_evaluations (cycle_id, person_sort, id)
  where part is not null;
create unique index kpi_evaluations_person_end_key on kpi_evaluations (cycle_id, employee_id)
  where status <> 'cancelled' and covers_until is null;
create index kpi_evaluations_person_idx on kpi_evaluations (person_sort, id);
create unique index kpi_evaluations_person_key on kpi_evaluations (cycle_id, employee_id)
  where status <> 'cancelled' and covers_from is null;
create index kpi_evaluations_rare_flag_idx on kpi_evaluations (performance_flag, id)
  where performance_flag in ('pip', 'hipo');
create index kpi_evaluations_record_answer_idx on kpi_evaluations ((
case
    when reviewer_missing_since is null then reviewer_id
    else null::bigint
end), entity_id, due_on)
  where status = 'pending_acceptance' and not person_signs_in;
create index kpi_evaluations_reviewer_idx on kpi_evaluations (reviewer_id, status, due_on);
create index kpi_evaluations_status_idx on kpi_evaluations (status, id);
create index kpi_evaluations_time_over_idx on kpi_evaluations (entity_id, due_on, id)
  where (status in ('self_assessment', 'manager_review')) and extension_status <> 'pending' and extension_requests >= 3;
create index kpi_evaluations_updated_idx on kpi_evaluations (updated_at, id);
create trigger absence_days before update on kpi_evaluations for each row execute function settle_absence_days();
create trigger begin before insert on kpi_evaluations
  for each row when (new.due_on is null)
  execute function begin_evaluation();
create trigger count_on_delete after delete on kpi_evaluations referencing old table as old_rows
  for each statement
  execute function uncount_kpi_evaluations();
create trigger count_on_insert after insert on kpi_evaluations referencing new table as new_rows
  for each statement
  execute function count_kpi_evaluations();
create trigger count_on_update after update on kpi_evaluations referencing old table as old_rows new table as new_rows
  for each statement
  execute function count_kpi_evaluations();
create trigger keep before update on kpi_evaluations for each row execute function keep_evaluation();
create trigger note_new_reviewers after insert on kpi_evaluations referencing new table as new_rows
  for each statement
  execute function note_new_reviewers();
create trigger note_reviewer after update on kpi_evaluations
  for each row when (new.reviewer_id is not null and is_open_evaluation(new.status) and (new.reviewer_id is distinct from old.reviewer_id or not is_open_evaluation(old.status)))
  execute function note_reviewer();
create trigger settle_kpi_days after update of status on kpi_evaluations
  for each row when (new.employed_days is not null and (new.status in ('self_assessment', 'manager_review')) and (old.status not in ('self_assessment', 'manager_review')))
  execute function settle_days_of_evaluation();

create table kpi_evaluation_items (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations on delete cascade,
  template_item_id bigint not null,
  name text not null,
  description text,
  weight integer not null check (weight >= 1 and weight <= 10000),
  sort_order integer not null,
  evidence_required boolean not null,
  item_type text not null,
  direction text,
  unit text,
  target_value numeric(14,2),
  baseline_value numeric(14,2),
  tolerance_pct numeric(5,2),
  cap_pct numeric(5,2),
  self_not_applicable boolean not null default false,
  manager_not_applicable boolean,
  self_score numeric(4,2),
  self_comment text,
  self_actual_value numeric(14,2),
  manager_score numeric(4,2),
  manager_comment text,
  manager_actual_value numeric(14,2),
  final_score numeric(4,2),
  final_note text,
  final_actual_value numeric(14,2),
  prorate boolean not null default false
);
create index kpi_evaluation_items_evaluation_idx on kpi_evaluation_items (evaluation_id, sort_order, id);

create table kpi_evidence (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations,
  item_id bigint references kpi_evaluation_items,
  stage text not null check (stage in ('self', 'manager', 'hr', 'answer')),
  note text,
  url text,
  file_key text unique,
  file_name text,
  mime_type text,
  size bigint,
  checksum text,
  scan_status text check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (num_nonnulls(note, url, file_key) > 0),
  check ((file_key is null) = (file_name is null))
);
create index kpi_evidence_evaluation_idx on kpi_evidence (evaluation_id, created_at desc, id desc);
create index kpi_evidence_item_idx on kpi_evidence (item_id);
create trigger touch before update on kpi_evidence for each row execute function touch_row();

create table kpi_evaluation_activity (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations on delete cascade,
  at timestamptz(3) not null default now(),
  actor_id bigint references users,
  actor_name text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  round integer not null,
  snapshot jsonb,
  acting_for text
);
create index kpi_evaluation_activity_idx on kpi_evaluation_activity (evaluation_id, at desc, id desc);

-- Figures of evaluations, kept beside them so that no list, board or report counts rows.

create table kpi_evaluation_counts (
  cycle_id bigint not null,
  entity_id bigint not null,
  department_id bigint not null,
  status text not null,
  due_on date,
  band text,
  flag text,
  evaluations bigint not null,
  percentages numeric not null,
  folded boolean
);
create index kpi_evaluation_counts_idx on kpi_evaluation_counts (cycle_id, department_id);
create index kpi_evaluation_counts_new_idx on kpi_evaluation_counts (entity_id) where folded is null;

create table kpi_stage_days (
  cycle_id bigint not null,
  entity_id bigint not null,
  status text not null,
  days numeric(6,1) not null,
  evaluations bigint not null
);
create index kpi_stage_days_idx on kpi_stage_days (cycle_id);

-- Probation reviews: one per person and end of probation, signed by the reviewer, by HR and by the person.

create table probation_reviews (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees,
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  probation_start_date date,
  probation_end_date date not null,
  reviewer_id bigint references employees,
  sequence integer not null default 1,
  previous_review_id bigint references probation_reviews,
  review_date date,
  due_date date not null,
  status text not null default 'pending' check (status in ('pending', 'submitted', 'sent_back', 'approved', 'cancelled', 'reverted')),
  status_changed_at timestamptz(3) not null default now(),
  performance_rating integer check (performance_rating >= 1 and performance_rating <= 5),
  criteria jsonb,
  criteria_score numeric(4,2),
  strengths text,
  improvements text,
  comments text,
  recommendation text check (recommendation in ('confirm', 'extend', 'terminate')),
  extension_months integer check (extension_months >= 1 and extension_months <= 6),
  outcome text check (outcome in ('confirm', 'extend', 'terminate')),
  outcome_extension_months integer check (outcome_extension_months >= 1 and outcome_extension_months <= 6),
  effective_date date,
  hr_comments text,
  send_back_reason text,
  cancel_reason text,
  revert_reason text,
  employee_comment text,
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  decided_by bigint references users,
  decided_by_name text,
  employee_acknowledged_at timestamptz(3),
  reverted_at timestamptz(3),
  reviewer_missing_since timestamptz(3),
  round integer not null default 1,
  person_sort text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  criteria_fixed boolean not null default false,
  extended_until date,
  milestone text not null default 'final' check (milestone in ('day_30', 'midpoint', 'final')),
  person_signs_in boolean not null default true,
  talked_on date,
  acknowledgement_recorded_by bigint references users,
  acknowledgement_recorded_by_name text,
  check (outcome_extension_months is null or outcome = 'extend'),
  check (extended_until is null or outcome = 'extend'),
  constraint probation_reviews_decided_check check (status <> 'approved' or decided_at is not null and (milestone <> 'final' or outcome is not null and effective_date is not null)),
  constraint probation_reviews_on_the_way_check check (milestone = 'final' or outcome is null and recommendation is null and extension_months is null),
  constraint probation_reviews_recorded_check check (talked_on is null or employee_acknowledged_at is not null and acknowledgement_recorded_by_name is not null)
);
create index probation_reviews_acknowledgement_recorded_by_idx on probation_reviews (acknowledgement_recorded_by)
  where acknowledgement_recorded_by is not null;
create index probation_reviews_created_idx on probation_reviews (created_at, id);
create index probation_reviews_decided_idx on probation_reviews (decided_at) where status = 'approved';
create index probation_reviews_decision_idx on probation_reviews (entity_id, (
case
    when milestone = 'final' then probation_end_date
    else due_date
end), status_changed_at, id)
  include (employee_id, department_id, reviewer_id, milestone, probation_end_date, due_date)
  where status = 'submitted';
create index probation_reviews_department_idx on probation_reviews (department_id, status);
create index probation_reviews_due_idx on probation_reviews (due_date, id);
create index probation_reviews_employee_idx on probation_reviews (employee_id, sequence desc);
create index probation_reviews_end_idx on probation_reviews (probation_end_date, id);
create unique index probation_reviews_end_key on probation_reviews (employee_id, probation_end_date, milestone)
  where status in ('pending', 'submitted', 'sent_back', 'approved');
create index probation_reviews_entity_idx on probation_reviews (entity_id, status);
create index probation_reviews_missing_reviewer_idx on probation_reviews (entity_id, reviewer_missing_since, id)
  include (employee_id, department_id)
  where (status in ('pending', 'sent_back')) and reviewer_missing_since is not null;
create index probation_reviews_open_due_idx on probation_reviews (due_date, id)
  where status in ('pending', 'submitted', 'sent_back');
create index probation_reviews_open_end_idx on probation_reviews (probation_end_date, id)
  where status in ('pending', 'submitted', 'sent_back');
create unique index probation_reviews_open_key on probation_reviews (employee_id, milestone)
  where status in ('pending', 'submitted', 'sent_back');
create index probation_reviews_person_idx on probation_reviews (person_sort, id);
create index probation_reviews_previous_idx on probation_reviews (previous_review_id);
create index probation_reviews_record_acknowledgement_idx on probation_reviews ((
case
    when reviewer_missing_since is null then reviewer_id
    else null::bigint
end), entity_id, decided_at)
  where status = 'approved' and employee_acknowledged_at is null and not person_signs_in;
create index probation_reviews_reviewer_idx on probation_reviews (reviewer_id, status, due_date);
create index probation_reviews_status_idx on probation_reviews (status, id);
create index probation_reviews_to_acknowledge_idx on probation_reviews (employee_id)
  where status = 'approved' and employee_acknowledged_at is null;
create index probation_reviews_updated_idx on probation_reviews (updated_at, id);
create trigger count_on_delete after delete on probation_reviews referencing old table as old_rows
  for each statement
  execute function count_probation_reviews();
create trigger count_on_insert after insert on probation_reviews referencing new table as new_rows
  for each statement
  execute function count_probation_reviews();
create trigger count_on_update after update on probation_reviews referencing old table as old_rows new table as new_rows
  for each statement
  execute function count_probation_reviews();
create trigger keep before update on probation_reviews for each row execute function keep_probation_review();
create trigger note_lost_review_on_delete after delete on probation_reviews
  for each row when (old.milestone = 'final' and (old.status not in ('cancelled', 'reverted')))
  execute function note_lost_review();
create trigger note_lost_review_on_update after update on probation_reviews
  for each row when (old.milestone = 'final' and (old.status not in ('cancelled', 'reverted')) and not is_open_review(new.status) and (new.status <> old.status or new.probation_end_date <> old.probation_end_date))
  execute function note_lost_review();
create trigger note_reviewer_on_insert after insert on probation_reviews
  for each row when (new.reviewer_id is not null and is_open_review(new.status))
  execute function note_reviewer();
create trigger note_reviewer_on_update after update on probation_reviews
  for each row when (new.reviewer_id is not null and is_open_review(new.status) and (new.reviewer_id is distinct from old.reviewer_id or not is_open_review(old.status)))
  execute function note_reviewer();
create trigger note_sign_in before insert on probation_reviews
  for each row
  execute function note_sign_in_of_probation_review();

create table probation_review_counts (
  entity_id bigint not null,
  department_id bigint not null,
  status text not null,
  reviews bigint not null
);

create table probation_signatures (
  id bigint generated always as identity primary key,
  review_id bigint not null references probation_reviews,
  role text not null check (role in ('manager', 'hr', 'employee')),
  signer_id bigint references users,
  signer_name text not null,
  method text not null check (method in ('typed', 'drawn')),
  typed_name text,
  image_key text unique,
  image_checksum text,
  content jsonb not null,
  content_hash text not null,
  round integer not null,
  valid boolean not null default true,
  voided_at timestamptz(3),
  signed_at timestamptz(3) not null default now(),
  check ((method = 'typed') = (typed_name is not null)),
  check ((method = 'drawn') = (image_key is not null)),
  check (valid = (voided_at is null))
);
create index probation_signatures_review_idx on probation_signatures (review_id, signed_at desc, id desc);
create index probation_signatures_signer_idx on probation_signatures (signer_id)
  include (review_id)
  where role = 'manager' and valid;
create unique index probation_signatures_valid_key on probation_signatures (review_id, role, round)
  where valid;

create table probation_review_activity (
  id bigint generated always as identity primary key,
  review_id bigint not null references probation_reviews on delete cascade,
  at timestamptz(3) not null default now(),
  actor_id bigint references users,
  actor_name text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  round integer not null,
  snapshot jsonb,
  acting_for text
);
create index probation_review_activity_idx on probation_review_activity (review_id, at desc, id desc);

-- Templates of letters; null stands for the text that comes with the service, in the language of the reader.

create table letter_templates (
  kind text primary key check (kind in ('confirmation', 'extension', 'termination', 'review_record')),
  title text,
  body text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create trigger touch before update on letter_templates for each row execute function touch_row();

-- The brand of the installation (entity_id null) and of each company. Null stands for the brand above: of a company for that of the installation, of the installation for that of Tenure. The logo is in the file store under logo_key.

create table brands (
  id bigint generated always as identity primary key,
  entity_id bigint references entities on delete cascade,
  name text check (length(name) >= 2 and length(name) <= 60),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  logo_key text,
  logo_checksum text,
  logo_width integer,
  logo_height integer,
  letter_address text,
  letter_registration text,
  letter_footer text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (num_nulls(logo_key, logo_checksum, logo_width, logo_height) in (0, 4))
);
create unique index brands_entity_id_key on brands (entity_id) nulls not distinct;
create index brands_logo_key_idx on brands (logo_key) where logo_key is not null;
create trigger remove_logo after delete on brands
  for each row when (old.logo_key is not null)
  execute function remove_logos();
create trigger remove_replaced_logo after update of logo_key on brands
  for each row when (old.logo_key is not null and old.logo_key is distinct from new.logo_key)
  execute function remove_logos();
create trigger touch before update on brands for each row execute function touch_row();

-- Named sets of criteria for probation reviews: a review begins with the set that its company proposes.

create table probation_criteria_sets (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities on delete cascade,
  name text not null,
  criteria jsonb not null,
  is_proposed boolean not null default false,
  may_adapt boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index probation_criteria_sets_created_idx on probation_criteria_sets (created_at, id);
create unique index probation_criteria_sets_is_proposed_key on probation_criteria_sets (entity_id)
  where is_proposed;
create unique index probation_criteria_sets_name_key on probation_criteria_sets (entity_id, fold(name));
create index probation_criteria_sets_sort_idx on probation_criteria_sets (fold(name), id);
create index probation_criteria_sets_updated_idx on probation_criteria_sets (updated_at, id);
create trigger touch before update on probation_criteria_sets for each row execute function touch_row();

-- Announcements of HR on the home page, and what the home page shows of colleagues by the day of the year.

create table announcements (
  id bigint generated always as identity primary key,
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  title text not null,
  body text not null,
  starts_on date not null,
  ends_on date not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (ends_on >= starts_on)
);
create index announcements_ends_idx on announcements (ends_on, id);
create index announcements_entity_ids_idx on announcements using gin (entity_ids);
create index announcements_starts_idx on announcements (starts_on, id);
create trigger touch before update on announcements for each row execute function touch_row();

create table announcement_dismissals (
  announcement_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (announcement_id, user_id)
);
create index announcement_dismissals_user_id_idx on announcement_dismissals (user_id);

-- Texts of a file are matched with the choices of a field, as its columns are with fields.

create table import_words (
  field text not null,
  word text not null,
  value text,
  created_at timestamptz(3) not null default now(),
  primary key (field, word)
);

-- Named profiles of imports: how the files of one source are read, kept for a company.

create table import_profiles (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities on delete cascade,
  name text not null,
  mapping jsonb not null,
  defaults jsonb not null,
  "values" jsonb not null,
  date_format text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index import_profiles_created_idx on import_profiles (created_at, id);
create unique index import_profiles_name_key on import_profiles (entity_id, fold(name));
create index import_profiles_sort_idx on import_profiles (fold(name), id);
create trigger touch before update on import_profiles for each row execute function touch_row();

-- Days on which a person is away for long: parental leave, an illness, a sabbatical. The person stays active, counts as a member of staff and can sign in.

create table absences (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  first_day date not null,
  last_day date,
  absence_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  deputy_id bigint references employees on delete set null,
  deputy_tasks text[] not null default '{}' check (deputy_tasks <@ array['kpi_reviews', 'probation_reviews']),
  deputy_entity_ids bigint[],
  deputy_named_by bigint references employees on delete set null,
  deputy_missing_since timestamptz(3),
  check (deputy_id <> employee_id),
  constraint absences_last_day_check check (last_day >= first_day)
);
create index absences_deputy_id_idx on absences (deputy_id) where deputy_id is not null;
create index absences_deputy_named_by_idx on absences (deputy_named_by) where deputy_named_by is not null;
create index absences_employee_id_idx on absences (employee_id, first_day);
create index absences_last_day_idx on absences (coalesce(last_day, 'infinity'::date));
create index absences_missing_deputy_idx on absences (employee_id, first_day)
  where deputy_missing_since is not null;
create index absences_overlap on absences using gist (int8range(employee_id, employee_id, '[]'), daterange(first_day, last_day, '[]'));
create trigger mark_deputy before insert or update of deputy_id, deputy_tasks on absences
  for each row
  execute function mark_deputy();
create trigger settle_answers after insert or delete or update of first_day, last_day on absences
  for each row
  execute function settle_absence();
create trigger touch before update of employee_id, first_day, last_day, absence_reason, deputy_id, deputy_tasks, deputy_entity_ids, deputy_named_by on absences
  for each row
  execute function touch_row();

-- The days on which people had, have or will have which job while employed, for the directory, head count and chart as of a day. Derived from the job history and the record by triggers; nothing else writes it. Deleted people have no rows.

create table job_periods (
  employee_id bigint not null references employees on delete cascade,
  first_day date not null,
  last_day date not null,
  is_planned boolean not null,
  history_id bigint not null,
  entity_id bigint not null,
  department_id bigint not null,
  reporting_manager_id bigint,
  employment_type text not null,
  employment_lifecycle text not null,
  grade text,
  job_title text,
  job_title_sort text collate "C" generated always as (fold(job_title)) stored,
  primary key (employee_id, first_day)
);
create index job_periods_days_idx on job_periods (first_day, last_day);
create index job_periods_department_id_idx on job_periods (department_id, employee_id)
  include (first_day, last_day);
create index job_periods_employment_lifecycle_idx on job_periods (employment_lifecycle, employee_id)
  include (first_day, last_day);
create index job_periods_entity_id_idx on job_periods (entity_id, employee_id)
  include (first_day, last_day);
create index job_periods_job_title_desc_idx on job_periods (job_title_sort desc nulls last, employee_id desc)
  include (first_day, last_day);
create index job_periods_job_title_idx on job_periods (job_title_sort, employee_id)
  include (first_day, last_day);
create index job_periods_reporting_manager_id_idx on job_periods (reporting_manager_id)
  where reporting_manager_id is not null;
create index job_periods_title_words_idx on job_periods using gin (array_to_tsvector(search_words(job_title))) with (gin_pending_list_limit='256')
  where last_day < 'infinity'::date or is_planned;

-- Steps of HR with many evaluations at once. Each run is kept with what became of each evaluation, so that a job goes on where it stopped. Cycles may let HR release results without a comment where the flag is the standard one.

create table kpi_evaluation_bulks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('hr-review', 'close', 'remind', 'extend', 'reviewer', 'deem-accepted', 'cancel')),
  request jsonb not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'cancelled', 'stopped')),
  stop_reason jsonb,
  total integer not null,
  in_background boolean not null,
  created_by bigint not null references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  cancel_requested_at timestamptz(3),
  finished_at timestamptz(3),
  check ((status = 'processing') = (finished_at is null))
);
create index kpi_evaluation_bulks_creator_idx on kpi_evaluation_bulks (created_by, id);
create index kpi_evaluation_bulks_finished_idx on kpi_evaluation_bulks (finished_at);
create index kpi_evaluation_bulks_open_idx on kpi_evaluation_bulks (id) where status = 'processing';

create table kpi_evaluation_bulk_rows (
  bulk_id bigint not null references kpi_evaluation_bulks on delete cascade,
  evaluation_id bigint not null,
  seen_revision integer,
  outcome text check (outcome in ('changed', 'refused')),
  reason jsonb,
  former_reviewer_id bigint,
  primary key (bulk_id, evaluation_id)
);
create index kpi_evaluation_bulk_rows_open_idx on kpi_evaluation_bulk_rows (bulk_id, evaluation_id)
  where outcome is null;

-- Results of review rounds that were held before this service, from other systems. They are history that is read: no evaluation, in no workflow, and in no figures of cycles. A result is a percentage or points on a scale from its lowest to its highest end, which may be the smaller number; or a band alone.

create table former_results (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  period text check (length(period) >= 1 and length(period) <= 100),
  period_from date,
  period_to date not null,
  unit text check (unit in ('percent', 'points')),
  result numeric(9,3),
  scale_from numeric(9,3),
  scale_to numeric(9,3),
  percentage numeric(5,2),
  band text check (length(band) >= 1 and length(band) <= 60),
  source text not null check (length(source) >= 1 and length(source) <= 100),
  created_by bigint references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint former_results_has_result check (result is not null or band is not null),
  constraint former_results_on_scale check ((result is null) = (unit is null) and (result is null) = (scale_from is null) and (result is null) = (scale_to is null) and result >= least(scale_from, scale_to) and result <= greatest(scale_from, scale_to)),
  constraint former_results_period_order check (period_from <= period_to)
);
create index former_results_created_by_idx on former_results (created_by) where created_by is not null;
create unique index former_results_period_to_key on former_results (employee_id, period_to, coalesce(period_from, '-infinity'::date), fold(source));
create trigger touch before update on former_results for each row execute function touch_row();

-- People who became eligible for a published cycle after it was published: found by a daily job, which notifies once of each person. A row is removed when the person gets an evaluation or is no longer eligible.

create table kpi_newly_eligible (
  cycle_id bigint not null references kpi_cycles on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  found_at timestamptz(3) not null default now(),
  primary key (cycle_id, employee_id)
);
create index kpi_newly_eligible_employee_idx on kpi_newly_eligible (employee_id);
create index kpi_newly_eligible_found_idx on kpi_newly_eligible (cycle_id, found_at, employee_id);

create table kpi_cycle_left_out (
  cycle_id bigint not null references kpi_cycles on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  reason text not null,
  decided_at timestamptz(3) not null default now(),
  decided_by bigint references users,
  decided_by_name text not null,
  primary key (cycle_id, employee_id)
);
create index kpi_cycle_left_out_decided_by_idx on kpi_cycle_left_out (decided_by);
create index kpi_cycle_left_out_employee_idx on kpi_cycle_left_out (employee_id);

-- Imports of files of people from a ZIP archive. Each file is staged as a row of the import, with its content in the store under import_files.file_key until the commit makes an attachment of it.

create table import_files (
  import_id bigint not null,
  "row" integer not null,
  file_key text unique,
  file_name text not null,
  mime_type text,
  size bigint not null,
  checksum text,
  refusal jsonb,
  primary key (import_id, "row"),
  foreign key (import_id, "row") references import_rows(import_id, "row") on delete cascade,
  constraint import_files_kept_or_refused check ((file_key is null) = (refusal is not null) and (file_key is null) = (checksum is null) and (file_key is null) = (mime_type is null))
);
create trigger free_files after delete on import_files referencing old table as gone
  for each statement
  execute function free_staged_files();

-- Decisions and shared reviews of people without a sign-in: the reviewer or HR records the acknowledgement with the day of the talk and the signed sheet.

create table probation_sheets (
  id bigint generated always as identity primary key,
  review_id bigint not null unique references probation_reviews,
  file_key text not null unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  checksum text not null,
  scan_status text not null check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now()
);

-- Two tasks of HR are about what is missing: no successor for a leaver, no review for a probation. Looking for it costs as much as there are leavers and people on probation. Triggers note the people in question in the transaction of each change that may cause such a task, a job removes those without one, and each reader judges the noted people. A person can be noted twice. No one with such a task is ever missing: that does not depend on the day or the reader.

create table offboarding_candidates (
  employee_id bigint not null references employees on delete cascade
);
create index offboarding_candidates_idx on offboarding_candidates (employee_id);

create table probation_review_candidates (
  employee_id bigint not null references employees on delete cascade,
  entity_id bigint not null references entities on delete cascade,
  probation_end_date date not null
);
create index probation_review_candidates_employee_idx on probation_review_candidates (employee_id);
create index probation_review_candidates_idx on probation_review_candidates (entity_id, probation_end_date)
  include (employee_id);

-- Figures of the dashboard that grew with the number of people.

create table employee_tenure_counts (
  entity_id bigint not null,
  month date not null,
  employment_type text not null,
  people bigint not null
);

-- The last employee number of each company stands in a table of its own: a lock of the counter conflicts with no lock of the company, so that a request can take its number late and hold the counter for a short time.

create table employee_numbers (
  entity_id bigint primary key references entities on delete cascade,
  last bigint not null default 0
);

-- Backups: the key that names their chunks, and the runs of backups, verifications and drills for those who watch them.

create table backup_key (
  id boolean not null default true primary key check (id),
  key bytea not null check (octet_length(key) = 32)
);

create table backups (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('backup', 'verification', 'drill')),
  status text not null check (status in ('done', 'failed')),
  backup text,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null default now(),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  error text,
  check ((status = 'failed') = (error is not null))
);
create index backups_kind_idx on backups (kind, finished_at desc);

-- Exports and imports of each user and day (UTC): all processes count together, and a restart forgets nothing.

create table budgets (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('export', 'import')),
  day date not null,
  used integer not null check (used > 0),
  primary key (user_id, kind, day)
);
create index budgets_day_idx on budgets (day);

-- Releases side by side: the processes that use the database, and the browser application of the last releases.

create table processes (
  id uuid primary key,
  release text not null,
  role text not null check (role in ('all', 'api', 'worker')),
  host text not null,
  contracts text[] not null,
  started_at timestamptz(3) not null default now(),
  beating_since timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);

create table web_releases (
  release text primary key,
  migrations integer not null check (migrations > 0),
  page text not null,
  stored_at timestamptz(3) not null default now()
);

create table web_assets (
  path text not null,
  release text not null references web_releases(release) on delete cascade,
  body bytea not null,
  primary key (path, release)
);
create index web_assets_release_idx on web_assets (release);

-- Requests of each user in a minute: what processes report of their counts, so that they limit together. Nothing of it is worth a flush, a copy on a standby or a backup.

create unlogged table rate_counts (
  slot timestamptz(0) not null,
  scope text not null,
  key text not null,
  used integer not null check (used > 0),
  primary key (slot, scope, key)
);

-- What a person proves a second factor with. Nothing asks for it yet; its secret is the first sealed column.

create table authenticators (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  secret text constraint authenticators_secret_sealed check (secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  last_step bigint,
  credential_id bytea unique,
  public_key bytea,
  counter bigint,
  transports text[],
  rp_id text,
  backed_up boolean,
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  let_in_by_id bigint
);
create index authenticators_secret_key_idx on authenticators (substr(secret, 3, 12), id)
  where secret is not null;
create index authenticators_user_id_idx on authenticators (user_id);
create trigger void_password after delete on authenticators referencing old table as gone
  for each statement
  execute function void_password();

-- Who must sign in through a provider, and who must have a second factor. One row applies to companies without a row of their own, and to accounts without a person. Nothing is demanded until someone writes it here.

create table sign_in_policies (
  id bigint generated always as identity primary key,
  entity_id bigint unique nulls not distinct (entity_id) references entities on delete cascade,
  sso_provider_ids bigint[] not null default '{}' constraint sign_in_policies_null_check check (array_position(sso_provider_ids, null::bigint) is null),
  sso_required boolean not null default false,
  second_factor_from date,
  session_max_hours double precision check (session_max_hours > 0::double precision),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint sign_in_policies_providers_check check (not sso_required or cardinality(sso_provider_ids) > 0)
);
create trigger bump_on_policy after insert or delete or update on sign_in_policies
  for each statement
  execute function bump_structure_version();

-- Links by mail beside those that HR sends: to a new password that the person asked for, and the two of another sign-in address, which the new address confirms and the old one stops. A table of its own, because the release before refuses other purposes in account_links.

create table own_account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('requested_reset', 'address_change', 'address_stop')),
  token_hash text unique,
  email text not null,
  created_by bigint references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint own_account_links_sender_check check ((purpose = 'requested_reset') = (created_by is null))
);
create index own_account_links_created_by_idx on own_account_links (created_by);
create index own_account_links_expires_at_idx on own_account_links (expires_at);
create unique index own_account_links_open_key on own_account_links (user_id, purpose)
  where used_at is null and revoked_at is null;
create index own_account_links_user_id_idx on own_account_links (user_id, created_at);

-- Providers of single sign-on (OpenID Connect), whom their subjects are here, and people who tried and were not found. There is none until an administrator adds one.

create table identity_providers (
  id bigint generated always as identity primary key,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  is_enabled boolean not null default false,
  issuer text not null,
  client_id text not null,
  client_auth text not null default 'client_secret_basic' check (client_auth in ('client_secret_basic', 'client_secret_post')),
  client_secret text constraint identity_providers_client_secret_sealed check (client_secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  scopes text[] not null default '{openid,profile,email}',
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  match_rule text not null default 'verified_email' check (match_rule in ('linked_only', 'verified_email', 'tenant_address')),
  subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  address_claim text not null default 'email' check (address_claim in ('email', 'preferred_username', 'upn')),
  second_factor text not null default 'never' check (second_factor in ('never', 'always', 'values')),
  second_factor_values text[] not null default '{}',
  session_max_hours double precision check (session_max_hours > 0::double precision),
  metadata jsonb not null,
  checked_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  tested_at timestamptz(3),
  tested_by bigint references users on delete set null,
  test_result jsonb,
  end_session boolean not null default false,
  groups_claim text,
  uses_key boolean not null default false,
  kind text not null default 'oidc',
  sso_url text,
  certificates text[] not null default '{}',
  subject_attribute text,
  address_attribute text,
  signed_out_at timestamptz(3),
  constraint identity_providers_kind_check check (
case kind
    when 'oidc' then sso_url is null and cardinality(certificates) = 0
    when 'saml' then sso_url is not null and cardinality(certificates) >= 1 and cardinality(certificates) <= 2
    else false
end) not valid
);
create index identity_providers_client_secret_key_idx on identity_providers (substr(client_secret, 3, 12), id)
  where client_secret is not null;
create unique index identity_providers_name_key on identity_providers (fold(name));
create index identity_providers_tested_by_idx on identity_providers (tested_by) where tested_by is not null;
create trigger end_beyond after update of entity_ids on identity_providers
  for each row when (new.entity_ids is not null and new.entity_ids is distinct from old.entity_ids)
  execute function end_beyond_provider();
create trigger note_disabled before update of is_enabled on identity_providers
  for each row when (old.is_enabled and not new.is_enabled)
  execute function note_provider_disabled();
create trigger offer_domains after update of is_enabled on identity_providers
  for each row when (old.is_enabled <> new.is_enabled)
  execute function offer_domains_of_provider();
create trigger touch before update on identity_providers for each row execute function touch_row();

create table identity_domains (
  domain text primary key,
  provider_id bigint not null references identity_providers on delete cascade
);
create index identity_domains_provider_id_idx on identity_domains (provider_id);
create trigger keep after insert or delete on identity_domains
  for each row when (pg_trigger_depth() = 0)
  execute function keep_domain();

create table user_identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  provider_id bigint not null references identity_providers on delete cascade,
  subject text not null check (length(subject) >= 1 and length(subject) <= 255),
  email text,
  linked_by text not null check (linked_by in ('rule', 'person', 'hr')),
  linked_by_id bigint references users on delete set null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  groups text[],
  groups_missing_at timestamptz(3),
  signed_out_at timestamptz(3),
  constraint user_identities_subject_key unique (provider_id, subject),
  constraint user_identities_user_id_key unique (user_id, provider_id)
);
create index user_identities_linked_by_id_idx on user_identities (linked_by_id)
  where linked_by_id is not null;

create table sso_unmatched (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  subject text not null,
  email text,
  name text,
  tries integer not null default 1,
  last_try_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  groups_count integer,
  constraint sso_unmatched_subject_key unique (provider_id, subject)
);
create index sso_unmatched_last_try_at_idx on sso_unmatched (last_try_at);

create table used_once (
  purpose text not null,
  hash text not null,
  expires_at timestamptz(3) not null,
  primary key (purpose, hash)
);
create index used_once_expires_at_idx on used_once (expires_at);

-- Codes that stand in for a lost authenticator app, each once. Of 80 random bits, so that a plain hash suffices.

create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  hash text not null check (length(hash) = 64),
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (user_id, hash)
);

-- Rules that give roles to the people of a provider by their groups there. Without a rule no role is given.

create table role_rules (
  id bigint generated always as identity primary key,
  provider_id bigint references identity_providers on delete cascade constraint role_rules_source_check check (provider_id is not null),
  value text not null check (length(value) >= 1 and length(value) <= 255),
  role_id bigint not null references roles on delete cascade,
  entity_ids bigint[],
  department_ids bigint[] check (cardinality(department_ids) > 0),
  created_at timestamptz(3) not null default now(),
  constraint role_rules_value_key unique (provider_id, value, role_id),
  constraint role_rules_limits_check check (
case
    when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
    else entity_ids is not null
end)
);
create index role_rules_role_id_idx on role_rules (role_id);

-- Tokens with which programs call the API, and service accounts: accounts of programs, without a person or password. There is none of them until somebody with the permission makes one.

create table service_accounts (
  user_id bigint primary key references users on delete cascade,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  description text check (length(description) <= 500),
  owner_ids bigint[] not null check (cardinality(owner_ids) >= 1 and cardinality(owner_ids) <= 2),
  cidrs cidr[] check (cardinality(cidrs) >= 1 and cardinality(cidrs) <= 50),
  created_by bigint references users on delete set null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index service_accounts_created_by_idx on service_accounts (created_by) where created_by is not null;
create unique index service_accounts_name_key on service_accounts (fold(name));
create index service_accounts_owner_ids_idx on service_accounts using gin (owner_ids);
create trigger touch before update on service_accounts for each row execute function touch_row();

create table api_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('personal', 'service', 'provisioning')),
  name text not null check (length(name) >= 1 and length(name) <= 60),
  hash text not null unique check (length(hash) = 64),
  hint text not null check (length(hint) = 4),
  permissions text[] check (cardinality(permissions) > 0),
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  epoch integer not null,
  global_epoch integer not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  last_used_ip text,
  ips text[] not null default '{}',
  revoked_at timestamptz(3),
  reason text,
  created_by bigint references users on delete set null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  let_in_by_id bigint,
  constraint api_tokens_kind_permissions check ((permissions is null) = (kind = 'provisioning'))
);
create index api_tokens_attention_idx on api_tokens (least((expires_at at time zone 'UTC') - '14 days'::interval, (coalesce(last_used_at, created_at) at time zone 'UTC') + '90 days'::interval), id)
  where revoked_at is null;
create index api_tokens_created_by_idx on api_tokens (created_by) where created_by is not null;
create index api_tokens_expires_at_idx on api_tokens (expires_at) where revoked_at is null;
create index api_tokens_user_id_idx on api_tokens (user_id);
create trigger touch before update of name, permissions, entity_ids, revoked_at on api_tokens
  for each row
  execute function touch_row();

-- Blocks of sign-in: who switched an account off, each in a row of its own, so that lifting one leaves the others. The end of an employment and its suspension by HR are states of the person and none of these.

create table sign_in_blocks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  source text not null default 'hand' constraint sign_in_blocks_known_source check (source in ('hand', 'scim', 'other')),
  connection_id bigint,
  source_name text check (length(source_name) <= 60),
  since timestamptz(3) not null default now(),
  reason text,
  created_by bigint references users on delete set null,
  constraint sign_in_blocks_source_key unique nulls not distinct (user_id, source, connection_id),
  constraint sign_in_blocks_by_hand check ((source = 'hand') = (reason is not null) and (reason is null or connection_id is null and length(reason) >= 1 and length(reason) <= 500))
);
create trigger apply_sign_in_block after insert on sign_in_blocks for each row execute function apply_sign_in_block();
create trigger begin_sign_in_block before insert on sign_in_blocks for each row execute function begin_sign_in_block();
create trigger lift_sign_in_block after delete on sign_in_blocks for each row execute function lift_sign_in_block();

-- Provisioning by SCIM 2.0: connections of identity providers, and what each of them knows of users and groups. The rows are handles: a user of a connection points at an account and is none.

create table scim_connections (
  id bigint generated always as identity primary key,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  user_id bigint not null references users,
  is_enabled boolean not null default true,
  is_dry_run boolean not null default false,
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  provider_id bigint references identity_providers on delete set null,
  unmatched text not null default 'stage' check (unmatched in ('stage', 'refuse')),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  owner_ids bigint[] not null default '{}' check (cardinality(owner_ids) <= 2) not valid
);
create unique index scim_connections_name_key on scim_connections (fold(name));
create index scim_connections_provider_id_idx on scim_connections (provider_id)
  where provider_id is not null;
create unique index scim_connections_user_id_key on scim_connections (user_id);
create trigger touch before update on scim_connections for each row execute function touch_row();

create table scim_users (
  id uuid not null default gen_random_uuid() primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  user_id bigint unique references users on delete cascade,
  user_name text not null check (length(user_name) >= 1 and length(user_name) <= 500),
  external_id text check (length(external_id) >= 1 and length(external_id) <= 500),
  is_active boolean not null default true,
  sent jsonb not null default '{}' check (jsonb_typeof(sent) = 'object'),
  dismissed_at timestamptz(3),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  linked_by text,
  linked_by_id bigint,
  withheld_roles bigint[] not null default '{}'
);
create unique index scim_users_account_key on scim_users (user_id, connection_id);
create index scim_users_address_idx on scim_users (connection_id, lower(sent #>> '{emails,0,value}'))
  where user_id is null;
create index scim_users_connection_id_idx on scim_users (connection_id, id);
create unique index scim_users_external_id_key on scim_users (connection_id, external_id);
create unique index scim_users_user_name_key on scim_users (connection_id, lower(user_name));
create index scim_users_waiting_idx on scim_users (connection_id, created_at) where user_id is null;
create trigger touch before update on scim_users for each row execute function touch_row();

create table scim_groups (
  id uuid not null default gen_random_uuid() primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  display_name text not null check (length(display_name) >= 1 and length(display_name) <= 500),
  external_id text check (length(external_id) >= 1 and length(external_id) <= 500),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index scim_groups_connection_id_idx on scim_groups (connection_id, id);
create index scim_groups_display_name_idx on scim_groups (connection_id, lower(display_name));
create unique index scim_groups_external_id_key on scim_groups (connection_id, external_id);
create trigger touch before update on scim_groups for each row execute function touch_row();

create table scim_members (
  group_id uuid not null references scim_groups on delete cascade,
  value text not null check (length(value) >= 1 and length(value) <= 500),
  scim_user_id uuid,
  primary key (group_id, value)
);
create index scim_members_scim_user_id_idx on scim_members (scim_user_id) where scim_user_id is not null;

create table scim_requests (
  id bigint generated always as identity primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  at timestamptz(3) not null default now(),
  method text not null,
  resource text not null,
  target uuid,
  status smallint not null,
  effect text,
  detail text check (length(detail) <= 500),
  changed text[] not null default '{}',
  ignored text[] not null default '{}',
  is_dry_run boolean not null default false,
  user_id bigint references users on delete set null
);
create index scim_requests_at_idx on scim_requests (at);
create index scim_requests_connection_id_idx on scim_requests (connection_id, id);
create index scim_requests_user_id_idx on scim_requests (user_id) where user_id is not null;

-- Months of the audit log that were written to an archive and removed from the database. Their links stay in audit_chain, so that the chain has no gap, and an archived month can be compared with it at any time.

create table audit_archives (
  month date primary key check (month = date_trunc('month', month::timestamp with time zone)),
  entries bigint not null check (entries > 0),
  positions int8multirange not null,
  manifest_sha256 text not null check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  location text not null,
  archived_at timestamptz(3) not null default now()
);
create trigger append_only before delete or update on audit_archives for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_archives
  for each statement
  execute function refuse_change();

-- What programs are notified of: entries of the audit log in the order of the chain, which is that of their commits.

create table events (
  sequence bigint primary key,
  audit_id bigint not null,
  type text not null,
  at timestamptz(3) not null,
  subject_id bigint,
  entity_id bigint,
  employee_id bigint,
  about_employee_id bigint,
  changed text[] not null default '{}',
  by_user boolean not null,
  by_token boolean not null default false
);
create index events_at_idx on events (at);
create index events_entity_idx on events (entity_id, sequence);

create table events_reached (
  id boolean not null default true primary key check (id),
  link bigint not null,
  sequence bigint not null default 0
);

-- Webhooks: addresses of other programs that get events, and each event on its way to them. There is none until an administrator adds one.

create table webhooks (
  id bigint generated always as identity primary key,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  url text not null check (length(url) <= 500),
  types text[] check (cardinality(types) > 0),
  service_account_id bigint not null references service_accounts(user_id) on delete cascade,
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  signature text not null default 'v1' check (signature in ('v1', 'v1a')),
  secret text constraint webhooks_secret_sealed check (secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  previous_secret text constraint webhooks_previous_secret_sealed check (previous_secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  public_key text,
  previous_until timestamptz(3),
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  reason text check (reason in ('person', 'gone', 'failing', 'more_rights')),
  set_by_id bigint references users on delete set null,
  failing_since timestamptz(3),
  failures integer not null default 0,
  last_sent_at timestamptz(3),
  leased_by text,
  leased_until timestamptz(3),
  next_turn_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  last_sent_about bigint,
  last_sent_before timestamptz(3)
);
create unique index webhooks_name_key on webhooks (fold(name));
create index webhooks_previous_secret_key_idx on webhooks (substr(previous_secret, 3, 12), id)
  where previous_secret is not null;
create index webhooks_secret_key_idx on webhooks (substr(secret, 3, 12), id) where secret is not null;
create index webhooks_service_account_id_idx on webhooks (service_account_id);
create index webhooks_set_by_id_idx on webhooks (set_by_id) where set_by_id is not null;
create trigger touch before update of name, url, types, service_account_id, entity_ids, public_key, status on webhooks
  for each row
  execute function touch_row();

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  sequence bigint not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  tried_at timestamptz(3),
  http_status smallint,
  error text check (error in ('status', 'timeout', 'connection', 'unresolved', 'denied', 'proxy')),
  ms integer,
  created_at timestamptz(3) not null default now(),
  unique (webhook_id, sequence)
);
create index webhook_deliveries_dead_idx on webhook_deliveries (webhook_id, sequence) where status = 'dead';
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, next_attempt_at)
  where status = 'pending';
create index webhook_deliveries_forget_idx on webhook_deliveries (sequence);

create table webhook_hours (
  webhook_id bigint not null references webhooks on delete cascade,
  hour timestamptz(3) not null,
  sent integer not null default 0,
  failed integer not null default 0,
  primary key (webhook_id, hour)
);

create table webhooks_reached (
  id boolean not null default true primary key check (id),
  sequence bigint not null default 0
);

-- Rules that give roles to the people of a connection of SCIM by its groups, beside those of providers. An assignment of such a rule keeps the source of one given by hand, which the release before leaves alone.

create table scim_role_rules (
  id bigint generated always as identity primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  value text not null check (length(value) >= 1 and length(value) <= 255),
  role_id bigint not null references roles on delete cascade,
  entity_ids bigint[],
  department_ids bigint[] check (cardinality(department_ids) > 0),
  created_at timestamptz(3) not null default now(),
  constraint scim_role_rules_value_key unique (connection_id, value, role_id),
  constraint scim_role_rules_limits_check check (
case
    when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
    else entity_ids is not null
end)
);
create index scim_role_rules_role_id_idx on scim_role_rules (role_id);

-- Keys by which the service proves to providers who it is, in place of a secret that both know. A key is published before it signs, and for a day after the next one began to.

create table client_keys (
  id bigint generated always as identity primary key,
  kid text not null unique,
  public_key jsonb not null,
  private_key text constraint client_keys_private_key_sealed check (private_key ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  signs_from timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now()
);
create index client_keys_private_key_key_idx on client_keys (substr(private_key, 3, 12), id)
  where private_key is not null;

-- Addresses at which calendar applications read what a person has to do by when. Nothing but their hash is kept, and a removed one is gone. There is none until a person makes one.

create table calendar_feeds (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  hash text not null unique check (length(hash) = 64),
  kinds text[] not null check (cardinality(kinds) >= 1 and cardinality(kinds) <= 4),
  with_names boolean not null,
  epoch integer not null,
  global_epoch integer not null,
  let_in_by_id bigint,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  reads integer not null default 0,
  reads_hour timestamptz(3)
);
create index calendar_feeds_user_id_idx on calendar_feeds (user_id);

-- Channels of Slack, Mattermost and Teams that get numbers of what is due. There is none until an administrator adds one.

create table chat_targets (
  id bigint generated always as identity primary key,
  name text not null check (length(name) >= 2 and length(name) <= 60),
  kind text not null check (kind in ('slack', 'mattermost', 'teams')),
  host text not null check (length(host) <= 255),
  url text constraint chat_targets_url_sealed check (url ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  counts text[] not null check (cardinality(counts) > 0),
  weekday integer check (weekday >= 1 and weekday <= 7),
  hour integer not null check (hour >= 0 and hour <= 23),
  timezone text not null,
  language text not null,
  posted_on date,
  tries integer not null default 0,
  tried_at timestamptz(3),
  http_status integer,
  error text,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  set_by_id bigint references users on delete set null,
  status text not null default 'active' check (status in ('active', 'stopped')),
  reason text check (reason in ('account', 'permission', 'counts')),
  tested_at timestamptz(3)
);
create unique index chat_targets_name_key on chat_targets (fold(name));
create index chat_targets_set_by_id_idx on chat_targets (set_by_id) where set_by_id is not null;
create index chat_targets_url_key_idx on chat_targets (substr(url, 3, 12), id) where url is not null;
create trigger touch before update of name, kind, host, entity_ids, counts, weekday, hour, timezone, language, set_by_id, status on chat_targets
  for each row
  execute function touch_row();

-- Providers of SAML 2.0 beside those of OpenID Connect. All columns have values that mean a provider of OpenID Connect, so the release before goes on as it did. It has no secret for a provider of SAML and answers 404 for one.

create table saml_requests (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  request_hash text not null unique,
  handoff_hash text unique,
  answer text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index saml_requests_expires_at_idx on saml_requests (expires_at);
create index saml_requests_provider_id_idx on saml_requests (provider_id);

-- Since when sign-ins through a provider fail for reasons of the provider or of its settings, and since when its discovery document can not be read. A row goes with the next success. Not in identity_providers, whose revision would rise.

create table provider_outages (
  provider_id bigint not null references identity_providers on delete cascade,
  part text not null check (part in ('sign_in', 'discovery')),
  reason text not null check (reason in ('away', 'refused', 'answer', 'unreadable', 'issuer')),
  failures integer not null default 0,
  since timestamptz(3) not null default now(),
  notified_at timestamptz(3),
  primary key (provider_id, part)
);

-- A domain belongs to one of the providers that are on, and may be prepared for another one that is off. All domains are in provider_domains. identity_domains, whose key is the domain, keeps those of the providers that are on, which the release before reads and writes; triggers keep the two alike, whichever release writes.

create table provider_domains (
  provider_id bigint not null references identity_providers on delete cascade,
  domain text not null,
  primary key (provider_id, domain)
);
create trigger offer after insert or delete on provider_domains for each row execute function offer_domain();

-- The total of a list of evaluations adds up as many counts as there are departments. When the counts are folded, they are added up by company too: a total is that, and what came since. No change of an evaluation writes more than before.

create table kpi_folded_counts (
  cycle_id bigint not null,
  entity_id bigint not null,
  status text not null,
  due_on date,
  band text,
  evaluations integer not null,
  percentages numeric not null
);
create index kpi_folded_counts_idx on kpi_folded_counts (cycle_id, entity_id);
create index kpi_folded_counts_open_idx on kpi_folded_counts (status, entity_id, due_on)
  include (evaluations)
  where status not in ('completed', 'cancelled');

create view kpi_company_counts as
 select kpi_folded_counts.cycle_id,
    kpi_folded_counts.entity_id,
    kpi_folded_counts.status,
    kpi_folded_counts.due_on,
    kpi_folded_counts.band,
    kpi_folded_counts.evaluations,
    kpi_folded_counts.percentages
   from kpi_folded_counts
union all
 select kpi_evaluation_counts.cycle_id,
    kpi_evaluation_counts.entity_id,
    kpi_evaluation_counts.status,
    kpi_evaluation_counts.due_on,
    kpi_evaluation_counts.band,
    kpi_evaluation_counts.evaluations::integer as evaluations,
    kpi_evaluation_counts.percentages
   from kpi_evaluation_counts
  where kpi_evaluation_counts.folded is null;

-- Tries of a webhook that were about the own review of a person, by hour, and whose review the latest delivery was about: that person's numbers leave them out. No references, as events have none.

create table webhook_hours_about (
  webhook_id bigint not null references webhooks on delete cascade,
  hour timestamptz(3) not null,
  employee_id bigint not null,
  sent integer not null default 0,
  failed integer not null default 0,
  primary key (webhook_id, hour, employee_id)
);
