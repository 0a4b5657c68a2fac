-- Channels of Slack, Mattermost and Teams that get numbers of what is due. There is none until an administrator adds one.

create table chat_targets (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 2 and 60),
  kind text not null check (kind in ('slack', 'mattermost', 'teams')),
  host text not null check (length(host) <= 255),
  -- the whole address is a secret; sealed for this table, column and row
  url text constraint chat_targets_url_sealed check (url ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  -- companies it counts; null: all
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  counts text[] not null check (cardinality(counts) > 0),
  -- null: every day
  weekday integer check (weekday between 1 and 7),
  hour integer not null check (hour between 0 and 23),
  timezone text not null,
  language text not null,
  -- the local day of the last post, and how often it was tried on that day
  posted_on date,
  tries integer not null default 0,
  tried_at timestamptz(3),
  http_status integer,
  error text,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index chat_targets_name_key on chat_targets (fold(name));
-- the values of a key are counted and sealed again without reading those of the others
create index chat_targets_url_key_idx on chat_targets (substr(url, 3, 12), id) where url is not null;
create trigger touch before update of name, kind, host, entity_ids, counts, weekday, hour, timezone, language
  on chat_targets for each row execute function touch_row();
