-- What programs are notified of: entries of the audit log in the order of the chain, which is that of their commits.

create table events (
  -- without gaps, so that a reader knows whether it missed one
  sequence bigint primary key,
  -- the entry of the audit log
  audit_id bigint not null,
  type text not null,
  at timestamptz(3) not null,
  subject_id bigint,
  entity_id bigint,
  -- whom it is about
  employee_id bigint,
  -- whose review it is about, who learns no more of it here than from the review
  about_employee_id bigint,
  changed text[] not null default '{}',
  by_user boolean not null
);
create index events_entity_idx on events (entity_id, sequence);
create index events_at_idx on events (at);

-- One row: the last link that was looked at, and the last event that was made. Nothing before this release is an event.
create table events_reached (
  id boolean primary key default true check (id),
  link bigint not null,
  sequence bigint not null default 0
);
insert into events_reached (link) select coalesce(max(position), 0) from audit_chain;
