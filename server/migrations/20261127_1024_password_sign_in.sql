-- No session begins with a password that its person switched off, whatever inserts it: the release before does not know
-- of the switch.

create function guard_password_sign_in() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and not password_sign_in) then
    raise exception 'the person signs in with passkeys only'
      using errcode = 'check_violation', table = 'session_register', constraint = 'session_register_password_sign_in';
  end if;
  return new;
end $$;

create trigger guard_password_sign_in before insert on session_register
  for each row when (new.method = 'password') execute function guard_password_sign_in();
