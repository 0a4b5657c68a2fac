-- A password that its person switched off does not sign in again by itself when the last passkey goes: whom it was
-- switched off for may still know it. It is void, and HR issues another one. By a trigger, because the release before
-- would leave an account without any way in.

create function void_password() returns trigger language plpgsql as $$
declare
  accounts bigint[];
begin
  with opened as (
    update users u
    set password_sign_in = true, password_hash = null, one_time_password = false, must_change_password = false,
        password_expires_at = null, password_issued_by = null, updated_at = now()
    where not u.password_sign_in
      and u.id in (select g.user_id from gone g where g.kind = 'passkey')
      and not exists (select from authenticators a where a.user_id = u.id and a.kind = 'passkey')
    returning u.id)
  select array_agg(id) into accounts from opened;
  update session_register set revoked_at = now(), reason = 'password void'
  where user_id = any(accounts) and method = 'password' and revoked_at is null;
  return null;
end $$;

create trigger void_password after delete on authenticators
  referencing old table as gone for each statement execute function void_password();
