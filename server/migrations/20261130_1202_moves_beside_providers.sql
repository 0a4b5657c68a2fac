-- A person moves to a company while a provider ceases to cover it: one of both sees the other, and ends the sessions that
-- came from the provider.

create or replace function end_other_ways() returns trigger language plpgsql as $$
declare
  demanded bigint[];
  hours double precision;
  is_beyond boolean;
begin
  -- a change of the rules comes before or after this move
  perform from sign_in_policies where entity_id is null for key share;
  -- and so does a change of which companies a provider covers
  perform from identity_providers order by id for key share;
  demanded := demanded_providers(new.user_id);
  hours := session_hours_of(new.user_id);
  is_beyond := exists (select from identity_providers p where (new.entity_id = any (p.entity_ids)) is false);
  if demanded is null and hours is null and not is_beyond then return null; end if;
  -- a sign-in that is not committed yet is waited for, and one that begins waits
  perform from users where id = new.user_id for update;
  if is_beyond then
    update session_register s set revoked_at = now(), reason = 'beyond the provider'
    from identity_providers p
    where s.user_id = new.user_id and s.provider_id = p.id and s.revoked_at is null
      and (new.entity_id = any (p.entity_ids)) is false;
  end if;
  if hours is not null then
    update session_register s set expires_at = s.created_at + make_interval(secs => hours * 3600)
    where s.user_id = new.user_id and s.revoked_at is null
      and s.expires_at > s.created_at + make_interval(secs => hours * 3600);
  end if;
  if demanded is null then return null; end if;
  update session_register s set revoked_at = now(), reason = 'sign-in rule'
  where s.user_id = new.user_id and s.revoked_at is null
    and (s.method <> 'sso' or (s.provider_id = any (demanded)) is not true);
  update account_links l set revoked_at = now()
  where l.user_id = new.user_id and l.used_at is null and l.revoked_at is null;
  update own_account_links l set revoked_at = now()
  where l.user_id = new.user_id and l.purpose = 'requested_reset' and l.used_at is null and l.revoked_at is null;
  return null;
end $$;
