-- Processes that work on jobs, and when each was last seen: jobs of a worker that fell silent go to others. The queue
-- itself is in a schema of its own, which its library migrates.
create table job_workers (
  id text primary key,
  last_seen_at timestamptz(3) not null default now()
);
