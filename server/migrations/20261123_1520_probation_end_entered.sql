-- When the end of a probation was entered: a mistyped one may be corrected for two weeks. Null for ends from before.
alter table employees add column probation_end_entered_at timestamptz(3);

create function note_probation_end() returns trigger language plpgsql as $$
begin
  new.probation_end_entered_at := case when new.probation_end_date is not null then now() end;
  return new;
end $$;
create trigger employees_probation_end_inserted before insert on employees
  for each row when (new.probation_end_date is not null) execute function note_probation_end();
create trigger employees_probation_end_changed before update of probation_end_date on employees
  for each row when (new.probation_end_date is distinct from old.probation_end_date)
  execute function note_probation_end();
