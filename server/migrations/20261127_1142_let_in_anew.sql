-- A session that goes on in a new one after a change of the password is of the same person, also where the release before
-- begins it, which does not say so, and what the first one began with is gone.

create or replace function note_let_in() returns trigger language plpgsql as $$
begin
  new.let_in_by_id := let_in_by(new);
  -- a sign-in has what it begins with
  if new.let_in_by_id is null and (case new.method
    when 'passkey' then not exists (
      select from authenticators a where a.user_id = new.user_id and a.id = new.authenticator_id)
    when 'sso' then not exists (
      select from user_identities i where i.user_id = new.user_id and i.provider_id = new.provider_id)
    else false end) then
    select s.let_in_by_id into new.let_in_by_id from session_register s
    where s.user_id = new.user_id and s.method = new.method and s.let_in_by_id is not null
      -- ended by this transaction
      and s.revoked_at = now()::timestamptz(3) and s.reason = 'password changed'
      and s.authenticator_id is not distinct from new.authenticator_id
      and s.provider_id is not distinct from new.provider_id
    limit 1;
  end if;
  return new;
end $$;
