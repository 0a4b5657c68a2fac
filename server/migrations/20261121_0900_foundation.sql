-- Accounts, rights, sessions and the records every feature writes: audit log, idempotency keys, login limits.

-- Letters without case, accents and ligatures, so that "Muller" finds "Müller" and both sort together. Most texts are
-- plain, and what is done for the others costs ten times as much.
create function fold(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = length(value) then lower(value)
    else translate(
      regexp_replace(normalize(lower(normalize(value, nfkd)), nfkd), '[\u0300-\u036f]', '', 'g'),
      'øłđðħıþ', 'oldðhip')
  end;

-- Every way a searched word may begin inside a text: each word, each of its parts, and the rest from each part on,
-- so that "park@acme" finds "lena.park@acme.example".
create function search_words(value text) returns text[]
  language plpgsql immutable strict parallel safe set search_path from current as $$
declare
  word text;
  at int;
  found text[] := '{}';
begin
  foreach word in array regexp_split_to_array(fold(value), '\s+') loop
    continue when word = '';
    at := 1;
    loop
      found := found || substr(word, at, 200);
      at := regexp_instr(word, '[^a-z0-9][a-z0-9]', at) + 1;
      exit when at = 1;
    end loop;
  end loop;
  return array(select distinct unnest(found));
end $$;

create function touch_row() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    new.updated_at := now();
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;

-- One row. structure_version rises when rights that hang on the organisation change (role contents, department
-- managers); global_epoch ends every session of the installation when raised.
create table installation (
  id boolean primary key default true check (id),
  structure_version bigint not null default 1,
  global_epoch integer not null default 1,
  is_demo boolean not null default false,
  created_at timestamptz(3) not null default now()
);
insert into installation default values;
-- without statistics the planner takes an unknown table for a large one, in the query of every request
analyze installation;

create table users (
  id bigint generated always as identity primary key,
  email text not null constraint users_email_key unique check (email = lower(email)),
  password_hash text,
  password_expires_at timestamptz(3),
  one_time_password boolean not null default false,
  must_change_password boolean not null default false,
  is_enabled boolean not null default true,
  session_epoch integer not null default 1,
  access_version bigint not null default 1,
  -- what the assignments come to, kept by their triggers, so that a list of people reads no assignments
  roles jsonb not null default '[]',
  is_admin boolean not null default false,
  locale text not null default 'en',
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, email)
);

create table roles (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 2 and 60),
  description text,
  scope text not null check (scope in ('own', 'managed', 'all')),
  is_system boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index roles_name_key on roles (fold(name));
create trigger touch before update on roles for each row execute function touch_row();

create table role_permissions (
  role_id bigint not null references roles on delete cascade,
  permission text not null,
  primary key (role_id, permission)
);

create table role_assignments (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles,
  entity_ids bigint[] check (entity_ids is null or cardinality(entity_ids) > 0),
  primary key (user_id, role_id)
);
create index role_assignments_role_id_idx on role_assignments (role_id);

-- A changed assignment counts at the next request of its holder, a changed role at the next request of everybody.
create function settle_roles(accounts bigint[]) returns void language sql as $$
  update users u set
    access_version = access_version + 1,
    roles = coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids) order by r.name)
                      from role_assignments a join roles r on r.id = a.role_id where a.user_id = u.id), '[]'),
    is_admin = exists (select from role_assignments a join roles r on r.id = a.role_id
                       where a.user_id = u.id and r.is_system and r.name = 'Admin')
  where id = any(accounts)
$$;
create function bump_access_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform settle_roles(array(select distinct user_id from old_rows));
  elsif tg_op = 'INSERT' then
    perform settle_roles(array(select distinct user_id from new_rows));
  else
    perform settle_roles(array(select user_id from old_rows union select user_id from new_rows));
  end if;
  return null;
end $$;
create function settle_role_name() returns trigger language plpgsql as $$
begin
  perform settle_roles(array(select user_id from role_assignments where role_id = new.id));
  return null;
end $$;
create trigger settle_name after update of name on roles
  for each row when (new.name <> old.name) execute function settle_role_name();
create trigger bump_on_insert after insert on role_assignments
  referencing new table as new_rows for each statement execute function bump_access_version();
create trigger bump_on_update after update on role_assignments
  referencing old table as old_rows new table as new_rows for each statement execute function bump_access_version();
create trigger bump_on_delete after delete on role_assignments
  referencing old table as old_rows for each statement execute function bump_access_version();

create function bump_structure_version() returns trigger language plpgsql as $$
begin
  update installation set structure_version = structure_version + 1;
  return null;
end $$;
create trigger bump after insert or update or delete on role_permissions
  for each statement execute function bump_structure_version();
create trigger bump after update of name, scope on roles
  for each statement execute function bump_structure_version();

create table session_register (
  id bigint generated always as identity primary key,
  sid_hash text not null constraint session_register_sid_hash_key unique,
  user_id bigint not null references users on delete cascade,
  epoch integer not null,
  global_epoch integer not null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  reason text,
  ip text,
  user_agent text check (length(user_agent) <= 255)
);
create index session_register_user_id_idx on session_register (user_id) where revoked_at is null;
create index session_register_ended_idx on session_register (expires_at);

-- One row per limited key (account and address, account, address); see access/login-limits.ts.
create table login_attempts (
  key text primary key,
  window_start timestamptz(3) not null default now(),
  attempts integer not null default 0,
  last_attempt_at timestamptz(3) not null default now()
);
create index login_attempts_last_idx on login_attempts (last_attempt_at);

create table idempotency_keys (
  user_id bigint not null references users on delete cascade,
  key text not null check (length(key) between 1 and 255),
  method text not null,
  path text not null,
  body_hash text not null,
  status smallint,
  body text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);

-- Append-only; partitioned by month so that years of it stay cheap to keep and to search.
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
  changes jsonb not null default '{}',
  reason text,
  request_id text,
  ip text,
  primary key (id, at)
) partition by range (at);
create index audit_log_at_idx on audit_log (at desc, id desc);
create index audit_log_subject_idx on audit_log (subject_type, subject_id, at desc);
create index audit_log_actor_idx on audit_log (actor_id, at desc);
create index audit_log_entity_idx on audit_log (entity_id, at desc);
create index audit_log_action_idx on audit_log (action, at desc);
create index audit_log_request_idx on audit_log (request_id);

create table audit_log_default partition of audit_log default;

-- Makes the partitions of the months around now; the daily job calls it, a row never waits for it (default partition).
create function ensure_audit_partitions(months_ahead integer) returns void language plpgsql as $$
declare
  month date := date_trunc('month', now())::date;
  name text;
begin
  for i in 0..months_ahead loop
    name := 'audit_log_' || to_char(month, 'YYYYMM');
    if to_regclass(name) is null
       and not exists (select 1 from audit_log_default where at >= month and at < month + interval '1 month') then
      execute format('create table %I partition of audit_log for values from (%L) to (%L)',
                     name, month::timestamptz, (month + interval '1 month')::timestamptz);
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;
select ensure_audit_partitions(12);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_log for each statement execute function refuse_change();
