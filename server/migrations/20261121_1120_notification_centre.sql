-- What people are told reaches open pages at once; people choose what they are told and when their mails come.

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

-- What people do not want to be told of; a row that is not there is a yes.
create table notification_mutes (
  user_id bigint not null references users on delete cascade,
  event text not null,
  channel text not null check (channel in ('in_app', 'email')),
  primary key (user_id, event, channel)
);

alter table notification_deliveries
  add column user_id bigint references users on delete cascade,
  -- a day of tries begins with the first of them, not with a digest that waited
  add column first_attempt_at timestamptz(3),
  -- several may go as one mail: the first of them
  add column mail_id bigint,
  -- never delayed, and a mail of its own
  add column is_urgent boolean not null default false;
update notification_deliveries d
set user_id = n.user_id, first_attempt_at = case when d.attempts > 0 then d.created_at end,
    mail_id = case when d.sent_at is not null then d.id end
from notifications n where n.id = d.notification_id;
create index notification_deliveries_user_idx on notification_deliveries (user_id, next_attempt_at)
  where status = 'pending';
create index notification_deliveries_sent_idx on notification_deliveries (user_id, sent_at) where sent_at is not null;

-- The release before this one does not know the column.
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

-- Open pages hear whose notifications changed: ids of accounts, or nothing where it is too many to name.
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

-- They hear too when sessions may have ended: the id of the account stands in the column that is named.
create function announce_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('tenure_sessions', coalesce(to_jsonb(new) ->> tg_argv[0], ''));
  return null;
end $$;
create trigger announce_end after update of revoked_at on session_register
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function announce_sessions('user_id');
create trigger announce_end after update of session_epoch, is_enabled on users
  for each row when (old.session_epoch <> new.session_epoch or old.is_enabled and not new.is_enabled)
  execute function announce_sessions('id');
create trigger announce_end after update of activity_status, deleted_at on employees
  for each row when (old.activity_status is distinct from new.activity_status
                     or old.deleted_at is distinct from new.deleted_at)
  execute function announce_sessions('user_id');
create trigger announce_end after update of global_epoch on installation
  for each row when (old.global_epoch <> new.global_epoch) execute function announce_sessions('everybody');
