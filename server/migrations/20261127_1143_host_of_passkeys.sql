-- The host that the browsers of this installation know: passkeys of another one can not be used any more, and are no factor
-- and no way in. Written by each start. Null until a release that knows it starts, and then all passkeys are factors.

alter table installation add column passkey_host text;

-- Whether the person can use a factor now.
create function factor_works(factor authenticators) returns boolean language sql stable as $$
  select factor.confirmed_at is not null and (factor.kind <> 'passkey' or (
    select i.passkey_host is null or i.passkey_host = factor.rp_id from installation i))
$$;

create or replace function has_emergency_account() returns boolean language sql stable as $$
  select not exists (select from sign_in_policies where sso_required) or exists (
    select from users u
    join role_assignments a on a.user_id = u.id
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    left join employees e on e.user_id = u.id
    where u.break_glass and u.is_enabled and u.password_hash is not null
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
      and exists (select from authenticators f where f.user_id = u.id and factor_works(f)))
$$;

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
