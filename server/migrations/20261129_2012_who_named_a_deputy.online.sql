-- Finds the absences whose deputy a person named, when that person is removed.
create index concurrently if not exists absences_deputy_named_by_idx on absences (deputy_named_by)
  where deputy_named_by is not null;
