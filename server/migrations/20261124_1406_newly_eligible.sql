-- People who became eligible for a published cycle after it was published: found by a daily job, which notifies once of
-- each person. A row is removed when the person gets an evaluation or is no longer eligible.
create table kpi_newly_eligible (
  cycle_id bigint not null references kpi_cycles on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  found_at timestamptz(3) not null default now(),
  primary key (cycle_id, employee_id)
);
create index kpi_newly_eligible_employee_idx on kpi_newly_eligible (employee_id);
create index kpi_newly_eligible_found_idx on kpi_newly_eligible (cycle_id, found_at, employee_id);

-- The decision to leave a person out of a cycle. It ends when it is undone, or when the person is added by name.
create table kpi_cycle_left_out (
  cycle_id bigint not null references kpi_cycles on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  reason text not null,
  decided_at timestamptz(3) not null default now(),
  decided_by bigint references users,
  decided_by_name text not null,
  primary key (cycle_id, employee_id)
);
create index kpi_cycle_left_out_employee_idx on kpi_cycle_left_out (employee_id);
create index kpi_cycle_left_out_decided_by_idx on kpi_cycle_left_out (decided_by);
