-- Links by mail with which somebody chooses a password: what is stored opens nothing, and each is spent once.
create table account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'invitation')),
  -- SHA-256 of the token; null until a mail with it is on its way, another one with each try to send it
  token_hash text constraint account_links_token_hash_key unique,
  -- the address it goes to, which is that of the account at that moment
  email text not null,
  -- who asked for it: judged again when it is used
  created_by bigint references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create unique index account_links_open_key on account_links (user_id, purpose)
  where used_at is null and revoked_at is null;
create index account_links_created_by_idx on account_links (created_by);
create index account_links_expires_at_idx on account_links (expires_at);

-- Another password, another address, and the end of an account or employment void what is open, by whatever way they come.
create function void_account_links() returns trigger language plpgsql as $$
begin
  update account_links set revoked_at = now()
  where user_id = (to_jsonb(new) ->> tg_argv[0])::bigint and used_at is null and revoked_at is null;
  return null;
end $$;
create trigger void_links after update of password_hash, email, is_enabled on users
  for each row when (old.password_hash is distinct from new.password_hash or old.email <> new.email
                     or old.is_enabled and not new.is_enabled)
  execute function void_account_links('id');
create trigger void_links after update of activity_status, deleted_at, employment_lifecycle on employees
  for each row when (old.activity_status <> 'inactive' and new.activity_status = 'inactive'
                     or old.deleted_at is null and new.deleted_at is not null
                     or old.employment_lifecycle not in ('resigned', 'terminated')
                        and new.employment_lifecycle in ('resigned', 'terminated'))
  execute function void_account_links('user_id');
