-- Releases side by side: the processes that use the database, and the browser application of the last releases.

create table processes (
  id uuid primary key,
  -- version and build
  release text not null,
  role text not null check (role in ('all', 'api', 'worker')),
  host text not null,
  -- contract migrations that its release knows: what they remove it does not use
  contracts text[] not null,
  started_at timestamptz(3) not null default now(),
  -- without a gap of more than a minute
  beating_since timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);

create table web_releases (
  release text primary key,
  -- number of migrations that it knows: a later release knows at least as many
  migrations integer not null check (migrations > 0),
  -- its index.html; each company's brand is added when it is sent
  page text not null,
  stored_at timestamptz(3) not null default now()
);

create table web_assets (
  path text,
  release text references web_releases on delete cascade,
  body bytea not null,
  primary key (path, release)
);
create index web_assets_release_idx on web_assets (release);
-- it is read whole and compressed for its reader: to pack it here would only take time
alter table web_assets alter column body set storage external;
