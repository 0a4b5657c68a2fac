-- Steps of HR with many evaluations at once. Each run is kept with what became of each evaluation, so that a job goes on
-- where it stopped. Cycles may let HR release results without a comment where the flag is the standard one.

create table kpi_evaluation_bulks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('hr-review', 'close', 'remind', 'extend', 'reviewer', 'deem-accepted', 'cancel')),
  request jsonb not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'cancelled', 'stopped')),
  stop_reason jsonb,
  total integer not null,
  in_background boolean not null,
  created_by bigint not null references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  cancel_requested_at timestamptz(3),
  finished_at timestamptz(3),
  check ((status = 'processing') = (finished_at is null))
);
create index kpi_evaluation_bulks_creator_idx on kpi_evaluation_bulks (created_by, id);
create index kpi_evaluation_bulks_open_idx on kpi_evaluation_bulks (id) where status = 'processing';
create index kpi_evaluation_bulks_finished_idx on kpi_evaluation_bulks (finished_at);

-- An id that no evaluation has is kept too: it is refused.
create table kpi_evaluation_bulk_rows (
  bulk_id bigint not null references kpi_evaluation_bulks on delete cascade,
  evaluation_id bigint not null,
  seen_revision integer,
  outcome text check (outcome in ('changed', 'refused')),
  reason jsonb,
  former_reviewer_id bigint,
  primary key (bulk_id, evaluation_id)
);
create index kpi_evaluation_bulk_rows_open_idx on kpi_evaluation_bulk_rows (bulk_id, evaluation_id) where outcome is null;

alter table kpi_cycles add column hr_comment_optional boolean not null default false;
