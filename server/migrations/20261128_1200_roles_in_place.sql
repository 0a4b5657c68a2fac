-- A rule that gives or takes a role raises the revision of the person, so that a form that shows the roles is not saved over
-- it, and nothing else: the time of the last change is that of the record. So none of the indexes of people has an entry to
-- add, and the row is written anew on its own page, where new pages keep room for it.

-- The columns that are computed have no value here yet, so what changed is not compared: a statement that sets the revision
-- changes nothing beside it.
create function touch_person() returns trigger language plpgsql as $$
begin
  if new.revision = old.revision then
    new.updated_at := now();
  end if;
  new.revision := old.revision + 1;
  return new;
end $$;
create or replace trigger touch before update on employees for each row execute function touch_person();

create or replace function touch_holders() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update employees set revision = revision + 1
    where user_id in (select user_id from old_rows where coalesce(provider_id, scim_connection_id) is not null);
  else
    update employees set revision = revision + 1
    where user_id in (select user_id from new_rows where coalesce(provider_id, scim_connection_id) is not null);
  end if;
  return null;
end $$;

alter table employees set (fillfactor = 90);
