-- Who works jobs off, and when it last said so: jobs of a worker that went silent are given to others.
create table job_workers (
  id text primary key,
  last_seen_at timestamptz(3) not null default now()
);
