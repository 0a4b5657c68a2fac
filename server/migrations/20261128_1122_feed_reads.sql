-- Reads of a calendar address in the present hour, counted by all processes together.

alter table calendar_feeds
  add column reads integer not null default 0,
  -- the begin of the hour they are of
  add column reads_hour timestamptz(3);
