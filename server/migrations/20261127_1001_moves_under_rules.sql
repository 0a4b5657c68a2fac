-- A person who comes into a company that demands a provider loses the sessions that began another way, and the open links
-- by mail, as if the rule had been set then: whatever moves them, a request, an import or a planned move.

create function end_other_ways() returns trigger language plpgsql as $$
declare
  demanded bigint[];
begin
  -- a change of the rules comes before or after this move
  perform from sign_in_policies where entity_id is null for key share;
  demanded := demanded_providers(new.user_id);
  if demanded is null then return null; end if;
  -- a sign-in that is not committed yet is waited for, and one that begins waits
  perform from users where id = new.user_id for update;
  update session_register s set revoked_at = now(), reason = 'sign-in rule'
  where s.user_id = new.user_id and s.revoked_at is null
    and (s.method <> 'sso' or (s.provider_id = any (demanded)) is not true);
  update account_links l set revoked_at = now()
  where l.user_id = new.user_id and l.used_at is null and l.revoked_at is null;
  update own_account_links l set revoked_at = now()
  where l.user_id = new.user_id and l.purpose = 'requested_reset' and l.used_at is null and l.revoked_at is null;
  return null;
end $$;
create trigger end_other_ways after update of entity_id, user_id on employees
  for each row when (new.user_id is not null
    and (old.entity_id is distinct from new.entity_id or old.user_id is distinct from new.user_id))
  execute function end_other_ways();

-- Waits for a move of the person. Before guard_session by its name, which then reads where the person is.
create function await_move() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for key share;
  return new;
end $$;
create trigger await_move before insert or update of user_id on session_register
  for each row execute function await_move();
