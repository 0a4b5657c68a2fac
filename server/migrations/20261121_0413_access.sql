-- Roles, what they permit, and who holds them.

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

-- The five seeded roles; their permissions are data that an administrator may change (except those of Admin).
insert into roles (name, description, scope, is_system) values
  ('Admin', 'Holds every permission', 'all', true),
  ('HR', 'Runs people, KPI and probation work', 'all', true),
  ('Manager', 'Manages a department', 'managed', true),
  ('TeamLead', 'Leads a team', 'managed', true),
  ('Employee', 'Works here', 'own', true);

create table role_permissions (
  role_id bigint not null references roles on delete cascade,
  permission text not null,
  primary key (role_id, permission)
);

-- Permissions that were granted to the seeded roles once; a later release adds its new ones and changes no others.
create table known_permissions (name text primary key);

create table role_assignments (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles,
  entity_ids bigint[] check (entity_ids is null or cardinality(entity_ids) > 0),
  primary key (user_id, role_id)
);
create index role_assignments_role_id_idx on role_assignments (role_id);

-- A changed role counts at the next request of every user.
create trigger bump after insert or update or delete on role_permissions
  for each statement execute function bump_structure_version();
create trigger bump after update of name, scope on roles
  for each statement execute function bump_structure_version();

-- A changed assignment counts at the next request of its holder. An account whose columns already equal its assignments
-- stays untouched: imports write thousands of accounts together with their roles.
create function settle_roles(accounts bigint[]) returns void language sql as $$
  update users u set access_version = access_version + 1, roles = held.roles, is_admin = held.is_admin
  from (
    select account.id, coalesce(sums.roles, '[]') as roles, coalesce(sums.is_admin, false) as is_admin
    from unnest(accounts) as account (id)
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids) order by r.name) as roles,
             bool_or(r.is_system and r.name = 'Admin') as is_admin
      from role_assignments a join roles r on r.id = a.role_id where a.user_id = account.id) as sums on true) as held
  where u.id = held.id and (u.roles, u.is_admin) is distinct from (held.roles, held.is_admin)
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
create trigger bump_on_insert after insert on role_assignments
  referencing new table as new_rows for each statement execute function bump_access_version();
create trigger bump_on_update after update on role_assignments
  referencing old table as old_rows new table as new_rows for each statement execute function bump_access_version();
create trigger bump_on_delete after delete on role_assignments
  referencing old table as old_rows for each statement execute function bump_access_version();

create function settle_role_name() returns trigger language plpgsql as $$
begin
  perform settle_roles(array(select user_id from role_assignments where role_id = new.id));
  return null;
end $$;
create trigger settle_name after update of name on roles
  for each row when (new.name <> old.name) execute function settle_role_name();

create function is_admin_role(role bigint) returns boolean language sql stable as $$
  select exists (select 1 from roles where id = role and is_system and name = 'Admin')
$$;
create function holds_admin(account bigint) returns boolean language sql stable as $$
  select exists (select 1 from role_assignments a where a.user_id = account and is_admin_role(a.role_id))
$$;

-- What an account held before the person was rehired or their record restored. It permits nothing; people who may assign
-- these roles see them until they decide.
create table former_roles (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles on delete cascade,
  entity_ids bigint[] check (entity_ids is null or cardinality(entity_ids) > 0),
  taken_at timestamptz(3) not null default now(),
  primary key (user_id, role_id)
);
create index former_roles_role_id_idx on former_roles (role_id);

-- A new account gets its role in the transaction that makes it: without one is only an account whose last was taken away.
create table accounts_without_role (
  user_id bigint primary key references users on delete cascade
);
create function note_lost_role() returns trigger language plpgsql as $$
begin
  insert into accounts_without_role
  select distinct o.user_id from old_rows o join users u on u.id = o.user_id
  where not exists (select from role_assignments a where a.user_id = o.user_id)
  on conflict do nothing;
  return null;
end $$;
create function note_new_role() returns trigger language plpgsql as $$
begin
  delete from accounts_without_role w where w.user_id in (select user_id from new_rows);
  return null;
end $$;
create trigger note_lost_role after delete on role_assignments
  referencing old table as old_rows for each statement execute function note_lost_role();
create trigger note_new_role after insert on role_assignments
  referencing new table as new_rows for each statement execute function note_new_role();
