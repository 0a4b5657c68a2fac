-- Tokens with which programs call the API, and service accounts: accounts of programs, without a person or password.
-- There is none of them until somebody with the permission makes one.

-- not "kind": statements of the release before join tables that have a column of this name
alter table users add column account_kind text not null default 'person';
-- raised to end all tokens of an account
alter table users add column token_epoch integer not null default 1;
alter table users add constraint users_account_kind_check check (account_kind in ('person', 'service')) not valid;
-- a program holds no password, is no administrator, and is no way in for the day nobody else gets in
alter table users add constraint users_service_check check (
  account_kind = 'person' or password_hash is null and not is_admin and not break_glass) not valid;

create table service_accounts (
  user_id bigint primary key references users on delete cascade,
  name text not null check (length(name) between 2 and 60),
  description text check (length(description) <= 500),
  -- accounts of people who are notified of its tokens
  owner_ids bigint[] not null check (cardinality(owner_ids) between 1 and 2),
  -- networks from which its tokens are accepted; null: any
  cidrs cidr[] check (cardinality(cidrs) between 1 and 50),
  created_by bigint references users on delete set null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index service_accounts_name_key on service_accounts (fold(name));
create index service_accounts_created_by_idx on service_accounts (created_by) where created_by is not null;
create trigger touch before update on service_accounts for each row execute function touch_row();

create table api_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('personal', 'service', 'provisioning')),
  name text not null check (length(name) between 1 and 60),
  -- SHA-256 of 256 random bits: a slow hash would add nothing
  hash text not null constraint api_tokens_hash_key unique check (length(hash) = 64),
  -- its last four characters, to tell it from others
  hint text not null check (length(hint) = 4),
  -- null for a token that holds no permissions and opens one kind of address only
  permissions text[] check (cardinality(permissions) > 0),
  -- companies it is limited to; null: all that its account reaches
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  epoch integer not null,
  global_epoch integer not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  last_used_ip text,
  -- the latest addresses it was used from
  ips text[] not null default '{}',
  revoked_at timestamptz(3),
  reason text,
  created_by bigint references users on delete set null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint api_tokens_kind_permissions check ((permissions is null) = (kind = 'provisioning'))
);
create index api_tokens_user_id_idx on api_tokens (user_id);
create index api_tokens_created_by_idx on api_tokens (created_by) where created_by is not null;
create index api_tokens_expires_at_idx on api_tokens (expires_at) where revoked_at is null;
create trigger touch before update of name, permissions, entity_ids, revoked_at on api_tokens
  for each row execute function touch_row();

-- No session of a program begins, whatever inserts it.
create function guard_service_session() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and account_kind = 'service') then
    raise exception 'a service account does not sign in'
      using errcode = 'check_violation', table = 'session_register', constraint = 'session_register_service_account';
  end if;
  return new;
end $$;
create trigger guard_service_account before insert or update of user_id on session_register
  for each row execute function guard_service_session();

-- An account that is switched off ends its tokens: when it is switched on again they do not come back.
create function end_tokens() returns trigger language plpgsql as $$
begin
  new.token_epoch := new.token_epoch + 1;
  return new;
end $$;
create trigger end_tokens before update of is_enabled on users
  for each row when (old.is_enabled and not new.is_enabled)
  execute function end_tokens();
