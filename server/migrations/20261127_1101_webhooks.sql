-- Webhooks: addresses of other programs that get events, and each event on its way to them. There is none until
-- an administrator adds one.

create table webhooks (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 2 and 60),
  url text not null check (length(url) <= 500),
  -- null: all types
  types text[] check (cardinality(types) > 0),
  -- whose rights decide what is sent
  service_account_id bigint not null references service_accounts on delete cascade,
  -- companies it is limited to; null: all that its account reaches
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  signature text not null default 'v1' check (signature in ('v1', 'v1a')),
  -- sealed for this table, column and row: see server/src/access/sealed-columns.ts
  secret text constraint webhooks_secret_sealed
    check (secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  previous_secret text constraint webhooks_previous_secret_sealed
    check (previous_secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  public_key text,
  previous_until timestamptz(3),
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  reason text check (reason in ('person', 'gone', 'failing', 'more_rights')),
  -- who last said where events go, or may have: the account must not do more than that person may
  set_by_id bigint references users on delete set null,
  failing_since timestamptz(3),
  failures integer not null default 0,
  last_sent_at timestamptz(3),
  -- the process that sends for it now, and until when it holds it
  leased_by text,
  leased_until timestamptz(3),
  -- not before then, because the receiver fails
  next_turn_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index webhooks_name_key on webhooks (fold(name));
create index webhooks_service_account_id_idx on webhooks (service_account_id);
create index webhooks_set_by_id_idx on webhooks (set_by_id) where set_by_id is not null;
-- the values of a key are counted and sealed again without reading those of the others
create index webhooks_secret_key_idx on webhooks (substr(secret, 3, 12), id) where secret is not null;
create index webhooks_previous_secret_key_idx on webhooks (substr(previous_secret, 3, 12), id)
  where previous_secret is not null;
create trigger touch before update of name, url, types, service_account_id, entity_ids, public_key, status on webhooks
  for each row execute function touch_row();

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- of the event; no reference, because events are forgotten by themselves
  sequence bigint not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  tried_at timestamptz(3),
  http_status smallint,
  error text check (error in ('status', 'timeout', 'connection', 'unresolved', 'denied', 'proxy')),
  ms integer,
  created_at timestamptz(3) not null default now(),
  constraint webhook_deliveries_sequence_key unique (webhook_id, sequence)
);
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_dead_idx on webhook_deliveries (webhook_id, sequence) where status = 'dead';
create index webhook_deliveries_forget_idx on webhook_deliveries (sequence);

-- Tries of a webhook by hour, for two days.
create table webhook_hours (
  webhook_id bigint not null references webhooks on delete cascade,
  hour timestamptz(3) not null,
  sent integer not null default 0,
  failed integer not null default 0,
  primary key (webhook_id, hour)
);

-- One row: the last event that deliveries were made of.
create table webhooks_reached (
  id boolean primary key default true check (id),
  sequence bigint not null default 0
);
insert into webhooks_reached (sequence) select coalesce(max(sequence), 0) from events_reached;
