-- Where an assignment of a role comes from: given by hand, or by a rule of a provider. The latter ends with the link of
-- the account to the provider, whatever ends the link.

alter table role_assignments
  add column source text not null default 'manual',
  add column provider_id bigint,
  add constraint role_assignments_source_check check (
    case source when 'manual' then provider_id is null when 'provider' then provider_id is not null else false end)
    not valid,
  add constraint role_assignments_link_fkey foreign key (user_id, provider_id)
    references user_identities (user_id, provider_id) on delete cascade not valid;

-- A form that shows the roles of a person must not be saved once a rule changed them.
create function touch_holders() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update employees set updated_at = now()
    where user_id in (select user_id from old_rows where source = 'provider');
  else
    update employees set updated_at = now()
    where user_id in (select user_id from new_rows where source = 'provider');
  end if;
  return null;
end $$;
create trigger touch_holders_on_insert after insert on role_assignments
  referencing new table as new_rows for each statement execute function touch_holders();
create trigger touch_holders_on_update after update on role_assignments
  referencing new table as new_rows for each statement execute function touch_holders();
create trigger touch_holders_on_delete after delete on role_assignments
  referencing old table as old_rows for each statement execute function touch_holders();
