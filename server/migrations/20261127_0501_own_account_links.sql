-- Links by mail beside those that HR sends: to a new password that the person asked for, and the two of another sign-in
-- address, which the new address confirms and the old one stops. A table of its own, because the release before refuses
-- other purposes in account_links.

create table own_account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('requested_reset', 'address_change', 'address_stop')),
  -- SHA-256 of the token; null until a mail with it is being sent, and a new one with each attempt to send it
  token_hash text constraint own_account_links_token_hash_key unique,
  -- where it is sent; of an address change the address to be
  email text not null,
  -- who changes the address: their rights are checked again when it is confirmed; null where the person asked
  created_by bigint references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint own_account_links_sender_check check ((purpose = 'requested_reset') = (created_by is null))
);
create unique index own_account_links_open_key on own_account_links (user_id, purpose)
  where used_at is null and revoked_at is null;
create index own_account_links_user_id_idx on own_account_links (user_id, created_at);
create index own_account_links_created_by_idx on own_account_links (created_by);
create index own_account_links_expires_at_idx on own_account_links (expires_at);

-- Another password, another address, and the end of an account or employment revoke open links, however they come about.
create function void_own_account_links() returns trigger language plpgsql as $$
begin
  update own_account_links set revoked_at = now()
  where user_id = (to_jsonb(new) ->> tg_argv[0])::bigint and used_at is null and revoked_at is null;
  return null;
end $$;

-- When the sign-in address changed, whatever changed it: a day after that no link to a new password can be asked for.
alter table users add column address_changed_at timestamptz(3);
create function note_address_change() returns trigger language plpgsql as $$
begin
  new.address_changed_at := now();
  return new;
end $$;
create trigger note_address_change before update of email on users
  for each row when (old.email <> new.email)
  execute function note_address_change();
create trigger void_own_links after update of password_hash, email, is_enabled on users
  for each row when (old.password_hash is distinct from new.password_hash or old.email <> new.email
                     or old.is_enabled and not new.is_enabled)
  execute function void_own_account_links('id');
