-- What people are told, and what of it goes by mail. Rows are made in the transaction of what happened.

-- One row per event of the catalogue; the service adds what a release brings.
create table notification_settings (
  event text primary key,
  in_app boolean not null,
  email boolean not null,
  lead_days integer[],
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create trigger touch before update on notification_settings for each row execute function touch_row();

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  event text not null,
  -- which of the texts of the event: plain, own where it is about the reader, or another the event has
  variant text not null default 'plain',
  severity text not null check (severity in ('info', 'action', 'warning')),
  subject_type text not null,
  subject_id bigint,
  url text not null,
  actor_id bigint,
  -- what stands in the placeholders; the words around it are chosen when it is read, in the reader's language
  params jsonb not null default '{}',
  dedupe_key text not null,
  -- false for what is told by mail only, and for what its reader removed: the row stays, so that nobody is told twice
  shown boolean not null default true,
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint notifications_dedupe_key unique (user_id, dedupe_key)
);
create index notifications_time_idx on notifications (user_id, created_at desc, id desc) where shown;
create index notifications_event_idx on notifications (user_id, event, id desc) where shown;
create index notifications_unread_idx on notifications (user_id, created_at desc, id desc)
  where shown and read_at is null;
create index notifications_read_at_idx on notifications (read_at) where read_at is not null;

-- The outbox: one row per mail, kept as the log of what was sent.
create table notification_deliveries (
  id bigint generated always as identity primary key,
  notification_id bigint not null references notifications on delete cascade,
  channel text not null check (channel in ('email')),
  -- an address the person had until now; null for the one the person has when it is sent
  address text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  next_attempt_at timestamptz(3) not null default now(),
  -- whoever sends it has it until then
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index notification_deliveries_notification_idx on notification_deliveries (notification_id);
create index notification_deliveries_due_idx on notification_deliveries (next_attempt_at, id) where status = 'pending';
create index notification_deliveries_leased_idx on notification_deliveries (leased_until)
  where leased_until is not null;

-- Accounts that may be told anything: no leavers, nobody inactive.
create view reachable_users as
select u.id as user_id, u.email, u.locale, e.id as employee_id, coalesce(e.name, u.email) as name
from users u
left join employees e on e.user_id = u.id
left join entities c on c.id = e.entity_id
where u.is_enabled
  and (e.id is null
       or (e.activity_status = 'active' and e.deleted_at is null
           and not (e.employment_lifecycle in ('resigned', 'terminated')
                    and coalesce(e.last_working_date < (now() at time zone c.timezone)::date, false))));
