-- When somebody last opened the private details of a person: the audit log gets one entry for a while of reading them.
create table private_looks (
  user_id bigint not null references users on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  looked_at timestamptz(3) not null default now(),
  primary key (user_id, employee_id)
);
create index private_looks_employee_idx on private_looks (employee_id);
create index private_looks_looked_idx on private_looks (looked_at);
