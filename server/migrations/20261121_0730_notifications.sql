-- Notifications: what people are notified of, what of it goes by mail, and when. Rows are made in the transaction of the
-- change they are about.

-- One row per event of the catalogue; the service adds those that a release brings.
create table notification_settings (
  event text primary key,
  in_app boolean not null,
  email boolean not null,
  lead_days integer[],
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create trigger touch before update on notification_settings for each row execute function touch_row();

create table notification_preferences (
  user_id bigint primary key references users on delete cascade,
  digest text not null default 'immediate' check (digest in ('immediate', 'daily')),
  -- no mails from then to then, past midnight where the end is earlier
  quiet_from time,
  quiet_to time,
  -- null: that of the person's company
  time_zone text,
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint notification_preferences_quiet_to_check
    check ((quiet_from is null) = (quiet_to is null) and quiet_from is distinct from coalesce(quiet_to, '24:00'))
);
create trigger touch before update on notification_preferences for each row execute function touch_row();

-- Events that people switched off; without a row an event is on.
create table notification_mutes (
  user_id bigint not null references users on delete cascade,
  event text not null,
  channel text not null check (channel in ('in_app', 'email')),
  primary key (user_id, event, channel)
);

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
  -- the values of the placeholders; the words around them are chosen when it is read, in the reader's language
  params jsonb not null default '{}',
  dedupe_key text not null,
  -- false for what goes by mail only, and for what its reader removed: the row stays, so that nothing is sent twice
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
-- reminders of one item: at most one a day, whoever sends them
create index notifications_reminders_idx on notifications (subject_id, created_at desc)
  where event in ('kpi_deadline_reminder', 'probation_ending_reminder');
-- notifications about a review, whose texts follow the review
create index notifications_probation_review_idx on notifications (subject_id)
  where subject_type = 'probation_review' and shown;

-- Open pages hear whose notifications changed: ids of accounts, or nothing where there are too many to name.
create function announce_notifications() returns trigger language plpgsql as $$
declare
  users text;
begin
  select case when count(*) <= 400 then string_agg(user_id::text, ',') else '' end into users
  from (select distinct user_id from changed limit 401) as of_users;
  if users is not null then
    perform pg_notify('tenure_notifications', users);
  end if;
  return null;
end $$;
create trigger announce_insert after insert on notifications
  referencing new table as changed for each statement execute function announce_notifications();
create trigger announce_update after update on notifications
  referencing new table as changed for each statement execute function announce_notifications();

-- The outbox: one row per mail, kept as the log of what was sent.
create table notification_deliveries (
  id bigint generated always as identity primary key,
  notification_id bigint not null references notifications on delete cascade,
  -- that of the notification
  user_id bigint references users on delete cascade,
  channel text not null check (channel in ('email')),
  -- an address the person had until now; null for the one the person has when it is sent
  address text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  -- never delayed, and a mail of its own
  is_urgent boolean not null default false,
  attempts integer not null default 0,
  -- a day of attempts begins with the first of them, not with a digest that was held back
  first_attempt_at timestamptz(3),
  error text,
  next_attempt_at timestamptz(3) not null default now(),
  -- the process that sends it has it until then
  leased_until timestamptz(3),
  -- several may go as one mail: the first of them
  mail_id bigint,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index notification_deliveries_notification_idx on notification_deliveries (notification_id);
create index notification_deliveries_due_idx on notification_deliveries (next_attempt_at, id) where status = 'pending';
create index notification_deliveries_leased_idx on notification_deliveries (leased_until)
  where leased_until is not null;
create index notification_deliveries_user_idx on notification_deliveries (user_id, next_attempt_at)
  where status = 'pending';
create index notification_deliveries_sent_idx on notification_deliveries (user_id, sent_at) where sent_at is not null;

create function name_delivery_user() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from notifications where id = new.notification_id);
  return new;
end $$;
create trigger name_user before insert on notification_deliveries
  for each row when (new.user_id is null) execute function name_delivery_user();

-- When a mail may go at the earliest: those of a day together at eight in the morning, and none in quiet hours.
create function mail_time(told_at timestamptz, moment timestamptz, digest text, quiet_from time, quiet_to time,
                          time_zone text) returns timestamptz
  language plpgsql stable as $$
declare
  local timestamp := told_at at time zone time_zone;
  due timestamptz := moment;
begin
  if digest = 'daily' then
    due := greatest(due, (local::date + (local::time >= '08:00')::int + time '08:00') at time zone time_zone);
  end if;
  local := due at time zone time_zone;
  if quiet_from < quiet_to and local::time >= quiet_from and local::time < quiet_to
     or quiet_from > quiet_to and (local::time >= quiet_from or local::time < quiet_to) then
    due := (local::date + (quiet_from > quiet_to and local::time >= quiet_from)::int + quiet_to) at time zone time_zone;
  end if;
  return due;
end $$;

-- Accounts that may be notified at all: of people who may sign in and have not left, and accounts without a person.
create view reachable_users as
select u.id as user_id, u.email, u.locale, e.id as employee_id, coalesce(e.name, u.email) as name
from users u
left join employees e on e.user_id = u.id
left join entities c on c.id = e.entity_id
where u.is_enabled
  and (e.id is null
       or (may_sign_in(e.activity_status, e.early_access, e.deleted_at)
           and not (e.employment_lifecycle in ('resigned', 'terminated')
                    and coalesce(e.last_working_date < (now() at time zone c.timezone)::date, false))));
