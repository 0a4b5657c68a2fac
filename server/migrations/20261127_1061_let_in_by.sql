-- Who may be the one who uses a session, for as long as it lasts: what it began with may be gone by the time it adds
-- another way in. By a trigger, so that sessions that the release before begins say it too.

alter table session_register add column let_in_by_id bigint;

create function let_in_by(session session_register) returns bigint language sql stable as $$
  select case session.method
    when 'sso' then (select i.linked_by_id from user_identities i
                     where i.user_id = session.user_id and i.provider_id = session.provider_id)
    when 'passkey' then (select a.let_in_by_id from authenticators a
                         where a.user_id = session.user_id and a.id = session.authenticator_id)
    else (select u.password_issued_by from users u where u.id = session.user_id) end
$$;

create function note_let_in() returns trigger language plpgsql as $$
begin
  new.let_in_by_id := let_in_by(new);
  return new;
end $$;

create trigger note_let_in before insert on session_register
  for each row when (new.let_in_by_id is null) execute function note_let_in();

update session_register s set let_in_by_id = let_in_by(s) where s.revoked_at is null;
