-- Addresses at which calendar applications read what a person has to do by when. Nothing but their hash is kept, and
-- a removed one is gone. There is none until a person makes one.

create table calendar_feeds (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of 256 random bits
  hash text not null constraint calendar_feeds_hash_key unique check (length(hash) = 64),
  kinds text[] not null check (cardinality(kinds) between 1 and 4),
  with_names boolean not null,
  -- as of the tokens of programs: raised, the address opens nothing any more
  epoch integer not null,
  global_epoch integer not null,
  -- who may be the one who made it, as of the tokens of programs
  let_in_by_id bigint,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index calendar_feeds_user_id_idx on calendar_feeds (user_id);
