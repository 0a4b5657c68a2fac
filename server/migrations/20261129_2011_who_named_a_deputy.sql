-- A deputy does not act on the record of the user who named them: no user chooses who does a review about themselves.
alter table absences add column deputy_named_by bigint references employees on delete set null;
