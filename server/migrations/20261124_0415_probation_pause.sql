-- A probation pauses during a long absence. probation_paused_from: first day of the pause, null while it runs.
-- probation_resumed_on: first day after the last pause; the next one cannot begin before it.
alter table employees
  add column probation_paused_from date,
  add column probation_resumed_on date;
