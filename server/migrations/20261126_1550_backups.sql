-- Backups: the key that names their chunks, and the runs of backups, verifications and drills for those who watch them.

create table backup_key (
  id boolean primary key default true check (id),
  key bytea not null check (octet_length(key) = 32)
);

create table backups (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('backup', 'verification', 'drill')),
  status text not null check (status in ('done', 'failed')),
  -- its name in the archive; none where no backup was made or found
  backup text,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null default now(),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  error text,
  check ((status = 'failed') = (error is not null))
);
create index backups_kind_idx on backups (kind, finished_at desc);
