-- Finds the few absences without a deputy who can act.
create index concurrently if not exists absences_missing_deputy_idx on absences (employee_id, first_day)
  where deputy_missing_since is not null;
