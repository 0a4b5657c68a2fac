-- A session that came from a provider ends when the provider covers the company of its person no more: when its companies
-- are narrowed, as if it were disabled for them, and when the person moves to a company of others.

-- Whether an account is of a person whose company a provider does not cover.
create function is_beyond_provider(account bigint, provider bigint) returns boolean language sql stable as $$
  select exists (
    select from identity_providers p join employees e on e.user_id = account
    where p.id = provider and (e.entity_id = any (p.entity_ids)) is false)
$$;

-- Whichever release narrows it. A sign-in holds the provider, so it is before this, or sees the companies of after.
create function end_beyond_provider() returns trigger language plpgsql as $$
begin
  update session_register s set revoked_at = now(), reason = 'beyond the provider'
  where s.provider_id = new.id and s.revoked_at is null and is_beyond_provider(s.user_id, new.id);
  update account_links l set revoked_at = now()
  where l.used_at is null and l.revoked_at is null
    and l.user_id in (select n.user_id from user_identities n where n.provider_id = new.id)
    and is_beyond_provider(l.user_id, new.id);
  update own_account_links l set revoked_at = now()
  where l.purpose = 'requested_reset' and l.used_at is null and l.revoked_at is null
    and l.user_id in (select n.user_id from user_identities n where n.provider_id = new.id)
    and is_beyond_provider(l.user_id, new.id);
  return null;
end $$;
create trigger end_beyond after update of entity_ids on identity_providers
  for each row when (new.entity_ids is not null and new.entity_ids is distinct from old.entity_ids)
  execute function end_beyond_provider();

create or replace function guard_session() returns trigger language plpgsql as $$
declare
  is_break_glass boolean;
  must_enrol boolean;
  sso_required boolean;
  providers bigint[];
  factor_from date;
  has_factor boolean;
  today date := (now() at time zone 'UTC')::date;
begin
  -- held until the session is committed, for every change of a rule holds this row
  perform from sign_in_policies where entity_id is null for key share;

  select u.break_glass, u.must_enrol, p.sso_required, p.sso_provider_ids, p.second_factor_from
  into is_break_glass, must_enrol, sso_required, providers, factor_from
  from users u
  left join employees e on e.user_id = u.id
  left join lateral (
    -- a row of the company wins as a whole
    select s.* from sign_in_policies s where s.entity_id = e.entity_id or s.entity_id is null
    order by s.entity_id nulls last limit 1) as p on true
  where u.id = new.user_id;

  if sso_required and not is_break_glass
    and (new.method <> 'sso' or (new.provider_id = any (providers)) is not true) then
    raise exception 'the company demands another way to sign in'
      using errcode = 'check_violation', table = 'session_register', constraint = 'session_register_sign_in_policy';
  end if;

  if new.method = 'sso' and is_beyond_provider(new.user_id, new.provider_id) then
    raise exception 'the provider does not cover the company of the person'
      using errcode = 'check_violation', table = 'session_register', constraint = 'session_register_sign_in_policy';
  end if;

  if new.factors < 2 or new.enrol_only then
    has_factor := exists (select from authenticators a where a.user_id = new.user_id and factor_works(a));
    -- a session that may only add the first factor is none for an account that has one
    if has_factor or not new.enrol_only and (
      must_enrol
      or factor_from <= today
      or exists (select from role_assignments a join roles r on r.id = a.role_id
                 where a.user_id = new.user_id and r.second_factor_from <= today)) then
      raise exception 'a second factor is demanded'
        using errcode = 'check_violation', table = 'session_register', constraint = 'session_register_second_factor';
    end if;
  end if;
  return new;
end $$;

create or replace function end_other_ways() returns trigger language plpgsql as $$
declare
  demanded bigint[];
  hours double precision;
  is_beyond boolean;
begin
  -- a change of the rules comes before or after this move
  perform from sign_in_policies where entity_id is null for key share;
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
