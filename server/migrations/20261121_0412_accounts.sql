-- Accounts: how people sign in, the sessions they have, links for a new password, and limits against guessing.

-- One spelling of an address: compatible forms as one, small letters, no invisible characters.
create function fold_email(value text) returns text
  language sql immutable strict parallel safe
  return lower(normalize(lower(normalize(regexp_replace(value,
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]',
    '', 'g'), nfkc)), nfkc));

create table users (
  id bigint generated always as identity primary key,
  email text not null constraint users_email_key unique check (email = lower(email)),
  -- Who last gave the account another address, or sent a link to an address set by another person: it may be the setter's
  -- own, and with it a password that is chosen by a link. Null while the address is the first one or the owner's choice.
  -- No reference: an issuer or setter whose account is deleted must not look like nobody.
  address_set_by bigint,
  password_hash text,
  password_expires_at timestamptz(3),
  one_time_password boolean not null default false,
  must_change_password boolean not null default false,
  -- Who issued the password, or the one it follows: the issuer saw it, and may know what was chosen in a session that
  -- began with it. Null when only the owner knows it. No reference, as above.
  password_issued_by bigint,
  is_enabled boolean not null default true,
  session_epoch integer not null default 1,
  access_version bigint not null default 1,
  -- the sum of the role assignments, kept by their triggers, so that a list of people reads no assignments
  roles jsonb not null default '[]',
  is_admin boolean not null default false,
  locale text not null default 'en',
  preferences jsonb not null default '{}'
    constraint users_preferences_check check (jsonb_typeof(preferences) = 'object'),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, email)
);
create unique index users_email_folded_key on users (fold_email(email));
-- the administrators among many accounts
create index users_admin_idx on users (id) where is_admin;

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
  -- addresses it was used from after the one it began at, the latest fifty: each is logged once
  other_ips text[] not null default '{}',
  user_agent text check (length(user_agent) <= 255),
  -- the browser it began in, so that ending the session can forget the browser
  device text
);
create index session_register_user_id_idx on session_register (user_id) where revoked_at is null;
-- undoing an import deletes accounts and must find their sessions without a scan
create index session_register_account_idx on session_register (user_id);
create index session_register_ended_idx on session_register (expires_at);

-- Open pages are notified when sessions may have ended: the argument names the column with the id of the account.
create function announce_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('tenure_sessions', coalesce(to_jsonb(new) ->> tg_argv[0], ''));
  return null;
end $$;
create trigger announce_end after update of revoked_at on session_register
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function announce_sessions('user_id');
create trigger announce_end after update of session_epoch, is_enabled on users
  for each row when (old.session_epoch <> new.session_epoch or old.is_enabled and not new.is_enabled)
  execute function announce_sessions('id');
create trigger announce_end after update of global_epoch on installation
  for each row when (old.global_epoch <> new.global_epoch) execute function announce_sessions('everybody');

-- One row per limited key (account and address, account, address); see access/login-limits.ts.
create table login_attempts (
  key text primary key,
  window_start timestamptz(3) not null default now(),
  attempts integer not null default 0,
  -- how many of the attempts failed; the others are still being checked
  failed integer not null default 0,
  last_attempt_at timestamptz(3) not null default now()
);
create index login_attempts_last_idx on login_attempts (last_attempt_at);

-- Where an account signed in from before, and with which browsers: these have attempts of their own, which strangers
-- cannot use up; see access/known-origins.ts. Keys are hashes.
create table known_origins (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('network', 'device')),
  key text not null check (length(key) = 64),
  last_at timestamptz(3) not null default now(),
  primary key (user_id, kind, key)
);
create index known_origins_last_idx on known_origins (last_at);

-- Links by mail with which a person chooses a password: what is stored opens nothing, and each link works once.
create table account_links (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'invitation')),
  -- SHA-256 of the token; null until a mail with it is being sent, and a new one with each attempt to send it
  token_hash text constraint account_links_token_hash_key unique,
  -- where it is sent: the address of the account at that moment
  email text not null,
  -- who asked for it: their rights are checked again when it is used
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

-- Another password, another address, and the end of an account or employment revoke open links, however they come about.
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

-- Answers to requests that may be repeated.
create table idempotency_keys (
  user_id bigint not null references users on delete cascade,
  key text not null check (length(key) between 1 and 255),
  method text not null,
  path text not null,
  body_hash text not null,
  status smallint,
  body text,
  -- a hash of what the sender could see when the answer was kept; null where the answer is read again
  sight text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);
