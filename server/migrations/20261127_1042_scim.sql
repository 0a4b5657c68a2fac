-- Provisioning by SCIM 2.0: connections of identity providers, and what each of them knows of users and groups. The rows
-- are handles: a user of a connection points at an account and is none.

create table scim_connections (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 2 and 60),
  -- the account that acts, of kind service; its tokens open the connection
  user_id bigint not null references users,
  is_enabled boolean not null default true,
  -- requests are checked and answered, and change nothing
  is_dry_run boolean not null default false,
  -- companies whose people it reaches; null: all
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  -- whose subjects are its external ids
  provider_id bigint references identity_providers on delete set null,
  -- what becomes of a user without an account: waits for HR, or is refused
  unmatched text not null default 'stage' check (unmatched in ('stage', 'refuse')),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index scim_connections_name_key on scim_connections (fold(name));
create unique index scim_connections_user_id_key on scim_connections (user_id);
create index scim_connections_provider_id_idx on scim_connections (provider_id) where provider_id is not null;
create trigger touch before update on scim_connections for each row execute function touch_row();

create table scim_users (
  id uuid primary key default gen_random_uuid(),
  connection_id bigint not null references scim_connections on delete cascade,
  -- null: waits for HR
  user_id bigint references users on delete cascade,
  user_name text not null check (length(user_name) between 1 and 500),
  external_id text check (length(external_id) between 1 and 500),
  -- whether the provider lets the user sign in
  is_active boolean not null default true,
  -- what the provider says of a user who waits, so that HR recognises the person; empty once there is an account
  sent jsonb not null default '{}' check (jsonb_typeof(sent) = 'object'),
  dismissed_at timestamptz(3),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- two providers would switch one account on and off
  constraint scim_users_user_id_key unique (user_id)
);
create unique index scim_users_user_name_key on scim_users (connection_id, lower(user_name));
create unique index scim_users_external_id_key on scim_users (connection_id, external_id);
create index scim_users_connection_id_idx on scim_users (connection_id, id);
create index scim_users_waiting_idx on scim_users (connection_id, created_at) where user_id is null;
create index scim_users_address_idx on scim_users (connection_id, lower(sent #>> '{emails,0,value}')) where user_id is null;
create trigger touch before update on scim_users for each row execute function touch_row();

create table scim_groups (
  id uuid primary key default gen_random_uuid(),
  connection_id bigint not null references scim_connections on delete cascade,
  display_name text not null check (length(display_name) between 1 and 500),
  external_id text check (length(external_id) between 1 and 500),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index scim_groups_connection_id_idx on scim_groups (connection_id, id);
create index scim_groups_display_name_idx on scim_groups (connection_id, lower(display_name));
create unique index scim_groups_external_id_key on scim_groups (connection_id, external_id);
create trigger touch before update on scim_groups for each row execute function touch_row();

-- no reference to users: providers name members that they have removed already, and a change of a group is all or nothing
create table scim_members (
  group_id uuid not null references scim_groups on delete cascade,
  -- as the provider says it
  value text not null check (length(value) between 1 and 500),
  -- the same where it is an id as this service gives them
  scim_user_id uuid,
  primary key (group_id, value)
);
create index scim_members_scim_user_id_idx on scim_members (scim_user_id) where scim_user_id is not null;

-- What was asked and what became of it, without values; kept for thirty days.
create table scim_requests (
  id bigint generated always as identity primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  at timestamptz(3) not null default now(),
  method text not null,
  resource text not null,
  target uuid,
  status smallint not null,
  -- what it did, or would have done in a dry run
  effect text,
  detail text check (length(detail) <= 500),
  changed text[] not null default '{}',
  ignored text[] not null default '{}',
  is_dry_run boolean not null default false,
  user_id bigint references users on delete set null
);
create index scim_requests_connection_id_idx on scim_requests (connection_id, id);
create index scim_requests_at_idx on scim_requests (at);
create index scim_requests_user_id_idx on scim_requests (user_id) where user_id is not null;

-- An emergency account is provisioned by no one.
create function free_emergency_account() returns trigger language plpgsql as $$
begin
  delete from scim_users where user_id = new.id;
  delete from sign_in_blocks where user_id = new.id and source = 'scim';
  return null;
end $$;
create trigger free_emergency_account after update of break_glass on users
  for each row when (new.break_glass and not old.break_glass) execute function free_emergency_account();
