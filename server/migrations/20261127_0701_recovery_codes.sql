-- Codes that stand in for a lost authenticator app, each once. Of 80 random bits, so that a plain hash suffices.

create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  hash text not null check (length(hash) = 64),
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint recovery_codes_hash_key unique (user_id, hash)
);
