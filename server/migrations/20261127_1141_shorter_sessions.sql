-- A person who comes into a company whose rule has shorter sessions keeps no longer ones, as if the rule had been set then.

-- How many hours a session of an account lasts under the rule of its company; null for no limit of its own.
create function session_hours_of(account bigint) returns double precision language sql stable as $$
  select p.session_max_hours::double precision
  from users u
  left join employees e on e.user_id = u.id
  join lateral (
    -- a row of the company wins as a whole
    select s.session_max_hours from sign_in_policies s where s.entity_id = e.entity_id or s.entity_id is null
    order by s.entity_id nulls last limit 1) as p on true
  where u.id = account and not u.break_glass
$$;

create or replace function limit_session() returns trigger language plpgsql as $$
declare
  hours double precision := session_hours_of(new.user_id);
begin
  if hours is not null then
    new.expires_at := least(new.expires_at, new.created_at + make_interval(secs => hours * 3600));
  end if;
  return new;
end $$;

create or replace function end_other_ways() returns trigger language plpgsql as $$
declare
  demanded bigint[];
  hours double precision;
begin
  -- a change of the rules comes before or after this move
  perform from sign_in_policies where entity_id is null for key share;
  demanded := demanded_providers(new.user_id);
  hours := session_hours_of(new.user_id);
  if demanded is null and hours is null then return null; end if;
  -- a sign-in that is not committed yet is waited for, and one that begins waits
  perform from users where id = new.user_id for update;
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
