-- Tries of a webhook that were about the own review of a person, by hour, and whose review the latest delivery was about:
-- that person's numbers leave them out. No references, as events have none.

create table webhook_hours_about (
  webhook_id bigint not null references webhooks on delete cascade,
  hour timestamptz(3) not null,
  employee_id bigint not null,
  sent integer not null default 0,
  failed integer not null default 0,
  primary key (webhook_id, hour, employee_id)
);

-- the person whom alone the latest delivery was about, and when the latest one before arrived that was not
alter table webhooks add column last_sent_about bigint, add column last_sent_before timestamptz(3);
