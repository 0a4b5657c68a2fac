-- Exports and imports of each user and day (UTC): all processes count together, and a restart forgets nothing.

create table budgets (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('export', 'import')),
  day date not null,
  used integer not null check (used > 0),
  primary key (user_id, kind, day)
);
create index budgets_day_idx on budgets (day);
