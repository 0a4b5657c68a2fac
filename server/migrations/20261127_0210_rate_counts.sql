-- Requests of each user in a minute: what processes report of their counts, so that they limit together. Nothing of it is
-- worth a flush, a copy on a standby or a backup.

create unlogged table rate_counts (
  -- begin of the minute
  slot timestamptz(0),
  scope text,
  -- whose requests: the id of a user
  key text,
  used integer not null check (used > 0),
  primary key (slot, scope, key)
  -- each row is updated in place once a second
) with (fillfactor = 50);
