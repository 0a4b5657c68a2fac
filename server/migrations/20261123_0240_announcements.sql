-- Announcements of HR on the home page, and what the home page shows of colleagues by the day of the year.

create table announcements (
  id bigint generated always as identity primary key,
  -- the companies whose people see it; null for all
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  title text not null,
  body text not null,
  -- shown from the first to the last day, by the calendar of the reader's company
  starts_on date not null,
  ends_on date not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (ends_on >= starts_on)
);
create index announcements_ends_idx on announcements (ends_on, id);
create index announcements_starts_idx on announcements (starts_on, id);
create index announcements_entity_ids_idx on announcements using gin (entity_ids);
create trigger touch before update on announcements for each row execute function touch_row();

-- Who no longer wants to see which announcement.
create table announcement_dismissals (
  announcement_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (announcement_id, user_id)
);
create index announcement_dismissals_user_id_idx on announcement_dismissals (user_id);

-- 229 for the 29th of February: the year does not count.
create function month_day(day date) returns integer language sql immutable strict parallel safe
  return (extract(month from day) * 100 + extract(day from day))::integer;

create index employees_start_of_year_idx on employees (entity_id, month_day(joining_date))
  where activity_status = 'active' and deleted_at is null;
create index employees_recent_start_idx on employees (entity_id, joining_date)
  where activity_status = 'active' and deleted_at is null;
-- only those who agreed show their birthday
create index users_shown_birthday_idx on users (id) where preferences ->> 'birthday' = 'shown';
