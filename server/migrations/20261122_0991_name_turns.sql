-- Of two people who get one display name at the same moment the second request sees what the first wrote: writers of one
-- name take turns. Names share a thousand locks, so that a large file cannot exhaust what the server keeps of them.
create function name_turn(shown text, first_name text, last_name text) returns int
  language sql immutable parallel safe
  return case when name_shape(shown) not in ('', name_shape(first_name || ' ' || last_name))
              then hashtext(name_shape(shown)) & 1023 end;

-- In one order, so that two who hold several never wait in a circle.
create function hold_names(turns int[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7365044, t.turn)
  from (select distinct turn from unnest(turns) as turn where turn is not null order by turn) as t;
end $$;

create or replace function refuse_taken_name() returns trigger language plpgsql as $$
begin
  perform hold_names(array[name_turn(new.display_name, new.first_name, new.last_name)]);
  if is_name_taken(new.id, new.display_name, new.first_name, new.last_name) then
    raise unique_violation using
      message = 'the display name is that of another person', table = 'employees', constraint = 'employees_display_name_key';
  end if;
  return null;
end $$;

-- A trigger for columns does not see what another trigger makes of them: the state follows the joining date.
drop trigger refuse_taken_name_on_update on employees;
create trigger refuse_taken_name_on_update after update on employees
  for each row when (
    new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null
    and (new.display_name, new.first_name, new.last_name, new.activity_status, new.deleted_at)
      is distinct from (old.display_name, old.first_name, old.last_name, old.activity_status, old.deleted_at))
  execute function refuse_taken_name();
