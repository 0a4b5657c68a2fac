-- Imports of spreadsheets: a file is staged row by row, checked, shown, written, and may be undone.

create table imports (
  id bigint generated always as identity primary key,
  type text not null check (type in ('employees', 'kpi_templates')),
  -- partly_undone: an undo takes back the rows that its sender may take back and that nothing prevents
  status text not null check (status in
    ('processing', 'needs_mapping', 'preview', 'completed', 'failed', 'undone', 'partly_undone', 'expired')),
  phase text check (phase in ('checking', 'writing', 'undoing')),
  file_name text not null,
  file_size bigint not null,
  file_hash text not null,
  format text not null check (format in ('csv', 'xlsx')),
  dry_run boolean not null,
  mode text not null check (mode in ('partial', 'atomic')),
  on_conflict text not null check (on_conflict in ('fail', 'update', 'skip')),
  date_format text not null,
  mapping jsonb,
  defaults jsonb not null default '{}',
  create_departments boolean not null,
  columns jsonb not null,
  progress jsonb not null default '{"processed":0,"total":0}',
  counts jsonb not null default '{"total":0,"valid":0,"created":0,"updated":0,"skipped":0,"failed":0,"warnings":0}',
  plan_hash text,
  -- why it failed: a message with its parameters, rendered in the reader's language
  failure jsonb,
  stale_rows jsonb,
  -- what stayed at the last undo: {count, for, rows: [{row, reason}]}; `for` is the account that may read the reasons
  kept jsonb,
  -- all rows of the file are in import_rows
  is_staged boolean not null default false,
  -- the rows a commit writes were compared with what its sender saw
  is_confirmed boolean not null default false,
  -- the process that works on it renews the lease; another one may take over an import whose lease ran out
  lease text,
  leased_until timestamptz(3),
  created_departments bigint[] not null default '{}',
  created_by bigint not null references users,
  created_by_name text not null,
  committed_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  undo_until timestamptz(3),
  undone_at timestamptz(3),
  undone_by bigint references users,
  undone_by_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index imports_created_by_idx on imports (created_by, created_at desc, id desc);
create index imports_created_at_idx on imports (created_at desc, id desc);
create unique index imports_running_file_key on imports (type, file_hash) where status = 'processing';
create index imports_leased_until_idx on imports (leased_until) where status = 'processing';
create index imports_expires_at_idx on imports (expires_at) where status in ('needs_mapping', 'preview');
create trigger touch before update on imports for each row execute function touch_row();

create table import_rows (
  import_id bigint not null references imports on delete cascade,
  "row" integer not null,
  status text not null default 'valid'
    check (status in ('valid', 'failed', 'created', 'updated', 'skipped', 'undone')),
  action text not null default 'none' check (action in ('create', 'update', 'skip', 'none')),
  key text,
  subject_id bigint,
  -- the texts of the file in the order of its columns; edits replace them
  cells jsonb,
  -- what a text cannot hold: which cells are formulas, how many are beyond the last heading
  flaws jsonb,
  errors jsonb not null default '{}',
  warnings jsonb not null default '{}',
  changes jsonb,
  -- tells two plans for the row apart
  digest text not null default '',
  -- what an undo restores, and the revision it must find
  before jsonb,
  edited boolean not null default false,
  -- why the last undo that was tried leaves the row as it is
  kept_reason text,
  primary key (import_id, "row")
);
create index import_rows_status_idx on import_rows (import_id, status, "row");
