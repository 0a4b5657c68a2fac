-- A block by hand is written without a source: the column gives that of connections until a contract gives its own. The
-- release before always names one. An emergency account is freed of both.

alter table sign_in_blocks alter column source set default 'scim';

create or replace function free_emergency_account() returns trigger language plpgsql as $$
begin
  delete from scim_users where user_id = new.id;
  delete from sign_in_blocks where user_id = new.id and source <> 'other';
  return null;
end $$;
